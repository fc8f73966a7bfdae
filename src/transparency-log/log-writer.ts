import { appendLeaves, erasedEntry, leafHash, type ReadTiles } from '@signet/verify/log';
import { writeMapEntry } from '@signet/verify/map';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Turns } from '../concurrency/turns.js';
import { sha256 } from '../crypto/hashing.js';
import { unixSeconds } from '../domain/unix-time.js';
import { erasureOf, type Recorded, type RecordKind, RecordKinds } from '../ledger/record-kind.js';
import { LogHeads } from './signing/heads/log-heads.js';
import type { LogIdentity } from './signing/heads/log-identity.js';
import { LogRefusedError } from './signing/heads/log-errors.js';
import {
  endsWithMap,
  isWhole,
  lacksRecords,
  type LogState,
  type LogSnapshot,
  type RecordNumbers,
} from './signing/heads/log-snapshot.js';
import { HeadStore } from './signing/heads/head-store.js';
import { LogStore, type NewLeaf } from './signing/heads/log-store.js';
import { MapWriter } from './tree/map/map-writer.js';
import { readErased, readErasures } from './tree/records/erasure-rows.js';
import { entryOf } from './tree/records/feed-records.js';
import { behindWitnesses, correctTimes, likelyNow, readTimeBounds } from './signing/recorded-times.js';
import type { SignedHead } from './signing/heads/signed-head.js';
import { WitnessStore } from './signing/witnesses/witness-store.js';

/** Bytes of long texts that one batch reads of each feed; more come with the next one. */
const MAX_BATCH_BYTES = 4_000_000;

/** Erasures that one batch takes in at most. */
const ERASURES_AT_ONCE = 100;
/**
 * Entries that the map takes in with one batch for each record of a kind that it may have, beside its erasures: with
 * two kinds, more than come.
 */
const MAP_ENTRIES_PER_RECORD = 3;

const NOT_WHOLE =
  'The rows of log_feed are not those of log_state: one of these tables was put back without the other. ' +
  'Put both back as they were, or begin a new log: npm run log -- new-origin "<reason>".';

/** What one batch has brought. */
export interface BatchOutcome {
  state: LogState;
  /** Entries that were added. */
  added: number;
  /** Whether the next batch is to follow at once. */
  hasMore: boolean;
  /** The newest tree head; null while none was ever signed. */
  head: SignedHead | null;
}

/** A leaf with its hash. */
interface HashedLeaf extends NewLeaf {
  hash: Uint8Array;
  /** UNIX seconds of the entry. */
  recordedAt: number;
}

/**
 * Adds what is committed to the tree, kind by kind, then erasures, then the entry that commits to the map over all of
 * them, and signs the new tree head: all in the transaction of the caller, which holds the lock of the log.
 */
@Injectable()
export class LogWriter {
  private readonly logger = new Logger('Log');

  constructor(
    private readonly store: LogStore,
    private readonly signed: HeadStore,
    private readonly heads: LogHeads,
    private readonly witnesses: WitnessStore,
    private readonly map: MapWriter,
    private readonly kinds: RecordKinds,
  ) {}

