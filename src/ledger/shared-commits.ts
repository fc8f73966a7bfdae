import { bulkhead } from 'cockatiel';
import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLost, isStorageFull, isTooSlow } from '../database/pg-errors.js';
import { CommitUnknownError, TransactionNotBegunError } from '../database/write-transactions.js';
import { OverloadedError } from '../domain/domain-errors.js';
import { groupsOf } from '../domain/lists.js';

/** Changes of one transaction: enough that the commit costs each of them little, few enough that it stays short. */
const MAX_BATCH = 200;
/** Bytes of the changes of one transaction, where there is more than one: some ten milliseconds of this process. */
const MAX_BATCH_BYTES = 1_000_000;
/** Changes that may wait for the transaction under way; at a few hundred a transaction they wait a second or two. */
const MAX_WAITING = 2000;
/** Bytes of the changes that may wait. */
const MAX_WAITING_BYTES = 32_000_000;
/** After this many timeouts in a row the database is the cause, not the changes. */
const MAX_SLOW = 2;
/** Transactions, beside the one of the batches, of changes that wait for a lock held elsewhere. */
const APART_AT_ONCE = 2;
/** Milliseconds for which the outcome of a lost commit is looked up: a standby may have to be promoted meanwhile. */
const ASK_FOR_MS = 10_000;
const ASK_AGAIN_MS = 250;

/** The change was not recorded and goes first in the next batch, because the current batch is large enough. */
export const NEXT_BATCH = { status: 'next batch' } as const;

export type Outcome<Result> = PromiseSettledResult<Result> | typeof NEXT_BATCH;

/** How changes of one kind are recorded. */
export interface Recording<Change, Result> {
  /**
   * Records changes in one transaction.
   * @param takeChanges takes the waiting changes; may be called once. Call it late, after a lock that all changes
   *   share: changes that arrive until then join this batch.
   * @param isPatient whether the transaction waits for locks as long as a change may take. A batch of changes with
   *   groups waits for a moment only.
   * @returns how each one ended, in order, once the transaction is committed; a change that is refused leaves no row.
   *   The first one is never put off to the next batch.
   * @throws TransactionNotBegunError, CommitUnknownError, or the error of the database if the transaction was rolled
   *   back as a whole.
   */
  record(takeChanges: () => Change[], isPatient: boolean): Promise<Outcome<Result>[]>;

  /**
   * Finds out which changes of a transaction are recorded after the answer to its commit was lost. Takes the locks that
   * the transaction held, so that it has ended. Returns a result for each recorded change, null for the others.
   * @throws CommitUnknownError if a standby has not confirmed what this server holds.
   */
  findRecorded(changes: Change[]): Promise<({ value: Result } | null)[]>;

  /** Approximate size of a change in bytes. */
  bytesOf(change: Change): number;

  /**
   * The group of a change. Changes of different groups share no lock: if the lock of one group is held elsewhere, each
   * group of that batch is recorded in its own transaction. Absent if all changes are under one lock.
   */
  groupOf?(change: Change): string;
}

interface Waiting<Change, Result> {
  change: Change;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Lets changes that are ready at the same moment share a transaction, and so a commit, which is what limits writes on
 * most disks and with every synchronous replica. A change waits for the transaction under way on this server and joins
 * the next one, together with all others that wait. A single change does not wait, and no timer is needed. One
 * connection to the database is in use at a time, however many changes wait, and a few more where locks are held
 * elsewhere.
 */
export class SharedCommits<Change, Result> {
  private waiting: Waiting<Change, Result>[] = [];
  private isRunning = false;
  private readonly apart = bulkhead(APART_AT_ONCE, Infinity);
  /** What waits, for the next batch or for a transaction of its own. */
  private readonly queued = { changes: 0, bytes: 0 };

  constructor(private readonly recording: Recording<Change, Result>) {}

