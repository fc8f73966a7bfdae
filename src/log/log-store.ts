import type { Tile, TileHashes } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { parseBigint } from '../database/bigint-column.js';
import { readRows } from '../database/prepared.js';
import { readBundles } from './stored-bundles.js';

/** What kind of record an entry is about, as the entry names it. */
export type RecordKind = 'link' | 'kv';

/** How far the tree has come, and as what it is signed. */
export interface LogState {
  origin: string;
  verifierKey: string;
  /** Leaves, signed or not. */
  size: number;
  /** The last link and the last patch that are in it, by their numbers in their feeds. */
  lastLinkId: number;
  lastPatchId: number;
  /** Why nothing is signed any more; empty if all is well. */
  refusal: string;
}

/** A tree head that was signed. */
export interface SignedHead {
  size: number;
  /** 32 bytes. */
  root: Uint8Array;
  /** The signed note, with the signature of the log alone. */
  note: string;
  signedAt: Date;
}

/** A leaf on its way into the tree. */
export interface NewLeaf {
  kind: RecordKind;
  /** The number of the record in its feed. */
  recordId: number;
  /** Canonical JSON. */
  entry: string;
}

/** What one batch adds. */
export interface Batch {
  leaves: NewLeaf[];
  /** Each tile that is new or has grown, whole. */
  tiles: TileHashes[];
  /** The state behind it. */
  state: Omit<LogState, 'refusal' | 'origin' | 'verifierKey'>;
}

/** What there is to do, and how things stand; for all servers, at a small price. */
export interface Outlook {
  /** Null before the first batch. */
  state: LogState | null;
  /** The newest tree head; null before the first. */
  head: SignedHead | null;
  /** Milliseconds since it was signed, by the clock of the database. */
  headAgeMs: number;
  /** The newest numbers of both feeds. */
  newestLinkId: number;
  newestPatchId: number;
  /** Records that are not in the tree. Patches that have no number yet are among them, up to `MAX_COUNTED`. */
  waiting: number;
}

/** Whether links or patches that are in the tree are no longer there. */
export function lacksRecords({ state, newestLinkId, newestPatchId }: Outlook): boolean {
  return state !== null && (newestLinkId < state.lastLinkId || newestPatchId < state.lastPatchId);
}

/** Patches without a number are counted up to this. */
const MAX_COUNTED = 10_000;

const OUTLOOK = `
  select state.origin, state.verifier_key, state.size, state.last_link_id, state.last_patch_id, state.refusal,
    head.size as head_size, head.root, head.note, head.signed_at,
    extract(epoch from clock_timestamp() - head.signed_at) * 1000 as head_age_ms,
    (select coalesce(max(id), 0) from chain_link) as links,
    (select coalesce(max(feed_id), 0) from kv_patch where feed_id is not null) as patches,
    (select count(*)::int from (select from kv_patch where feed_id is null limit ${MAX_COUNTED}) as waiting) as unnumbered
  from (select 1) as always
  left join log_state state on true
  left join lateral (select * from log_checkpoint order by size desc limit 1) as head on true`;

const NEWEST_HEAD = 'select size, root, note, signed_at from log_checkpoint order by size desc limit 1';

const TILES = `
  select wanted.place, hashes from unnest($1::smallint[], $2::bigint[]) with ordinality as wanted(level, number, place)
  join log_tile using (level, number)`;

interface StateRow {
  origin: string;
  verifier_key: string;
  size: string;
  last_link_id: string;
  last_patch_id: string;
  refusal: string;
}

interface HeadRow {
  root: Buffer;
  note: string;
  signed_at: Date;
}

/** Parameters: first index, kinds, record ids, entries, levels, numbers, hashes, size, last link, last patch. */
const ADD = `
  with leaf as (
    insert into log_leaf (leaf_index, kind, record_id, entry)
    select $1::bigint + added.place - 1, added.kind, added.record_id, added.entry
    from unnest($2::text[], $3::bigint[], $4::text[]) with ordinality as added(kind, record_id, entry, place)
  ),
  tile as (
    insert into log_tile (level, number, hashes)
    select * from unnest($5::smallint[], $6::bigint[], $7::bytea[])
    on conflict (level, number) do update set hashes = excluded.hashes
  )
  update log_state set size = $8, last_link_id = $9, last_patch_id = $10 where size = $1`;

