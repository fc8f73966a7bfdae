import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { anAvatar } from '../../support/avatar.js';
import { WITH_JUMPING_CLOCK } from '../../support/jumping-clock.js';
import { atLock, type Lock, locksOfWriters } from '../../support/locks.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import type { ServiceProcess } from '../../support/service-process.js';
import { killRounds } from './rounds.js';

/** `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
/** Of the service alone, on the embedded database and on PostgreSQL, whose rounds are the shortest. */
const SERVICE_ROUNDS = Number(process.env.KILL_ROUNDS_SERVICE ?? ROUNDS);
/** How long the service stands still in a round: a machine that is moved, or swaps, takes up to a minute. */
const SHORTEST_STOP_MS = 1000;
const LONGEST_STOP_MS = Number(process.env.STOP_SECONDS ?? 4) * 1000;
const ROUND_TIMEOUT_MS = 120_000; // a few seconds, unless the machine is busy
const TIMEOUT_MS = (ROUNDS + 1) * ROUND_TIMEOUT_MS;
const SERVICE_TIMEOUT_MS = (SERVICE_ROUNDS + 1) * ROUND_TIMEOUT_MS;

describe('kill -9 in the middle of writes loses nothing that was acknowledged', () => {
  it(
    'by the service on the embedded database, which dies with it',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
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
      'by the service, whose clock jumps, and which stands still (SIGSTOP) with a lock before it is killed or goes on',
      async () => {
        const random = new SeededRandom('SIGSTOP and clock jumps');
        const locks = [...locksOfWriters(anAvatar('patch writer 0')), undefined];
        let round = 0;
        const scene = {
          name: 'kill -9, service on PostgreSQL that is stopped and whose clock jumps',
          env: { DATABASE_URL: postgres.url, ...WITH_JUMPING_CLOCK },
          // A payload of an hour ahead; a session that was ended with its lock; a lock that was not given up at once.
          mayAnswer: /"(payload_expired|stale_chain|already_recorded|database_slow|overloaded)"/,
          kill: async (service: ServiceProcess) => {
            service.signal('SIGUSR2');
            await stopAt(postgres.url, locks[round++ % locks.length], service);
            await delay(SHORTEST_STOP_MS + random.below(LONGEST_STOP_MS - SHORTEST_STOP_MS));
            const isKilled = random.below(2) === 0;
            if (isKilled) await service.kill9();
            else service.signal('SIGCONT');
            return isKilled;
          },
          restore: async () => {},
        };

        expect(await killRounds(scene, ROUNDS, random)).toEqual([]);
      },
      TIMEOUT_MS,
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

/** SIGSTOP at once, or in the moment in which a session of the service gets `lock`. */
async function stopAt(url: string, lock: Lock | undefined, service: ServiceProcess): Promise<void> {
  const stop = (): void => service.signal('SIGSTOP');
  if (lock === undefined) return stop();
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  try {
    await atLock(operator, lock, stop);
  } finally {
    await operator.end();
  }
}
