import { POOL_SHARES, type ShareName } from '../../bounds/bounds.js';
import { type RefusalCounter, TooManyWaitError } from '../../bounds/refusal-counter.js';
import { type Release, Slots } from '../../concurrency/slots.js';
import type { LockedTables } from './locked-tables.js';

/** The longest delay that a timer of Node knows, 24 days. */
const NO_LIMIT_MS = 2 ** 31 - 1;

interface SharesOptions {
  /** Connections of the pool. */
  size: number;
  /** Milliseconds for which one may wait for a share; absent: no limit. */
  waitMs?: number | undefined;
  refusals?: RefusalCounter | undefined;
}

/**
 * Bounds the connections that each kind of asker uses at the same time (`POOL_SHARES`). If statements hang, because a
 * table is locked or a disk is slow, they use up the share of their own kind; the other kinds keep theirs. After one
 * statement of a locked table has timed out, further ones are refused and take no connection (`LockedTables`).
 */
export class PoolShares {
  private readonly slots: Record<ShareName, Slots>;
  private readonly waitMs: number;
  private readonly refusals: RefusalCounter | undefined;

  constructor(
    { size, waitMs = NO_LIMIT_MS, refusals }: SharesOptions,
    private readonly lockedTables: LockedTables,
  ) {
    this.waitMs = waitMs;
    this.refusals = refusals;
    const slotsFor = (share: ShareName): Slots => {
      const { part, waiting, words } = POOL_SHARES[share];
      const running = Math.max(1, Math.floor(size * part));
      return new Slots(
        { running, waiting: 'inAll' in waiting ? waiting.inAll : running * waiting.forEach },
        () => new TooManyWaitError(words),
      );
    };
    this.slots = {
      reads: slotsFor('reads'),
      large_reads: slotsFor('large_reads'),
      writes: slotsFor('writes'),
      searches: slotsFor('searches'),
      admin: slotsFor('admin'),
    };
  }

  /**
   * Waits until one of this kind may have a connection. Not inside a transaction, which has one already.
   * @param client who asks, where many do: those that wait are served in rotation
   * @throws TooManyWaitError
   */
  async take(share: ShareName, client?: string): Promise<Release> {
    try {
      return await this.slots[share].acquire(this.waitMs, client);
    } catch (error) {
      this.countRefused(share);
      throw error;
    }
  }

  /** Counts what else is refused with one that `take` has refused, because it shares its statement. */
  countRefused(share: ShareName, times = 1): void {
    this.refusals?.count(`pool_${share}`, times);
  }

  /**
   * Runs `work`, which sends one statement that reads `tables`, within its share.
   * @throws TooManyWaitError, TableLockedError; what `work` throws
   */
  async run<Result>(share: ShareName, tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const release = await this.take(share);
    try {
      return await this.runTaken(tables, work);
    } finally {
      release();
    }
  }

  /** As `run`, for an asker that has taken its share. @throws TableLockedError; what `work` throws */
  runTaken<Result>(tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return this.lockedTables.run(tables, work);
  }
}
