import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchService } from '../support/service-process.js';
import { until } from '../support/until.js';

const TIMEOUT_MS = 240_000;
/** A cluster takes longer to make; whoever is still there after this time has not noticed. */
const NOTICED_WITHIN_MS = 5_000;

/** Processes of this machine whose command line names `word`. */
async function processesWith(word: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, index) => lines[index]!.includes(word));
}

describe('kill -9 of the service while it makes the cluster of its first start', () => {
  let folder: string;
  let dataDir: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    dataDir = path.join(folder, 'data');
  });
  afterEach(() => rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }));

  it(
    'ends the process that makes it too, and the next start makes another and removes what was left',
    async () => {
      const cluster = path.join(dataDir, 'pglite');
      const first = launchService({ DATA_DIR: dataDir });
      // It has begun to write: from then on it is busy and has no time for anything else.
      await until(async () => {
        const unfinished = (await readdir(dataDir).catch(() => [])).find((name) => name.includes('unfinished'));
        return unfinished !== undefined && (await readdir(path.join(dataDir, unfinished))).length > 0;
      }, 60_000);

      await first.kill9();
      await until(async () => (await processesWith(cluster)).length === 0, NOTICED_WITHIN_MS);

      const left = await readdir(dataDir);
      expect(left.filter((name) => name.startsWith('pglite'))).toEqual([expect.stringContaining('unfinished')]);
      const second = await launchService({ DATA_DIR: dataDir }).ready();
      expect((await second.get('/readyz')).status).toBe(200);
      expect((await readdir(dataDir)).filter((name) => name.startsWith('pglite'))).toEqual(['pglite']);
      await second.kill9();
    },
    TIMEOUT_MS,
  );
});
