import { NEWEST_FEED_ID } from '../kv/kv-feed.js';
import { NEWEST_LINK_ID } from '../proof-chain/link-rows.js';
import type { PlaceRow, PlaceVerdict } from './heads/log-place.js';
import { HEAD_COLUMNS, type SignedHead } from './heads/signed-head.js';
import { NEWEST_ERASURE_ID } from './records/erasure-rows.js';
import type { RecordKind } from './records/feed-records.js';

/** Numbers of a link, of a patch, each in its feed, and of an erasure; 0 where there is none. */
export type RecordNumbers = Record<RecordKind | 'erasure', number>;

/** The numbers of the last records that are in the tree, and how many entries of the map are. */
export type LoggedNumbers = RecordNumbers & { map: number };

/** How far the tree has come, and as what it is signed. */
export interface LogState {
  origin: string;
  verifierKey: string;
  /** Leaves, signed or not. */
  size: number;
  /** Of each kind that ever was in it, also of those that only a later version knows. */
  last: LoggedNumbers;
  /** Leaves that are in the map. */
  mapSize: number;
  /** The newest leaf that commits to the map; null before the first. */
  mapIndex: number | null;
  /** The number of the highest tile of the map; 0 while it has none. */
  mapTop: number;
  /** Why nothing is signed any more; empty if all is well. */
  refusal: string;
}

/** What there is to do, and how things stand; for all servers, at a small price. */
export interface LogSnapshot extends PlaceVerdict {
  /** Null before the first batch. */
  state: LogState | null;
  /** The newest tree head; null before the first. */
  head: SignedHead | null;
  /** Milliseconds since it was signed, by the clock of the database. */
  headAgeMs: number;
  newest: RecordNumbers;
  /**
   * Records and erasures that are not in the tree. Patches that have no number yet are among them, up to `MAX_COUNTED`.
   */
  waiting: number;
}

/** Whether links, patches or erasures that are in the tree are no longer there. */
export function lacksRecords({ state, newest }: LogSnapshot): boolean {
  if (!state) return false;
  const { last } = state;
  return newest.link < last.link || newest.kv < last.kv || newest.erasure < last.erasure;
}

/**
 * Whether the numbers of all kinds add up to the size of the tree, as they do where nobody has put back the rows of one
 * table without those of the other: no feed has gaps.
 */
export function isWhole({ size, last }: LogState): boolean {
  return Object.values(last).reduce((sum, count) => sum + count, 0) === size;
}

/** Whether all leaves are in the map, and the newest one commits to it. */
export function endsWithMap({ size, mapSize, mapIndex }: LogState): boolean {
  return mapSize === size && mapIndex === size - 1;
}

export const NOTHING_LOGGED: LoggedNumbers = { link: 0, kv: 0, erasure: 0, map: 0 };

/** Patches without a number are counted up to this. */
const MAX_COUNTED = 10_000;

/** The statement that reads an `LogSnapshotRow`. @param place the columns of `LogPlaces` */
export const snapshotSql = (place: string): string => `
  select ${place}, ${HEAD_COLUMNS},
    (extract(epoch from clock_timestamp() - head.signed_at) * 1000)::float8 as "headAgeMs",
    case when state.origin is not null then json_build_object('origin', state.origin, 'verifierKey', state.verifier_key,
      'size', state.size, 'mapSize', state.map_size, 'mapIndex', state.map_index, 'mapTop', state.map_top, 'refusal', state.refusal,
      'last', (select coalesce(json_object_agg(kind, last_id), '{}') from log_feed)) end as state,
    json_build_object('link', ${NEWEST_LINK_ID}, 'kv', ${NEWEST_FEED_ID}, 'erasure', ${NEWEST_ERASURE_ID}) as newest,
    (select count(*) from (select from kv_patch where feed_id is null limit ${MAX_COUNTED}) as waiting) as unnumbered
  from (select 1) as always
  left join log_state state on true
  left join lateral (select * from log_checkpoint order by size desc limit 1) as head on true`;

export type LogSnapshotRow = Pick<LogSnapshot, 'state' | 'newest'> &
  PlaceRow &
  (SignedHead | { size: null }) & { headAgeMs: number | null; unnumbered: number };

export function toSnapshot(row: LogSnapshotRow, place: PlaceVerdict): LogSnapshot {
  const { headAgeMs, newest, unnumbered } = row;
  const state = row.state && { ...row.state, last: { ...NOTHING_LOGGED, ...row.state.last } };
  const waiting = sumOf(newest) - (state ? sumOf(state.last) : 0);
  return {
    state,
    head: row.size === null ? null : row,
    headAgeMs: headAgeMs ?? Infinity,
    newest,
    waiting: Math.max(0, waiting + unnumbered),
    ...place,
  };
}

function sumOf({ link, kv, erasure }: RecordNumbers): number {
  return link + kv + erasure;
}
