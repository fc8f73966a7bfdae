import type pg from 'pg';
import { isUnconfirmedNotice } from './database-client.js';
import { READ_ONLY_STATE } from '../pg-errors.js';
import { connectionOf } from './server-state.js';
import type { PrimaryFinder } from './primary-finder.js';

/** Milliseconds for which a server is not left again: there may be no other one yet. */
const PAUSE_MS = 1000;

/**
 * Closes the connections to a former primary. After a fail-over the address of the database may already lead to the new
 * primary while old connections live on: the former primary came back as a standby, a proxy keeps them, or the server
 * does not yet know its successor. Such a connection cannot write, and its reads would silently return old data.
 *
 * Two signs start this: a statement that is refused because the server is read-only, and a commit that the standbys
 * have not confirmed. Idle connections end at once, the others when they are given back.
 */
export function closeFormerPrimaries(pool: pg.Pool, finder: PrimaryFinder, warn: (message: string) => void): void {
  const generations = new WeakMap<pg.Client, number>();
  let generation = 0;
  let leftAt = -Infinity;

  const leave = (client: pg.Client, reason: string): void => {
    if (generations.get(client) !== generation || performance.now() - leftAt < PAUSE_MS) return;
    leftAt = performance.now();
    generation += 1;
    finder.forget();
    warn(`${reason}, as after a fail-over; all connections to the database are made anew`);
    for (let idle = pool.idleCount; idle > 0; idle -= 1) {
      pool.connect().then(
        (client) => client.release(true),
        () => {},
      );
    }
  };
  const meet = (client: pg.Client): void => {
    if (generations.has(client)) return;
    generations.set(client, generation);
    connectionOf(client).on('errorMessage', ({ code }: { code: string }) => {
      if (code === READ_ONLY_STATE) leave(client, 'the database is read-only');
    });
    client.on('notice', (notice) => {
      if (isUnconfirmedNotice(notice)) leave(client, 'no standby confirms commits');
    });
  };
  pool.on('connect', meet).on('acquire', meet);
  // The pool drops what is ending when it comes back.
  pool.on('release', (_error: unknown, client: pg.Client) => {
    if (generations.get(client) !== generation) client.end().catch(() => {});
  });
}
