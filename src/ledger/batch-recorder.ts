import type { Verification } from '@signet/verify';
import { bulkhead } from 'cockatiel';
import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type { RefusalCounter } from '../bounds/refusal-counter.js';
import { isConnectionLost, isStorageFull, isTooSlow } from '../database/pg-errors.js';
import {
  CommitUnknownError,
  TransactionNotBegunError,
  type WriteOptions,
  type WriteTransactions,
} from '../database/write-transactions.js';
import { groupsOf } from '../domain/lists.js';
import { heldError, holdThatStopped } from '../holds/avatar-holds.js';
import type { EventStore } from '../events/event-store.js';
import { BatchQueue, type Waiting } from './batch-queue.js';
import { judgeBatch } from './judge-batch.js';
import { assertVerifies } from './own-rules.js';
import type { ChainState, SignedItem } from './signed-chain.js';

/** After this many timeouts in a row the database is the cause, not the items. */
const MAX_SLOW = 2;
/** Transactions, beside the one of the batches, of items that wait for a lock held elsewhere. */
const APART_AT_ONCE = 2;
/** Milliseconds for which the outcome of a lost commit is looked up: a standby may have to be promoted meanwhile. */
const ASK_FOR_MS = 10_000;
const ASK_AGAIN_MS = 250;

/** A batch of no more than these is sent without waiting for others. */
const FEW = 4;

type Batch<Item, Result> = Waiting<Item, Result>[];

/**
 * Records the items of one kind of signed chain. A subclass says by what its items are judged, and what is written for
 * those that are accepted; all that chains have in common stands here.
 *
 * Items that are ready at the same moment share a transaction, and so a commit, which is what limits writes on most
 * disks and with every synchronous replica. An item waits for the transaction under way on this server and joins the
 * next one, together with all others that wait. A single item does not wait, and no timer is needed. One connection to
 * the database is in use at a time, however many items wait, and a few more where locks are held elsewhere.
 */
export abstract class BatchRecorder<
  Item extends SignedItem,
  State extends ChainState,
  Accepted,
  Result,
  Shared = undefined,