  /**
   * One batch of up to `limit` records of each kind. The first tree head is signed when all that was there is in
   * the tree; after that each batch is signed. The map follows as far as it can come in one batch: a log that is older
   * than its map is signed without it until it has caught up, and never after that.
   * @param now by the clock of this server
   * @throws LogRefusedError if signing could contradict what was signed before.
   */
  async addBatch(manager: EntityManager, identity: LogIdentity, limit: number, now: Date): Promise<BatchOutcome> {
    const snapshot = await this.store.snapshot(manager);
    const state = snapshot.state ?? (await this.store.begin(manager, identity.origin, identity.verifierKey));
    await this.assertUnbroken(manager, identity, state, snapshot);
    // Recorded first, by itself: what is signed comes when nothing is left of the place that was recorded before.
    if (snapshot.state && (!snapshot.isPlaceRecorded || this.store.isPlaceStale)) {
      await this.store.recordPlace(manager);
      return { state, added: 0, hasMore: true, head: snapshot.head };
    }
    const last = { ...state.last };
    const leaves = await this.nextLeaves(manager, last, limit, { now, isFirstFilling: snapshot.head === null });
    leaves.push(...(await this.nextErasures(manager, last)));
    const next = { ...state, last, size: state.size + leaves.length };
    next.mapSize = Math.min(next.size, state.mapSize + MAP_ENTRIES_PER_RECORD * limit + ERASURES_AT_ONCE);

    const left = snapshot.waiting - leaves.length;
    const isMapped = next.mapSize === next.size;
    // A map that was computed anew gets a new entry: the one that the log ends with may be of a map that was damaged.
    const lacksMap = isMapped && !(leaves.length === 0 && endsWithMap(state));
    // Records that wait for their numbers are not taken in by another batch at once.
    const hasMore = (leaves.length > 0 && (snapshot.head ? left >= limit : left > 0)) || !isMapped;
    const hasNews = snapshot.head ? next.size > snapshot.head.size || lacksMap : left <= 0;
    const isSigned = hasNews && (isMapped || state.mapIndex === null);
    if (next.size === state.size && next.mapSize === state.mapSize && !isSigned) {
      return { state, added: 0, hasMore, head: snapshot.head };
    }

    if (leaves.length > 0) await this.store.addLeaves(manager, state.size, leaves);
    // While the map is computed, at first or anew, nothing is answered from it.
    const isShown = state.mapIndex !== null && state.mapSize === state.size;
    const map = await this.map.takeIn(manager, state.mapTop, [state.mapSize, next.mapSize], isShown);
    next.mapTop = map.top;
    if (isSigned && lacksMap) {
      const leaf = await this.mapLeaf(manager, next, map.root, { leaves, now });
      await this.store.addLeaves(manager, next.size, [leaf]);
      leaves.push(leaf);
      next.last.map += 1;
      next.mapIndex = next.size;
      next.size += 1;
      next.mapSize = next.size;
    }
    const hashes = leaves.map(({ hash }) => hash);
    const readTiles: ReadTiles = (wanted) => this.store.readTiles(wanted, manager);
    const { size, root, tiles } = await appendLeaves(state.size, hashes, readTiles, sha256);
    await this.store.advance(manager, state.size, tiles, next);
    if (isSigned) this.heads.willSign({ size, root });
    const note = isSigned && identity.sign({ size, root });
    const head = note ? await this.signed.add(manager, { size, root, note }, next.mapTop) : null;
    return { state: next, added: leaves.length, hasMore, head };
  }

  /** The entry that commits to the map over all entries before it; never older than one of them. */
  private async mapLeaf(
    manager: EntityManager,
    { size, mapIndex }: LogState,
    root: Uint8Array,
    { leaves, now }: { leaves: HashedLeaf[]; now: Date },
  ): Promise<HashedLeaf> {
    const before = mapIndex === null ? 0 : await this.store.recordedAt(manager, mapIndex);
    const at = likelyNow(await readTimeBounds(manager), unixSeconds(now));
    const recordedAt = Math.max(at, before, ...leaves.map((leaf) => leaf.recordedAt));
    const entry = writeMapEntry({ recorded_at: recordedAt, root: Buffer.from(root).toString('hex'), size });
    return leafOf('map', size, recordedAt, entry);
  }

  /** @throws LogRefusedError */
  private async assertUnbroken(
    manager: EntityManager,
    { origin, verifierKey }: LogIdentity,
    state: LogState,
    snapshot: LogSnapshot,
  ): Promise<void> {
    if (state.refusal !== '') throw new LogRefusedError(state.refusal, false);
    if (state.origin !== origin || state.verifierKey !== verifierKey) {
      throw new LogRefusedError(
        `The tree in the database is signed as ${state.verifierKey}, and this server would sign as ${verifierKey}: ` +
          'set LOG_KEY and LOG_ORIGIN as they were, or begin a new origin.',
        false,
      );
    }
    if (lacksRecords(snapshot)) {
      throw new LogRefusedError('Records or erasures that are in the log are no longer in the database.', true);
    }
    if (!isWhole(state)) throw new LogRefusedError(NOT_WHOLE, false);
    await this.heads.assertUnbroken(snapshot, manager);
    await this.witnesses.assertNoClaim(origin, manager);
  }

