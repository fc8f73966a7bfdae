import type pg from 'pg';
import { READ_ONLY_STATE } from './pg-errors.js';

/** Milliseconds for which a server that stays read-only is not left again: there may be no other one yet. */
const PAUSE_MS = 1000;

/** Not in the types of `pg`: hears what the server says before the statement does, and how a connection ends. */
interface Inside {
  connection: { on: (event: 'errorMessage', listen: (message: { code: string }) => void) => void };
  end: () => Promise<void>;
}

/**
 * After a fail-over the address of the database may lead to a new primary while connections to the old one live on: it
 * has come back as a standby, or a proxy keeps them. Such a connection is good for nothing, and one that only reads
 * would show old data without anybody noticing. So at the first statement that is refused because the server is
 * read-only, all connections that there are end: the idle ones at once, the others when they are given back.
 */
export function leaveReadOnlyServers(pool: pg.Pool, say: (message: string) => void): void {
  const generations = new WeakMap<pg.PoolClient, number>();
  let generation = 0;
  let leftAt = -Infinity;

  const leave = (): void => {
    if (performance.now() - leftAt < PAUSE_MS) return;
    leftAt = performance.now();
    generation += 1;
    say('the database is read-only, as after a fail-over; all connections to it are made anew');
    for (let idle = pool.idleCount; idle > 0; idle -= 1) {
      pool.connect().then(
        (client) => client.release(true),
        () => {},
      );
    }
  };
  const meet = (client: pg.PoolClient): void => {
    if (generations.has(client)) return;
    generations.set(client, generation);
    insideOf(client).connection.on('errorMessage', ({ code }) => {
      if (code === READ_ONLY_STATE && generations.get(client) === generation) leave();
    });
  };
  pool.on('connect', meet).on('acquire', meet);
  // The pool drops what is ending when it comes back.
  pool.on('release', (_error: unknown, client: pg.PoolClient) => {
    if (generations.get(client) !== generation)
      insideOf(client)
        .end()
        .catch(() => {});
  });
}

function insideOf(client: pg.PoolClient): Inside {
  return client as unknown as Inside;
}
