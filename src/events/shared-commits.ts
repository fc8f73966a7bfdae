import { isConnectionLost, isStorageFull, isTooSlow } from '../database/pg-errors.js';
import { TransactionNotBegunError } from '../database/write-transactions.js';
import { OverloadedError } from '../domain/domain-errors.js';

/** Changes of one transaction: enough that the commit costs each of them little, few enough that it stays short. */
const MAX_BATCH = 200;
/** Changes that may wait for the transaction under way; at a few hundred a transaction they wait a second or two. */
const MAX_WAITING = 2000;
/** So many changes in a row that the database gives up for the time they take speak of the database, not of them. */
const MAX_SLOW = 2;

/**
 * Records a batch of changes in one transaction.
 * @returns how each one ended, in order, once the transaction is committed; a change that is refused leaves no row.
 * @throws the error of the database if the transaction was rolled back as a whole.
 */
export type RecordBatch<Change, Result> = (changes: Change[]) => Promise<PromiseSettledResult<Result>[]>;

interface Waiting<Change, Result> {
  change: Change;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Lets changes that are ready at the same moment share a transaction, and so a commit, which is what limits writes on
 * most disks and with every synchronous replica. A change waits for the transaction under way on this server and goes
 * with the next one, together with all that wait; so one that is alone waits for nobody, and no timer is needed. One
 * connection to the database is in use at a time, however many changes wait.
 */
export class SharedCommits<Change, Result> {
  private waiting: Waiting<Change, Result>[] = [];
  private isRunning = false;

  constructor(private readonly recordBatch: RecordBatch<Change, Result>) {}

  /**
   * Records one change; resolves after its commit.
   * @throws OverloadedError if too many wait already; what `recordBatch` says of this change; the error of the database
   *   if it went away, and then the change may or may not have been recorded.
   */
  async submit(change: Change): Promise<Result> {
    if (this.waiting.length >= MAX_WAITING) {
      throw new OverloadedError('Too many changes wait to be recorded; try again shortly.');
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ change, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      const outcomes = await this.record(batch.map(({ change }) => change));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]!;
        if (outcome.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome.reason);
      }
    }
    this.isRunning = false;
  }

  /** Never throws. */
  private async record(changes: Change[]): Promise<PromiseSettledResult<Result>[]> {
    try {
      return await this.recordBatch(changes);
    } catch (error) {
      const isOfAll = error instanceof TransactionNotBegunError || isConnectionLost(error) || isStorageFull(error);
      if (isOfAll || changes.length === 1) return changes.map(() => failed(error));
      return this.recordSingly(changes);
    }
  }

  /** After a batch was rolled back, perhaps for the sake of one change: that one alone has to fail. */
  private async recordSingly(changes: Change[]): Promise<PromiseSettledResult<Result>[]> {
    const outcomes: PromiseSettledResult<Result>[] = [];
    let slow = 0;
    for (const change of changes) {
      const last = outcomes.at(-1);
      if (slow >= MAX_SLOW) {
        outcomes.push(last!);
        continue;
      }
      const [outcome] = await this.recordBatch([change]).catch((error: unknown) => [failed(error)]);
      outcomes.push(outcome!);
      slow = outcome!.status === 'rejected' && isDatabaseTrouble(outcome!.reason) ? slow + 1 : 0;
    }
    return outcomes;
  }
}

function isDatabaseTrouble(error: unknown): boolean {
  return isTooSlow(error) || isConnectionLost(error);
}

function failed(reason: unknown): PromiseRejectedResult {
  return { status: 'rejected', reason };
}