  /**
   * Records one change; resolves after its commit.
   * @throws OverloadedError if too many wait already; the reason with which `record` refuses the change; the error of
   *   the database if it went away and the outcome of the change could not be looked up.
   */
  async submit(change: Change): Promise<Result> {
    const bytes = this.recording.bytesOf(change);
    if (this.queued.changes >= MAX_WAITING || this.queued.bytes + bytes > MAX_WAITING_BYTES) {
      throw new OverloadedError('Too many changes wait to be recorded; try again shortly.');
    }
    return new Promise((resolve, reject) => {
      const one = { change, bytes, resolve, reject };
      this.count([one], 1);
      this.waiting.push(one);
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) await this.record(null, !this.recording.groupOf);
    this.isRunning = false;
  }

  private takeBatch(most = MAX_BATCH): Waiting<Change, Result>[] {
    let bytes = 0;
    const end = this.waiting.findIndex((one, index) => {
      bytes += one.bytes;
      return index === most || (index > 0 && bytes > MAX_BATCH_BYTES);
    });
    const batch = this.waiting.splice(0, end < 0 ? this.waiting.length : end);
    this.count(batch, -1);
    return batch;
  }

  /**
   * Records a batch in one transaction. Returns the error with which the transaction ended, or null. Never throws.
   * @param given what to record; null: the next ones that wait.
   */
  private async record(given: Waiting<Change, Result>[] | null, isPatient: boolean): Promise<unknown> {
    const early = Math.min(this.waiting.length, MAX_BATCH);
    let batch = given;
    const takeChanges = () => changesOf((batch ??= this.takeBatch()));
    try {
      const outcomes = await this.recording.record(takeChanges, isPatient);
      this.settle(batch!, outcomes);
      return null;
    } catch (error) {
      // The transaction did not begin: the changes that waited for it from the start get the error.
      batch ??= this.takeBatch(early);
      if (error instanceof CommitUnknownError) void this.ask(batch, error);
      else if (!isPatient && isTooSlow(error)) this.recordApart(batch);
      else if (batch.length === 1 || isOfAll(error)) fail(batch, error);
      else await this.recordSingly(batch);
      return error;
    }
  }

  /** Records each change by itself after a batch was rolled back, so that only the change at fault fails. */
  private async recordSingly(batch: Waiting<Change, Result>[]): Promise<void> {
    const record = this.recordUntilTooSlow();
    for (const one of batch) await record([one]);
  }

  /** Records each group by itself after a lock held elsewhere stopped a batch; later batches run meanwhile. */
  private recordApart(batch: Waiting<Change, Result>[]): void {
    const record = this.recordUntilTooSlow();
    for (const group of groupsOf(batch, ({ change }) => this.recording.groupOf!(change))) {
      this.count(group, 1);
      void this.apart.execute(async () => {
        this.count(group, -1);
        await record(group);
      });
    }
  }

  /** Records parts of a batch by themselves. After `MAX_SLOW` timeouts in a row the rest gets the error at once. */
  private recordUntilTooSlow(): (part: Waiting<Change, Result>[]) => Promise<void> {
    let slow = 0;
    let lastError: unknown;
    return async (part) => {
      if (slow >= MAX_SLOW) return fail(part, lastError);
      lastError = await this.record(part, true);
      slow = isDatabaseTrouble(lastError) ? slow + 1 : 0;
    };
  }

  /** Looks up the outcome of a commit whose answer was lost, for a while and on other connections. Never throws. */
  private async ask(batch: Waiting<Change, Result>[], lost: CommitUnknownError): Promise<void> {
    for (const endsAt = performance.now() + ASK_FOR_MS; ;) {
      try {
        const found = await this.recording.findRecorded(changesOf(batch));
        for (const [index, one] of batch.entries()) {
          const recorded = found[index];
          if (recorded) one.resolve(recorded.value);
          else one.reject(lost);
        }
        return;
      } catch (error) {
        if (!isDatabaseTrouble(error) || performance.now() > endsAt) return fail(batch, lost);
      }
      await delay(ASK_AGAIN_MS);
    }
  }

  private settle(batch: Waiting<Change, Result>[], outcomes: Outcome<Result>[]): void {
    const putOff: Waiting<Change, Result>[] = [];
    for (const [index, one] of batch.entries()) {
      const outcome = outcomes[index]!;
      if (outcome.status === 'fulfilled') one.resolve(outcome.value);
      else if (outcome.status === 'rejected') one.reject(outcome.reason);
      else putOff.push(one);
    }
    this.count(putOff, 1);
    this.waiting.unshift(...putOff);
    if (!this.isRunning) void this.run();
  }

  private count(changes: Waiting<Change, Result>[], sign: 1 | -1): void {
    this.queued.changes += sign * changes.length;
    this.queued.bytes += sign * changes.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

function changesOf<Change>(batch: { change: Change }[]): Change[] {
  return batch.map(({ change }) => change);
}

function fail(batch: { reject: (reason: unknown) => void }[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

/** Whether an error of a transaction has nothing to do with any one of its changes. */
function isOfAll(error: unknown): boolean {
  return error instanceof TransactionNotBegunError || isConnectionLost(error) || isStorageFull(error);
}

function isDatabaseTrouble(error: unknown): boolean {
  return isTooSlow(error) || isConnectionLost(error);
}
