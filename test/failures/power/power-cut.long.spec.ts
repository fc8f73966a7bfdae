import { setTimeout as delay } from 'node:timers/promises';
import { readdir } from 'node:fs/promises';
import { itUnless, type Lack } from '../../../packages/verify/test/support/unless.js';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { killRounds } from '../kill/rounds.js';
import { launchService, type ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import type { CuttableDisk } from './cuttable-disk.js';
import { makeLoopDisk, whyNoLoopDisk } from './loop-disk.js';
import { makeVolatileDisk } from './volatile-disk.js';

/** Cuts under writes, the first of them right after the first start. */
const CUTS = Number(process.env.POWER_CUTS ?? 30);
/** Cuts in the midst of the first start, before those. */
const FIRST_START_CUTS = Math.ceil(CUTS / 4);
/** Making a cluster takes longer. */
const LONGEST_FIRST_START_MS = 4000;
const CUT_TIMEOUT_MS = 120_000; // a few seconds, unless the machine is busy

describe('a power cut under the embedded database', () => {
  let disk: CuttableDisk | undefined;

  afterEach(() => disk?.remove());

  cuts('on files that forget what was not synced', makeVolatileDisk, null);
  // The disk of the tests' own shows every missing sync; a real file system shows what is not thought of.
  cuts('on ext4 on a loop device', makeLoopDisk, whyNoLoopDisk());

  function cuts(disks: string, make: () => Promise<CuttableDisk>, lack: Lack): void {
    const title = `loses nothing that was acknowledged, and the log goes on, in the first start and after it: ${disks}`;
    itUnless(lack, title, () => surviveCuts(disks, make), (FIRST_START_CUTS + CUTS + 1) * CUT_TIMEOUT_MS);
  }

  async function surviveCuts(disks: string, make: () => Promise<CuttableDisk>): Promise<void> {
    const random = new SeededRandom(`power cuts ${disks}`);
    disk = await make();
    const { dataDir, cut } = disk;
    const scene = {
      name: `power cuts ${disks}, after ${FIRST_START_CUTS} in the first start`,
      env: { DATA_DIR: dataDir, ...disk.env },
      kill: (service: ServiceProcess) => cut(service).then(() => true),
      restore: async () => {},
    };

    for (let count = 0; count < FIRST_START_CUTS; count++) {
      const first = launchService(scene.env);
      try {
        await until(async () => (await readdir(dataDir).catch(() => [])).length > 0);
        await delay(random.below(LONGEST_FIRST_START_MS));
      } finally {
        await cut(first);
      }
    }

    expect(await killRounds(scene, CUTS, random)).toEqual([]);
  }
});
