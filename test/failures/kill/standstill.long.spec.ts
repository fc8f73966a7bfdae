import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { anAvatar } from '../../support/avatar.js';
import { WITH_JUMPING_CLOCK } from '../../support/jumping-clock.js';
import { atLock, type Lock, locksOfWriters } from '../../support/locks.js';
import type { ServiceProcess } from '../../support/service-process.js';
import { killRounds, onDurablePostgres, ROUNDS, timeoutOf } from './rounds.js';

/** How long the service stands still in a round: a machine that is moved, or swaps, takes up to a minute. */
const SHORTEST_STOP_MS = 1000;
const LONGEST_STOP_MS = Number(process.env.STOP_SECONDS ?? 70) * 1000;

const postgres = onDurablePostgres();

it(
  'loses nothing that was acknowledged where the clock of the service jumps, and the service stands still (SIGSTOP) with a lock before it is killed or goes on',
  async () => {
    const random = new SeededRandom('SIGSTOP and clock jumps');
    const locks = [...locksOfWriters(anAvatar('patch writer 0')), undefined];
    let round = 0;
    const scene = {
      name: 'kill -9, service on PostgreSQL that is stopped and whose clock jumps',
      env: { DATABASE_URL: postgres().url, DATABASE_WRITE_PATIENCE: '1', ...WITH_JUMPING_CLOCK },
      // A payload of an hour ahead; a session that was ended with its lock; a lock that was not given up at once.
      mayAnswer: /"(payload_expired|stale_chain|already_recorded|database_slow|overloaded)"/,
      kill: async (service: ServiceProcess) => {
        service.signal('SIGUSR2');
        await stopAt(postgres().url, locks[round++ % locks.length], service);
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
  timeoutOf(ROUNDS),
);

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
