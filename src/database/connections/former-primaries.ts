import type pg from 'pg';
import { isUnconfirmedNotice } from './database-client.js';
import { READ_ONLY_STATE } from '../pg-errors.js';
import { connectionOf } from './server-state.js';
import type { PrimaryFinder } from './primary-finder.js';

/** Milliseconds for which a server is not left again: there may be no other one yet. */
const PAUSE_MS = 1000;

/**
 * After a fail-over the address of the database may lead to a new primary while connections to the old one live on: it
 * has come back as a standby, a proxy keeps them, or it does not know yet that it has a successor. Such a connection is
 * good for nothing, and one that only reads would show old data unnoticed. So all connections that there are end, the
 * idle ones at once, the others when they are given back: at the first statement that is refused because the server is
 * read-only, and at the first commit that its standbys have not confirmed.
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
