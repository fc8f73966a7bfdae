import type { Verification } from '@signet/verify';
import type { EntityManager } from 'typeorm';
import type { WriteOptions, WriteTransactions } from '../database/write-transactions.js';
import { AlreadyRecordedError, StaleChainError } from '../domain/domain-errors.js';
import type { EventStore } from '../events/event-store.js';
import { assertVerifies } from './own-rules.js';
import { NEXT_BATCH, type Outcome, SharedCommits } from './shared-commits.js';
import type { ChainState, SignedItem } from './signed-chain.js';

/**
 * A kind of signed chain: what its records are judged by, and what is written for those that are accepted. Everything
 * that all chains have in common stands in `BatchRecorder`.
 */
export interface ChainKind<Item extends SignedItem, State extends ChainState, Accepted, Result, Context = void> {
  /** The table of the chain; see `SignedChain`. */
  table: string;

  /**
   * One lock under which all records of this kind are written, or a statement that takes the locks of the chains of
   * some items only. Every transaction takes it first.
   */
  lock: number | ((items: Item[]) => string);

  /** With locks by chain: milliseconds for which a batch waits for them before its Avatars are recorded apart. */
  batchLockMs?: number;

  /**
   * What the rules of `@signet/verify` say of an item behind the one that it was signed on. What the chain alone can
   * tell (whether a binding or a uuid is there already) is not asked: that is read under the lock.
   */
  verify(item: Item): Verification;

  /** Bytes of an item, roughly. */
  bytesOf(item: Item): number;

  /** Takes further locks that all rounds of a batch need, and reads what is the same for all of them. */
  begin(manager: EntityManager, items: Item[]): Promise<Context>;

  /**
   * What the database holds that decides about each item, in order. It may end early, after the first item or later:
   * the items behind that are recorded by the next batch.
   */
  readStates(manager: EntityManager, items: Item[], context: Context): Promise<State[]>;

  /**
   * The rules of this kind for an item that is the next one of its chain: what to write, or why it is refused.
   * @param before how many items of this round were accepted before it
   */
  accept(item: Item, state: State, before: number): Accepted | Error;

  /** Writes the accepted items of one round with all that follows from them. */
  write(manager: EntityManager, accepted: Accepted[], context: Context): Promise<void>;

  /** What the caller gets for an item that was accepted now. */
  resultOf(accepted: Accepted): Result;

  /** What the caller gets for an item that turned out to be recorded after the answer to its commit was lost. */
  findResult(item: Item): Promise<Result>;
}

/**
 * Records the items of one kind of chain, many in one transaction: takes the lock, reads the states, judges the items,
 * writes the accepted ones. An item that follows another one of the same batch is judged in a further round.
 */
export class BatchRecorder<Item extends SignedItem, State extends ChainState, Accepted, Result, Context = void> {
  private readonly commits: SharedCommits<Item, Result>;

  constructor(
    private readonly events: EventStore,
    private readonly transactions: WriteTransactions,
    private readonly kind: ChainKind<Item, State, Accepted, Result, Context>,
  ) {
    this.commits = new SharedCommits({
      record: (takeItems, isPatient) => this.recordBatch(takeItems, isPatient),
      findRecorded: (items) => this.findRecorded(items),
      bytesOf: (item) => kind.bytesOf(item),
      ...(typeof kind.lock === 'function' && { groupOf: ({ avatar }: Item) => avatar.compressed }),
    });
  }

  /**
   * Adds an item to its chain, with all that follows from it; resolves after the commit. An item that would not verify
   * is not recorded.
   * @throws AlreadyRecordedError, StaleChainError; what the rules of the kind refuse it with; OverloadedError;
   *   PayloadExpiredError, InvalidRequestError (`does_not_verify`)
   */
  async record(item: Item): Promise<Result> {
    assertVerifies(this.kind.verify(item));
    return this.commits.submit(item);
  }

