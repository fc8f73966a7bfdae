import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import { killRounds } from './rounds.js';

/** `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
/** Of the service alone, on the embedded database and on PostgreSQL, whose rounds are the shortest. */
const SERVICE_ROUNDS = Number(process.env.KILL_ROUNDS_SERVICE ?? ROUNDS);
const ROUND_TIMEOUT_MS = 120_000; // a few seconds, unless the machine is busy
const TIMEOUT_MS = (ROUNDS + 1) * ROUND_TIMEOUT_MS;
const SERVICE_TIMEOUT_MS = (SERVICE_ROUNDS + 1) * ROUND_TIMEOUT_MS;

describe('kill -9 in the middle of writes loses nothing that was acknowledged', () => {
  it(
    'by the service on the embedded database, which dies with it',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
      await cp(process.env.TEST_EMBEDDED_TEMPLATE!, path.join(folder, 'data', 'pglite'), { recursive: true });
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
    SERVICE_TIMEOUT_MS,
  );

  describe('on PostgreSQL', () => {
    let postgres: TestPostgres;

    beforeEach(async () => {
      postgres = await startPostgres({ durable: true });
    }, ROUND_TIMEOUT_MS);
    afterEach(() => postgres.stop());

    it(
      'by the service',
      async () => {
        const scene = {
          name: 'kill -9, service on PostgreSQL',
          env: { DATABASE_URL: postgres.url },
          kill: (service: { kill9(): Promise<void> }) => service.kill9().then(() => true),
          restore: async () => {},
        };

        expect(await killRounds(scene, SERVICE_ROUNDS, new SeededRandom('kill -9, PostgreSQL'))).toEqual([]);
      },
      SERVICE_TIMEOUT_MS,
    );

    it(
      'by the database, while the service stays and answers 503, or goes as well',
      async () => {
        const random = new SeededRandom('kill -9, PostgreSQL itself');
        const scene = {
          name: 'kill -9, PostgreSQL itself',
          env: { DATABASE_URL: postgres.url },
          kill: async (service: { kill9(): Promise<void> }) => {
            await postgres.kill9();
            const isServiceToo = random.below(2) === 0;
            if (isServiceToo) await service.kill9();
            return isServiceToo;
          },
          restore: () => postgres.restart(),
        };

        expect(await killRounds(scene, ROUNDS, random)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
});
