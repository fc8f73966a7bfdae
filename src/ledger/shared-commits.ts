import { bulkhead } from 'cockatiel';
import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLost, isStorageFull, isTooSlow } from '../database/pg-errors.js';
import { CommitUnknownError, TransactionNotBegunError } from '../database/write-transactions.js';
import { OverloadedError } from '../domain/domain-errors.js';

/** Changes of one transaction: enough that the commit costs each of them little, few enough that it stays short. */
const MAX_BATCH = 200;
/** Bytes of the changes of one transaction, where there is more than one: some ten milliseconds of this process. */
const MAX_BATCH_BYTES = 1_000_000;
/** Changes that may wait for the transaction under way; at a few hundred a transaction they wait a second or two. */
const MAX_WAITING = 2000;
/** Bytes of them. */
const MAX_WAITING_BYTES = 32_000_000;
/** So many changes in a row that the database gives up for the time they take speak of the database, not of them. */
const MAX_SLOW = 2;
/** Transactions, beside the one of the batches, of changes that wait for somebody else's lock. */
const APART_AT_ONCE = 2;
/** Milliseconds for which a commit whose answer was lost is asked for: a standby may have to be promoted meanwhile. */
const ASK_FOR_MS = 10_000;
const ASK_AGAIN_MS = 250;

/** This change was not recorded and goes first in the next batch, because this one has grown enough. */
export const NEXT_BATCH = { status: 'next batch' } as const;

export type Outcome<Result> = PromiseSettledResult<Result> | typeof NEXT_BATCH;

/** How changes of one kind are recorded. */
export interface Recording<Change, Result> {
  /**
   * Records changes in one transaction.
   * @param take answers the changes, once: what comes until it is called goes along, so it is called as late as can be,
   *   where all changes are under one lock behind that.
   * @param isPatient whether the transaction waits for locks as long as a change may take. A batch of changes with
   *   groups waits for a moment only.
   * @returns how each one ended, in order, once the transaction is committed; a change that is refused leaves no row.
   *   The first one is never put off to the next batch.
   * @throws TransactionNotBegunError, CommitUnknownError, or the error of the database if the transaction was rolled
   *   back as a whole.
   */
  record(take: () => Change[], isPatient: boolean): Promise<Outcome<Result>[]>;

  /**
   * What became of changes whose commit got no answer, asked behind whatever locks that transaction held, so that it
   * has ended: the results of those that are recorded, null for the others.
   * @throws CommitUnknownError if a standby has not confirmed what this server holds.
   */
  findRecorded(changes: Change[]): Promise<({ value: Result } | null)[]>;

  /** Bytes of a change, roughly. */
  bytesOf(change: Change): number;

  /**
   * Changes of different groups share no lock. Where somebody holds the lock of one group, the groups of that batch are
   * recorded by transactions of their own. Absent where all changes are under one lock.
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
 * most disks and with every synchronous replica. A change waits for the transaction under way on this server and goes
 * with the next one, together with all that wait; so one that is alone waits for nobody, and no timer is needed. One
 * connection to the database is in use at a time, however many changes wait, and a few more where others hold locks.
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
   * @throws OverloadedError if too many wait already; what `record` says of this change; the error of the database if
   *   it went away and nobody could be asked whether the change was recorded before.
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
   * Answers the error that the transaction ended with, or null. Never throws.
   * @param given what to record; null: the next ones that wait.
   */
  private async record(given: Waiting<Change, Result>[] | null, isPatient: boolean): Promise<unknown> {
    const early = Math.min(this.waiting.length, MAX_BATCH);
    let batch = given;
    const take = () => changesOf((batch ??= this.takeBatch()));
    try {
      const outcomes = await this.recording.record(take, isPatient);
      this.settle(batch!, outcomes);
      return null;
    } catch (error) {
      // The transaction did not begin: that is told to those who waited for it all the time.
      batch ??= this.takeBatch(early);
      if (error instanceof CommitUnknownError) void this.ask(batch, error);
      else if (!isPatient && isTooSlow(error)) this.recordApart(batch);
      else if (batch.length === 1 || isOfAll(error)) fail(batch, error);
      else await this.recordSingly(batch);
      return error;
    }
  }

  /** After a batch was rolled back, perhaps for the sake of one change: that one alone has to fail. */
  private async recordSingly(batch: Waiting<Change, Result>[]): Promise<void> {
    const patience = new Patience();
    for (const one of batch) {
      if (patience.isOver) fail([one], patience.lastError);
      else patience.note(await this.record([one], true));
    }
  }

  /** After somebody else's lock was in the way of a batch; beside the batches that follow, which may be faster. */
  private recordApart(batch: Waiting<Change, Result>[]): void {
    const patience = new Patience();
    for (const group of this.groupsOf(batch)) {
      this.count(group, 1);
      void this.apart.execute(async () => {
        this.count(group, -1);
        if (patience.isOver) fail(group, patience.lastError);
        else patience.note(await this.record(group, true));
      });
    }
  }

  private groupsOf(batch: Waiting<Change, Result>[]): Waiting<Change, Result>[][] {
    const groups = new Map<string, Waiting<Change, Result>[]>();
    for (const one of batch) {
      const name = this.recording.groupOf!(one.change);
      const group = groups.get(name);
      if (group) group.push(one);
      else groups.set(name, [one]);
    }
    return [...groups.values()];
  }

  /** After the answer to a commit was lost: asks for a while, on other connections, what became of it. Never throws. */
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

/** How often in a row the database gave up. */
class Patience {
  private slow = 0;
  lastError: unknown;

  get isOver(): boolean {
    return this.slow >= MAX_SLOW;
  }

  /** @param error of the last try, or null */
  note(error: unknown): void {
    this.slow = isDatabaseTrouble(error) ? this.slow + 1 : 0;
    this.lastError = error;
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
