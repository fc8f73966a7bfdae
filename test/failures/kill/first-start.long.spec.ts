import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processesWith } from '../../support/processes.js';
import { launchService, messagesIn } from '../../support/service-process.js';
import { until } from '../../support/until.js';

describe('kill -9 of the service while it makes the cluster of its first start', () => {
  let folder: string;
  let dataDir: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    dataDir = path.join(folder, 'data');
  });
  afterEach(() => rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }));

  it('ends the process that makes it too, and the next start makes another and removes what was left', async () => {
    const cluster = path.join(dataDir, 'pglite');
    const first = launchService({ DATA_DIR: dataDir });
    // The first start has begun to write: from then on it is busy and has no time for anything else.
    await until(async () => {
      const unfinished = (await readdir(dataDir).catch(() => [])).find((name) => name.includes('unfinished'));
      return unfinished !== undefined && (await readdir(path.join(dataDir, unfinished))).length > 0;
    });

    await first.kill9();
    await until(async () => (await processesWith(cluster)).length === 0);

    // A process that had not noticed would have gone on, and moved a complete cluster to its place.
    const left = await readdir(dataDir);
    expect(left.filter((name) => name.startsWith('pglite'))).toEqual([expect.stringContaining('unfinished')]);
    const second = await launchService({ DATA_DIR: dataDir }).ready();
    expect((await second.get('/readyz')).status).toBe(200);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('pglite'))).toEqual(['pglite']);
    expect(messagesIn(second.output())).toMatch(
      /^The first start was cut short before the database was complete\. pglite\.unfinished-\w+ is removed\.$/m,
    );
    await second.kill9();
  });
});