/** The tables of the log. Whatever writes runs in a transaction that holds the lock of the log. */
@Injectable()
export class LogStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether the transaction of `manager` has the lock now; it waits for nobody. */
  async tryLock(manager: EntityManager): Promise<boolean> {
    const [row] = (await manager.query(`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.log}) as "isOurs"`)) as [
      { isOurs: boolean },
    ];
    return row.isOurs;
  }

  async outlook(manager: EntityManager = this.dataSource.manager): Promise<Outlook> {
    const [row] = (await manager.query(OUTLOOK)) as [OutlookRow];
    const state = isThere(row) ? toState(row) : null;
    const newestLinkId = parseBigint(row.links);
    const newestPatchId = parseBigint(row.patches);
    const waiting = newestLinkId - (state?.lastLinkId ?? 0) + newestPatchId - (state?.lastPatchId ?? 0);
    return {
      state,
      head: row.head_size === null ? null : toHead({ ...row, size: row.head_size }),
      headAgeMs: Number(row.head_age_ms ?? Infinity),
      newestLinkId,
      newestPatchId,
      waiting: Math.max(0, waiting + row.unnumbered),
    };
  }

  /** The state of a log that has nothing yet. */
  async begin(manager: EntityManager, origin: string, verifierKey: string): Promise<LogState> {
    await manager.query('insert into log_state (origin, verifier_key) values ($1, $2)', [origin, verifierKey]);
    return { origin, verifierKey, size: 0, lastLinkId: 0, lastPatchId: 0, refusal: '' };
  }

  /** @throws Error if the tree has changed since it was read, which the lock forbids. */
  async add(manager: EntityManager, size: number, { leaves, tiles, state }: Batch): Promise<void> {
    const [, count] = (await manager.query(ADD, [
      size,
      leaves.map(({ kind }) => kind),
      leaves.map(({ recordId }) => recordId),
      leaves.map(({ entry }) => entry),
      tiles.map(({ level }) => level),
      tiles.map(({ number }) => number),
      tiles.map(({ hashes }) => Buffer.from(hashes)),
      state.size,
      state.lastLinkId,
      state.lastPatchId,
    ])) as [unknown, number];
    if (count !== 1) throw new Error('The tree of the log has changed while it was being extended.');
  }

  /** Stores a signed tree head; the database refuses a second one of its size. */
  async addHead(manager: EntityManager, { size, root, note }: Omit<SignedHead, 'signedAt'>): Promise<SignedHead> {
    const [row] = (await manager.query(
      'insert into log_checkpoint (size, root, note) values ($1, $2, $3) returning signed_at',
      [size, Buffer.from(root), note],
    )) as [{ signed_at: Date }];
    return { size, root, note, signedAt: row.signed_at };
  }

  /** Says for all servers that nothing is signed any more, unless that was said before. */
  async refuse(reason: string): Promise<void> {
    await this.dataSource.query(`update log_state set refusal = $1 where refusal = ''`, [reason]);
  }

  async newestHead(): Promise<SignedHead | null> {
    const rows = await readRows<HeadRow & { size: string }>(this.dataSource, NEWEST_HEAD, []);
    return rows[0] ? toHead(rows[0]) : null;
  }

  /**
   * Forgets all but the newest `kept` tree heads, with their cosignatures, and the one of `cosignedSize`: while
   * witnesses are late it is older than those, and readers who ask for cosignatures have no other.
   */
  async forgetHeads(kept: number, cosignedSize = -1): Promise<void> {
    const oldest = `(select min(size) from (select size from log_checkpoint order by size desc limit ${kept}) as newest)`;
    await this.dataSource.query(`delete from log_cosignature where size < ${oldest} and size <> $1`, [cosignedSize]);
    await this.dataSource.query(`delete from log_checkpoint where size < ${oldest} and size <> $1`, [cosignedSize]);
  }

  /**
   * Hashes of tiles, in the order asked for; they may have grown since.
   * @throws RangeError if one is not there
   */
  async readTiles(tiles: Tile[], manager?: EntityManager): Promise<Buffer[]> {
    const values = [tiles.map(({ level }) => level), tiles.map(({ number }) => number)];
    const rows: { place: string; hashes: Buffer }[] = manager
      ? await manager.query(TILES, values)
      : await readRows(this.dataSource, TILES, values);
    const found = new Map(rows.map(({ place, hashes }) => [Number(place), hashes]));
    return tiles.map(({ level, number }, place) => {
      const hashes = found.get(place + 1);
      if (!hashes) throw new RangeError(`The tile ${number} of level ${level} is not stored.`);
      return hashes;
    });
  }

  /** Entries from `start` on, as UTF-8. */
  async entries(start: number, count: number): Promise<Uint8Array[]> {
    const rows = await readRows<{ entry: string }>(
      this.dataSource,
      'select entry from log_leaf where leaf_index >= $1 and leaf_index < $2 order by leaf_index',
      [start, start + count],
    );
    return rows.map(({ entry }) => Buffer.from(entry));
  }

  /**
   * Full bundles (C2SP tlog-tiles), from the bundle `first` on.
   * @throws RangeError if one is not there as a whole
   */
  bundles(first: number, count: number): Promise<Buffer[]> {
    return readBundles(this.dataSource, first, count);
  }

  /** Where a record stands in the tree, and its entry; null if it is not in it. */
  async leafOf(kind: RecordKind, recordId: number): Promise<{ index: number; entry: string } | null> {
    const rows = await readRows<{ leaf_index: string; entry: string }>(
      this.dataSource,
      'select leaf_index, entry from log_leaf where kind = $1 and record_id = $2',
      [kind, recordId],
    );
    return rows[0] ? { index: parseBigint(rows[0].leaf_index), entry: rows[0].entry } : null;
  }
}

type OutlookRow = { [Name in keyof StateRow]: StateRow[Name] | null } & HeadRow & {
    head_size: string | null;
    head_age_ms: string | null;
    links: string;
    patches: string;
    unnumbered: number;
  };

function isThere(row: { [Name in keyof StateRow]: StateRow[Name] | null }): row is StateRow {
  return row.origin !== null;
}

function toState(row: StateRow): LogState {
  return {
    origin: row.origin,
    verifierKey: row.verifier_key,
    size: parseBigint(row.size),
    lastLinkId: parseBigint(row.last_link_id),
    lastPatchId: parseBigint(row.last_patch_id),
    refusal: row.refusal,
  };
}

function toHead(row: HeadRow & { size: string }): SignedHead {
  return { size: parseBigint(row.size), root: row.root, note: row.note, signedAt: row.signed_at };
}
