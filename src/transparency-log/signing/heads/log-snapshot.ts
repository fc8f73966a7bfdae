import type { RecordKinds } from '../../../ledger/record-kind.js';
import type { PlaceRow, PlaceVerdict } from './log-place.js';
import { HEAD_COLUMNS, type SignedHead } from './signed-head.js';
import { NEWEST_ERASURE_ID } from '../../tree/records/erasure-rows.js';

/** Numbers of records, each in its feed, by the names of their kinds, and of an erasure; 0 where there is none. */
export type RecordNumbers = { [kind: string]: number } & { erasure: number };

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
   * Records and erasures that are not in the tree. Records that have no number yet are among them, up to `MAX_COUNTED`
   * of each kind.
   */
  waiting: number;
}

/** Whether records or erasures that are in the tree are no longer there. */
export function lacksRecords({ state, newest }: LogSnapshot): boolean {
  return state !== null && Object.entries(newest).some(([kind, id]) => id < state.last[kind]!);
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

/** What is in a tree without entries. */
export function nothingLogged(kinds: RecordKinds): LoggedNumbers {
  return { ...Object.fromEntries(kinds.names.map((name) => [name, 0])), erasure: 0, map: 0 };
}

/** Records without a number are counted up to this. */
const MAX_COUNTED = 10_000;

/** The statement that reads an `LogSnapshotRow`. @param place the columns of `LogPlaces` */
export const snapshotSql = (place: string, { all }: RecordKinds): string => `
  select ${place}, ${HEAD_COLUMNS},
    (extract(epoch from clock_timestamp() - head.signed_at) * 1000)::float8 as "headAgeMs",
    case when state.origin is not null then json_build_object('origin', state.origin, 'verifierKey', state.verifier_key,
      'size', state.size, 'mapSize', state.map_size, 'mapIndex', state.map_index, 'mapTop', state.map_top, 'refusal', state.refusal,
      'last', (select coalesce(json_object_agg(kind, last_id), '{}') from log_feed)) end as state,
    json_build_object(${all.map(({ name, feed }) => `'${name}', ${feed.newest}`).join(', ')}, 'erasure', ${NEWEST_ERASURE_ID}) as newest,
    ${all.map(({ feed }) => feed.unnumbered(MAX_COUNTED)).join(' + ')} as unnumbered
  from (select 1) as always
  left join log_state state on true
  left join lateral (select * from log_checkpoint order by size desc limit 1) as head on true`;

export type LogSnapshotRow = Pick<LogSnapshot, 'state' | 'newest'> &
  PlaceRow &
  (SignedHead | { size: null }) & { headAgeMs: number | null; unnumbered: number };

export function toSnapshot(row: LogSnapshotRow, kinds: RecordKinds, place: PlaceVerdict): LogSnapshot {
  const { headAgeMs, newest, unnumbered } = row;
  const state = row.state && { ...row.state, last: { ...nothingLogged(kinds), ...row.state.last } };
  const waiting = Object.entries(newest).map(([kind, id]) => id - (state?.last[kind] ?? 0));
  return {
    state,
    head: row.size === null ? null : row,
    headAgeMs: headAgeMs ?? Infinity,
    newest,
    waiting: Math.max(
      0,
      waiting.reduce((sum, count) => sum + count, unnumbered),
    ),
    ...place,
  };
}
