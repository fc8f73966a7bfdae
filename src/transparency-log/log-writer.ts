import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from '../database/database.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { RecordKinds } from '../ledger/record-kind.js';
import type { LogIdentity } from './signing/heads/log-identity.js';
import { LogStore } from './signing/heads/log-store.js';
import type { SignedHead } from './signing/heads/signed-head.js';
import { LogSigner } from './signing/log-signer.js';
import { putTimesRight, timeNow } from './signing/recorded-times.js';
import { GrowingTree } from './tree/growing-tree.js';
import { MapWriter } from './tree/map/map-writer.js';
import { ERASURES_AT_ONCE, leavesOf, readNextErasures, readNextRecords } from './tree/records/new-leaves.js';
import { endsWithMap, type TreeState } from './tree/tree-state.js';
import { TreeStore } from './tree/tree-store.js';

/** Records of each kind of one transaction; on the embedded engine all requests wait for it. */
const BATCH = { postgres: 1000, embedded: 200 };
/** Milliseconds that one transaction may take, so that a server that is paused does not keep the lock. */
const BATCH_MS = 20_000;
/**
 * Entries that the map takes in with one batch for each record of a kind that it may have, beside its erasures: with
 * two kinds, more than come.
 */
const MAP_ENTRIES_PER_RECORD = 3;

/** What one batch has brought. */
export interface BatchOutcome {
  state: TreeState;
  /** Entries that were added. */
  added: number;
  /** Whether the next batch is to follow at once. */
  hasMore: boolean;
  /** The newest tree head; null while none was ever signed. */
  head: SignedHead | null;
}

/**
 * Adds what is committed to the tree, kind by kind, then erasures, then the entry that commits to the map over all of
 * them, and has the new tree head signed: all in one transaction, which holds the lock of the log.
 */
@Injectable()
export class LogWriter {
  private readonly limit: number;
  /** Of the next batch. */
  private nextLimit: number;

  constructor(
    private readonly transactions: WriteTransactions,
    private readonly store: LogStore,
    private readonly signer: LogSigner,
    private readonly tree: TreeStore,
    private readonly map: MapWriter,
    private readonly kinds: RecordKinds,
    @Inject(OPEN_DATABASE) database: OpenDatabase,
  ) {
    this.limit = this.nextLimit = BATCH[database.kind];
  }

  /**
   * Makes one batch under the lock of the log; null if another server holds it.
   * @throws LogRefusedError if signing could contradict what was signed before; BrokenFeedError
   */
  async nextBatch(identity: LogIdentity): Promise<BatchOutcome | null> {
    const limit = this.nextLimit;
    // Behind a batch that fails, as where this process is too busy to end it in time, comes a smaller one.
    this.nextLimit = Math.max(1, Math.floor(limit / 2));
    const outcome = await this.transactions.run(
      async (manager) =>
        (await this.store.tryLock(manager)) ? this.addBatch(manager, identity, limit, new Date()) : null,
      { totalMs: BATCH_MS },
    );
    this.nextLimit = outcome ? Math.min(2 * limit, this.limit) : limit;
    return outcome;
  }

  /**
   * Adds up to `limit` records of each kind, in the transaction of `manager`, which holds the lock. The first tree head
   * is signed when all that was there is in the tree; after that each batch is signed. The map follows as far as it can
   * come in one batch: a log that is older than its map is signed without it until it has caught up, and never after
   * that.
   * @param now by the clock of this server
   * @throws LogRefusedError, BrokenFeedError as `nextBatch`
   */
  async addBatch(manager: EntityManager, identity: LogIdentity, limit: number, now: Date): Promise<BatchOutcome> {
    const snapshot = await this.store.snapshot(manager);
    const state = snapshot.state ?? (await this.store.begin(manager, identity.origin, identity.verifierKey));
    await this.signer.assertMaySign(manager, identity, state, snapshot);
    // Recorded first, by itself: what is signed comes when nothing is left of the place that was recorded before.
    if (snapshot.state && (!snapshot.isPlaceRecorded || this.store.isPlaceStale)) {
      await this.store.recordPlace(manager);
      return { state, added: 0, hasMore: true, head: snapshot.head };
    }
    const tree = new GrowingTree(manager, this.tree, this.map, this.kinds, state);
    const records = await readNextRecords(manager, this.kinds, state.last, limit);
    await putTimesRight(manager, records, state.last, { now, isFirstFilling: snapshot.head === null });
    await tree.add(await leavesOf(records));
    await tree.add(await readNextErasures(manager, this.kinds, tree.state.last));

    const { added } = tree;
    const left = snapshot.waiting - added;
    const mapSize = Math.min(tree.state.size, state.mapSize + MAP_ENTRIES_PER_RECORD * limit + ERASURES_AT_ONCE);
    const isMapped = mapSize === tree.state.size;
    // A map that was computed anew gets a new entry: the one that the log ends with may be of a map that was damaged.
    const lacksMap = isMapped && !(added === 0 && endsWithMap(state));
    // Records that wait for their numbers are not taken in by another batch at once.
    const hasMore = (added > 0 && (snapshot.head ? left >= limit : left > 0)) || !isMapped;
    const hasNews = snapshot.head ? tree.state.size > snapshot.head.size || lacksMap : left <= 0;
    const isSigned = hasNews && (isMapped || state.mapIndex === null);
    if (added === 0 && mapSize === state.mapSize && !isSigned) return { state, added, hasMore, head: snapshot.head };

    await tree.takeIntoMap(mapSize);
    if (isSigned && lacksMap) await tree.commitToMap(await timeNow(manager, now));
    const root = await tree.finish();
    const { size, mapTop } = tree.state;
    const head = isSigned ? await this.signer.sign(manager, identity, { size, root }, mapTop) : null;
    return { state: tree.state, added: tree.added, hasMore, head };
  }
}