  /**
   * The leaves of the next records, up to which `last` goes on.
   * @throws LogRefusedError if a feed has a hole
   */
  private async nextLeaves(
    manager: EntityManager,
    last: RecordNumbers,
    limit: number,
    clock: { now: Date; isFirstFilling: boolean },
  ): Promise<HashedLeaf[]> {
    const records = new Map<RecordKind, Recorded[]>();
    for (const kind of this.kinds) {
      const rows = await kind.feed.readIn(manager, last[kind.name]!, limit, MAX_BATCH_BYTES);
      assertGapless(kind, last[kind.name]!, rows);
      if (rows.length > 0) records.set(kind, rows);
    }
    if (records.size > 0) await this.correctTimes(manager, last, records, clock);
    const leaves: HashedLeaf[] = [];
    const turns = new Turns();
    for (const [kind, rows] of records) {
      for (const row of rows) {
        await turns.next();
        leaves.push(leafOf(kind.name, row.id, unixSeconds(row.recordedAt), entryOf(kind, row)));
        last[kind.name] = row.id;
      }
    }
    return leaves;
  }

  /** Puts right the times of what is added, in the database too: `npm run log -- check` compares it with the entry. */
  private async correctTimes(
    manager: EntityManager,
    last: RecordNumbers,
    records: Map<RecordKind, Recorded[]>,
    { now: serverNow, isFirstFilling }: { now: Date; isFirstFilling: boolean },
  ): Promise<void> {
    const lastOf = [...records.keys()].map(({ name }) => [name, last[name]!] as const);
    const bounds = await readTimeBounds(manager, Object.fromEntries(lastOf));
    const now = likelyNow(bounds, serverNow.getTime() / 1000);
    const known = { now, leastNow: behindWitnesses(bounds, now), isFirstFilling };
    for (const [kind, rows] of records) {
      const corrected = correctTimes(rows, bounds.lastAt[kind.name] ?? null, known);
      const [first, ...others] = corrected;
      if (!first) continue;
      await kind.feed.setTimes(manager, corrected);
      const more = others.length === 0 ? '' : `, and ${others.length} more ${kind.list}`;
      this.logger.warn(
        `The database said that ${kind.item} ${first.id} was recorded at ${first.was.toISOString()}, which contradicts its clocks, ` +
          `the entries before it or a witness: its entry says ${first.recordedAt.toISOString()}${more}. Was a clock stepped?`,
      );
    }
  }
  /**
   * Leaves of the next erasures, as far as the records themselves are in the tree; `last` goes on up to them.
   * @throws LogRefusedError if there is an erasure of what is not erased
   */
  private async nextErasures(manager: EntityManager, last: RecordNumbers): Promise<HashedLeaf[]> {
    const leaves: HashedLeaf[] = [];
    for (const row of await readErasures(manager, last.erasure, ERASURES_AT_ONCE)) {
      const { id, kind: name, recordId } = row;
      if (recordId > (last[name] ?? 0)) break;
      const erased = id === last.erasure + 1 ? await readErased(manager, this.kinds, row) : null;
      if (!erased) throw new LogRefusedError(`Erasure ${id} does not fit to what the database shows as erased.`, true);
      const { kind, record } = erased;
      leaves.push(leafOf(erasureOf(name), recordId, record.erased.at, erasedEntry(kind, record, sha256)));
      last.erasure = id;
    }
    return leaves;
  }
}

function leafOf(kind: NewLeaf['kind'], recordId: number, recordedAt: number, entry: string): HashedLeaf {
  return { kind, recordId, recordedAt, entry, hash: leafHash(Buffer.from(entry), sha256) };
}

/** @throws LogRefusedError */
function assertGapless({ list }: RecordKind, lastId: number, records: Recorded[]): void {
  const gap = records.findIndex(({ id }, index) => id !== lastId + 1 + index);
  if (gap < 0) return;
  throw new LogRefusedError(`The feed of ${list} has no ${lastId + 1 + gap}, but later ones.`, true);
}