> {
  /** The table of the chain; see `SignedChain`. */
  protected abstract readonly table: string;

  /**
   * One lock under which all records of this kind are written, or a statement that takes the locks of the chains of
   * some items only. Every transaction takes it first.
   */
  protected abstract readonly lock: number | ((items: Item[]) => string);

  /** With locks by chain: milliseconds for which a batch waits for them before its Avatars are recorded apart. */
  protected readonly batchLockMs?: number;

  /** Whether `begin` and `readStates` may be sent before the lock is held: not where `begin` takes locks too. */
  protected readonly readsAhead: boolean = true;

  private readonly queue: BatchQueue<Item, Result>;
  private readonly apart = bulkhead(APART_AT_ONCE, Infinity);
  private isRunning = false;
  /** Items of the batch that was recorded last. */
  private lastLength = 0;

  constructor(
    private readonly events: Pick<EventStore, 'transaction'>,
    private readonly transactions: Pick<WriteTransactions, 'findCommitted'>,
    refusals: RefusalCounter,
  ) {
    this.queue = new BatchQueue(refusals);
  }

  /**
   * What the rules of `@signet/verify` say of an item behind the one that it was signed on. What the chain alone can
   * tell (whether a binding or a uuid is there already) is not asked: that is read under the lock.
   */
  protected abstract verify(item: Item): Verification;

  /** Bytes of an item, roughly. */
  protected abstract bytesOf(item: Item): number;

  /** Takes further locks that all rounds of a batch need, and reads what is the same for all of them. */
  protected abstract begin(manager: EntityManager, items: Item[]): Promise<Shared>;

  /**
   * What the database holds that decides about each item, in order. It may end early, after the first item or later:
   * the items behind that are recorded by the next batch.
   */
  protected abstract readStates(manager: EntityManager, items: Item[], shared: Shared): Promise<State[]>;

  /**
   * The rules of this kind for an item that is the next one of its chain: what to write, or why it is refused.
   * @param before how many items of this round were accepted before it
   */
  protected abstract accept(item: Item, state: State, before: number): Accepted | Error;

  /**
   * Writes the accepted items of one round with all that follows; returns what each caller gets, in order. All its
   * statements are sent before it waits for any of them: the commit may follow at once.
   */
  protected abstract write(manager: EntityManager, accepted: Accepted[], shared: Shared): Promise<Result[]>;

  /** What the caller gets for an item that turned out to be recorded after the answer to its commit was lost. */
  protected abstract findResult(item: Item): Promise<Result>;

  /**
   * Adds an item to its chain, with all that follows from it; resolves after the commit. An item that would not verify
   * is not recorded.
   * @throws AlreadyRecordedError, StaleChainError; what the rules of the kind refuse it with; OverloadedError if too
   *   many wait already; PayloadExpiredError, InvalidRequestError (`does_not_verify`); the error of the database if it
   *   went away and the outcome could not be looked up
   */
  async record(item: Item): Promise<Result> {
    assertVerifies(this.verify(item));
    return new Promise((resolve, reject) => {
      this.queue.add({ item, bytes: this.bytesOf(item), resolve, reject });
      this.wake();
    });
  }

  private wake(): void {
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (!this.queue.isEmpty) await this.recordBatch(null, typeof this.lock === 'number');
    this.isRunning = false;
  }

  /**
   * Records a batch in one transaction: it takes the lock and reads the states in one round trip to the database,
   * judges the items, and writes the accepted ones and commits in another. An item that follows another one of the same
   * batch is judged in a further round.
   * @param given what to record; null: the next ones that wait
   * @param isPatient whether the transaction waits for locks as long as an item may take
   * @returns the error with which the transaction ended, or null. Never throws.
   */
  private async recordBatch(given: Batch<Item, Result> | null, isPatient: boolean): Promise<unknown> {
    const early = this.queue.nextLength;
    // Items that arrive until one lock for all is asked for join the batch. Locks by chain need the items first.
    let batch = given ?? (typeof this.lock === 'number' ? null : this.queue.take());
    // Where many are at work, those that are nearly done join while the begin is awaited: batches cost the database.
    const readsAhead = this.readsAhead && (batch !== null || this.lastLength <= FEW);
    const options = { ...this.lockFor(itemsOf(batch ?? [])), readsAhead };
    if (!isPatient && this.batchLockMs !== undefined) options.lockMs = this.batchLockMs;
    const ends = new Map<Waiting<Item, Result>, () => void>();
    try {
      await this.events.transaction(async (manager, { begun, commitBehind }) => {
        batch ??= this.queue.take();
        let [shared, states] = await this.readAll(manager, itemsOf(batch));
        if (!(await begun())) {
          // Items that arrived while another server had the lock join the batch.
          if (!given) batch = this.takeAgain(batch);
          [shared, states] = await this.readAll(manager, itemsOf(batch));
        }
        for (let open = batch; open.length > 0;) {
          const round = open;
          const { accepted, refused, later } = judgeBatch(itemsOf(round), states, (item, state, before) =>
            this.accept(item, state, before),
          );
          const writing = accepted.size > 0 ? this.write(manager, [...accepted.values()], shared) : Promise.resolve([]);
          const results = await (later.length > 0 ? writing : commitBehind(writing));
          for (const [place, index] of [...accepted.keys()].entries()) {
            ends.set(round[index]!, () => round[index]!.resolve(results[place]!));
          }
          for (const [index, reason] of refused) ends.set(round[index]!, () => round[index]!.reject(reason));
          open = later.map((index) => round[index]!);
          if (open.length > 0) states = await this.readStates(manager, itemsOf(open), shared);
        }
      }, options);
    } catch (error) {
      // The transaction did not begin: the items that waited for it from the start get the error.
      await this.afterFailure((batch ??= this.queue.take(early)), error, isPatient);
      return error;
    }
    this.lastLength = batch!.length;
    for (const end of ends.values()) end();
    this.putBack(batch!.filter((one) => !ends.has(one)));
    return null;
  }

  private async readAll(manager: EntityManager, items: Item[]): Promise<[Shared, State[]]> {
    const shared = await this.begin(manager, items);
    return [shared, await this.readStates(manager, items, shared)];
  }

  /** Takes the items of a batch that is not judged yet together with those that have come since. */
  private takeAgain(batch: Batch<Item, Result>): Batch<Item, Result> {
    this.queue.putBack(batch);
    return this.queue.take();
  }

  /** Items that the batch had no room for go first in the next one. */
  private putBack(batch: Batch<Item, Result>): void {
    this.queue.putBack(batch);
    this.wake();
  }

  private async afterFailure(batch: Batch<Item, Result>, error: unknown, isPatient: boolean): Promise<void> {
    if (error instanceof CommitUnknownError) void this.findOutcome(batch, error);
    else if (!isPatient && isTooSlow(error)) this.recordApart(batch);
    else if (batch.length === 1 || isOfAll(error)) fail(batch, error);
    else await this.recordSingly(batch);
  }

  /** Records each item by itself after a batch was rolled back, so that only the item at fault fails. */
  private async recordSingly(batch: Batch<Item, Result>): Promise<void> {
    const record = this.recordUntilTooSlow();
    for (const one of batch) await record([one]);
  }

  /** Records the items of each Avatar apart after a lock held elsewhere stopped a batch; batches go on meanwhile. */
  private recordApart(batch: Batch<Item, Result>): void {
    const record = this.recordUntilTooSlow();
    for (const group of groupsOf(batch, ({ item }) => item.avatar.compressed)) {
      this.queue.hold(group);
      void this.apart.execute(async () => {
        this.queue.release(group);
        await record(group);
      });
    }
  }

  /** Records parts of a batch by themselves. After `MAX_SLOW` timeouts in a row the rest gets the error at once. */
  private recordUntilTooSlow(): (part: Batch<Item, Result>) => Promise<void> {
    let slow = 0;
    let lastError: unknown;
    return async (part) => {
      if (slow >= MAX_SLOW) return fail(part, lastError);
      lastError = await this.recordBatch(part, true);
      slow = isDatabaseTrouble(lastError) ? slow + 1 : 0;
    };
  }

  /** Looks up the outcome of a commit whose answer was lost, for a while and on other connections. Never throws. */
  private async findOutcome(batch: Batch<Item, Result>, lost: CommitUnknownError): Promise<void> {
    for (const endsAt = performance.now() + ASK_FOR_MS; ;) {
      try {
        const found = await this.findRecorded(itemsOf(batch));
        for (const one of batch) {
          const recorded = found.get(one.item);
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

  /** Under the locks that the transaction in question held to its end. */
  private async findRecorded(items: Item[]): Promise<Map<Item, { value: Result }>> {
    const uuids = items.map(({ uuid }) => uuid);
    const sql = `select uuid from ${this.table} where uuid = any($1::uuid[])`;
    const recorded = await this.transactions.findCommitted(sql, uuids, this.lockFor(items));
    const found = new Map<Item, { value: Result }>();
    for (const item of items) {
      if (recorded.has(item.uuid)) found.set(item, { value: await this.findResult(item) });
    }
    return found;
  }

  private lockFor(items: Item[]): WriteOptions {
    return typeof this.lock === 'number' ? { lock: this.lock } : { lockSql: this.lock(items) };
  }
}

function itemsOf<Item>(batch: { item: Item }[]): Item[] {
  return batch.map(({ item }) => item);
}

/** The trigger of the database refuses what a clock or a server of an older version let through. */
function fail(batch: { reject: (reason: unknown) => void }[], error: unknown): void {
  const hold = holdThatStopped(error);
  for (const { reject } of batch) reject(hold ? heldError(hold) : error);
}

/** Whether an error of a transaction has nothing to do with any one of its items. */
function isOfAll(error: unknown): boolean {
  return error instanceof TransactionNotBegunError || isConnectionLost(error) || isStorageFull(error);
}

function isDatabaseTrouble(error: unknown): boolean {
  return isTooSlow(error) || isConnectionLost(error);
}
