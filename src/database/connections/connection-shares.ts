import type { DataSource } from 'typeorm';
import { type Release, Slots } from '../../concurrency/slots.js';
import { LockedTables } from './locked-tables.js';

/**
 * The part of the pool that reads by key, reads of what is known to be large and the lookups before a write may each
 * use, and the name of that kind in messages. With searches and admin calls, which are bounded by request
 * (`operations/limits/load-shedding-classes.ts`), they leave a tenth of it: for health checks, commits, streams and the
 * work behind the scenes, of which each kind takes one connection at a time.
 */
const SHARES = {
  reads: { part: 0.3, name: 'reads' },
  largeReads: { part: 0.2, name: 'reads of much' },
  writes: { part: 0.1, name: 'writes' },
};
/** Who asks the database. */
export type Share = keyof typeof SHARES;

/** Statements that may wait for one share. The time for which they may is the tighter limit. */
const MAX_WAITING = 2000;
/** The longest delay that a timer of Node knows, 24 days. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Too many statements of one kind wait for a connection already. The message is for people. */
export class ShareExhaustedError extends Error {}

/**
 * Bounds the connections that each kind of statement uses at the same time. What hangs, because a table is locked or a
 * disk is slow, takes the connections of its own kind and leaves the others theirs. Statements of a locked table take
 * none once the first of them has been given up.
 */
class ConnectionShares {
  /** How many milliseconds a statement may wait for its share. */
  waitMs = NO_LIMIT_MS;
  readonly lockedTables: LockedTables;
  private readonly slots: Record<Share, Slots>;

  constructor(source: DataSource) {
    const poolSize = source.options.poolSize as number;
    this.lockedTables = new LockedTables(source);
    const slotsFor = (share: Share): Slots => {
      const running = Math.max(1, Math.floor(poolSize * SHARES[share].part));
      const refusal = () => new ShareExhaustedError(`too many ${SHARES[share].name} wait already`);
      return new Slots({ running, waiting: MAX_WAITING }, refusal);
    };
    this.slots = { reads: slotsFor('reads'), largeReads: slotsFor('largeReads'), writes: slotsFor('writes') };
  }

  /**
   * Waits until a statement of this kind may have a connection. Not inside a transaction, which has one already.
   * @throws ShareExhaustedError
   */
  take(share: Share): Promise<Release> {
    return this.slots[share].acquire(this.waitMs);
  }
}

const known = new WeakMap<DataSource, ConnectionShares>();

/**
 * Runs `work`, which uses one connection, within its share.
 * @param statement its text
 * @throws ShareExhaustedError, TableLockedError; what `work` throws
 */
export async function withinShare<Result>(
  source: DataSource,
  share: Share,
  statement: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const shares = sharesOf(source);
  const release = await shares.take(share);
  try {
    return await shares.lockedTables.run(statement, work);
  } finally {
    release();
  }
}

/** The shares of the pool of `source`. */
export function sharesOf(source: DataSource): ConnectionShares {
  let shares = known.get(source);
  if (!shares) known.set(source, (shares = new ConnectionShares(source)));
  return shares;
}
