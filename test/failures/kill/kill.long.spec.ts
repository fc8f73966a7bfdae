import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { copyMigratedCluster } from '../../support/database.js';
import { killRounds, onDurablePostgres, ROUNDS, timeoutOf } from './rounds.js';

/** Of the service alone, on the embedded database and on PostgreSQL, whose rounds are the shortest. */
const SERVICE_ROUNDS = Number(process.env.KILL_ROUNDS_SERVICE ?? 300);

describe('kill -9 in the middle of writes loses nothing that was acknowledged', () => {
  it(
    'by the service on the embedded database, which dies with it',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
      await copyMigratedCluster(path.join(folder, 'data'));
      const scene = {
        name: 'kill -9, service with the embedded database',
        env: { DATA_DIR: path.join(folder, 'data') },
        kill: (service: { kill9(): Promise<void> }) => service.kill9().then(() => true),
        restore: async () => {},
      };

      const problems = await killRounds(scene, SERVICE_ROUNDS, new SeededRandom('kill -9, embedded')).finally(() =>
        rm(folder, { recursive: true }),
      );

      expect(problems).toEqual([]);
    },
    timeoutOf(SERVICE_ROUNDS),
  );

  describe('on PostgreSQL', () => {
    const postgres = onDurablePostgres();

    it(
      'by the service',
      async () => {
        const scene = {
          name: 'kill -9, service on PostgreSQL',
          env: { DATABASE_URL: postgres().url },
          kill: (service: { kill9(): Promise<void> }) => service.kill9().then(() => true),
          restore: async () => {},
        };

        expect(await killRounds(scene, SERVICE_ROUNDS, new SeededRandom('kill -9, PostgreSQL'))).toEqual([]);
      },
      timeoutOf(SERVICE_ROUNDS),
    );

    it(
      'by the database, while the service stays and answers 503, or goes as well',
      async () => {
        const random = new SeededRandom('kill -9, PostgreSQL itself');
        const scene = {
          name: 'kill -9, PostgreSQL itself',
          env: { DATABASE_URL: postgres().url },
          kill: async (service: { kill9(): Promise<void> }) => {
            await postgres().kill9();
            const isServiceToo = random.below(2) === 0;
            if (isServiceToo) await service.kill9();
            return isServiceToo;
          },
          restore: () => postgres().restart(),
        };

        expect(await killRounds(scene, ROUNDS, random)).toEqual([]);
      },
      timeoutOf(ROUNDS),
    );
  });
});