  private async recordBatch(takeItems: () => Item[], isPatient: boolean): Promise<Outcome<Result>[]> {
    // Items that arrive while one lock for all is awaited join the batch. Locks by chain need the items first.
    const known = typeof this.kind.lock === 'function' ? takeItems() : null;
    const { batchLockMs } = this.kind;
    const wait = !isPatient && batchLockMs !== undefined ? { lockMs: batchLockMs } : {};
    let outcomes: Outcome<Result>[] = [];
    await this.events.transaction(
      async (manager) => {
        outcomes = await this.recordRounds(manager, known ?? takeItems());
      },
      { ...this.lockFor(known ?? []), ...wait },
    );
    return outcomes;
  }

  private async recordRounds(manager: EntityManager, items: Item[]): Promise<Outcome<Result>[]> {
    const outcomes: Outcome<Result>[] = items.map(() => NEXT_BATCH);
    const context = await this.kind.begin(manager, items);
    for (let open = [...items.keys()]; open.length > 0;) {
      const round = open.map((index) => items[index]!);
      const states = await this.kind.readStates(manager, round, context);
      const { accepted, refused, later } = judgeBatch(round.slice(0, states.length), states, (item, state, before) =>
        this.kind.accept(item, state, before),
      );
      if (accepted.size > 0) await this.kind.write(manager, [...accepted.values()], context);
      for (const [index, one] of accepted) {
        outcomes[open[index]!] = { status: 'fulfilled', value: this.kind.resultOf(one) };
      }
      for (const [index, reason] of refused) outcomes[open[index]!] = { status: 'rejected', reason };
      open = later.map((index) => open[index]!);
    }
    return outcomes;
  }

  /** Under the locks that the transaction in question held to its end. */
  private async findRecorded(items: Item[]): Promise<({ value: Result } | null)[]> {
    const uuids = items.map(({ uuid }) => uuid);
    const sql = `select uuid from ${this.kind.table} where uuid = any($1::uuid[])`;
    const recorded = await this.transactions.findCommitted(sql, uuids, this.lockFor(items));
    const found: ({ value: Result } | null)[] = [];
    for (const item of items) {
      found.push(recorded.has(item.uuid) ? { value: await this.kind.findResult(item) } : null);
    }
    return found;
  }

  private lockFor(items: Item[]): WriteOptions {
    const { lock } = this.kind;
    return typeof lock === 'function' ? { lockSql: lock(items) } : { lock };
  }
}

/** The decisions about the items of one round, by their indexes. */
export interface Judgement<Accepted> {
  accepted: Map<number, Accepted>;
  refused: Map<number, Error>;
  /** Items that follow an item of this very round, to be judged again when that one is written. */
  later: number[];
}

/**
 * Decides about items that come at the same moment, in the order in which they came, as if each had a transaction of
 * its own: first whether each is the next one of its chain, then by `accept`.
 * @param states what the database holds before any of these items
 */
export function judgeBatch<Item extends SignedItem, State extends ChainState, Accepted>(
  items: Item[],
  states: State[],
  accept: (item: Item, state: State, before: number) => Accepted | Error,
): Judgement<Accepted> {
  const judgement: Judgement<Accepted> = { accepted: new Map(), refused: new Map(), later: [] };
  const heads = new Map<string, string>();
  const uuids = new Set<string>();
  for (const [index, item] of items.entries()) {
    const { avatar, uuid, previous, signature } = item;
    const state = states[index]!;
    const newHead = heads.get(avatar.compressed);
    if (state.isRecorded || uuids.has(uuid)) judgement.refused.set(index, new AlreadyRecordedError(uuid));
    else if (newHead === previous) judgement.later.push(index);
    // Before the rules of the kind: what they would refuse may have been right on the head it was signed on.
    else if (newHead !== undefined || state.head !== previous) judgement.refused.set(index, new StaleChainError());
    else {
      const outcome = accept(item, state, judgement.accepted.size);
      if (outcome instanceof Error) judgement.refused.set(index, outcome);
      else {
        judgement.accepted.set(index, outcome);
        heads.set(avatar.compressed, signature);
        uuids.add(uuid);
      }
    }
  }
  return judgement;
}
