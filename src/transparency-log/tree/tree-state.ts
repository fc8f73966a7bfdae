import type { RecordKinds } from '../../ledger/record-kind.js';
import { NEWEST_ERASURE_ID } from './records/erasure-rows.js';
import type { RecordNumbers } from './records/new-leaves.js';

/** The numbers of the last records that are in the tree, and how many entries of the map are. */
export type LoggedNumbers = RecordNumbers & { map: number };

/** How far the tree has come, signed or not. */
export interface TreeState {
  /** The number of leaves. */
  size: number;
  /** Of each kind that ever was in it, also of those that only a later version knows. */
  last: LoggedNumbers;
  /** Leaves that are in the map. */
  mapSize: number;
  /** The newest leaf that commits to the map; null before the first. */
  mapIndex: number | null;
  /** The number of the highest tile of the map; 0 while it has none. */
  mapTop: number;
}

/** What the tree can take in. */
export interface Recordable {
  /** The newest record of each kind that has a number, and the newest erasure. */
  newest: RecordNumbers;
  /** Records without a number, up to `MAX_COUNTED` of each kind. */
  unnumbered: number;
}

/** Records without a number are counted up to this. */
const MAX_COUNTED = 10_000;

/** Members of a JSON object: a `TreeState`, for a statement that names the row of `log_state` `state`. */
export const TREE_STATE_MEMBERS = `'size', state.size, 'mapSize', state.map_size, 'mapIndex', state.map_index,
  'mapTop', state.map_top, 'last', (select coalesce(json_object_agg(kind, last_id), '{}') from log_feed)`;

/** The columns of a `Recordable`. */
export function recordableColumns({ all }: RecordKinds): string {
  const newest = all.map(({ name, feed }) => `'${name}', ${feed.newest}`).join(', ');
  return `json_build_object(${newest}, 'erasure', ${NEWEST_ERASURE_ID}) as newest,
    ${all.map(({ feed }) => feed.unnumbered(MAX_COUNTED)).join(' + ')} as unnumbered`;
}

/** How many records and erasures are not in the tree. */
export function waitingFor({ newest, unnumbered }: Recordable, state: Pick<TreeState, 'last'> | null): number {
  const waiting = Object.entries(newest).map(([kind, id]) => id - (state?.last[kind] ?? 0));
  return Math.max(
    0,
    waiting.reduce((sum, count) => sum + count, unnumbered),
  );
}

/** What is in a tree without entries. */
export function nothingLogged(kinds: RecordKinds): LoggedNumbers {
  return { ...Object.fromEntries(kinds.names.map((name) => [name, 0])), erasure: 0, map: 0 };
}

/** Whether records or erasures that are in the tree are no longer there. */
export function lacksRecords(state: TreeState, { newest }: Pick<Recordable, 'newest'>): boolean {
  return Object.entries(newest).some(([kind, id]) => id < state.last[kind]!);
}

/**
 * Whether the numbers of all kinds add up to the size of the tree, as they do where nobody has put back the rows of one
 * table without those of the other: no feed has gaps.
 */
export function isWhole({ size, last }: TreeState): boolean {
  return Object.values(last).reduce((sum, count) => sum + count, 0) === size;
}

/** Whether all leaves are in the map, and the newest one commits to it. */
export function endsWithMap({ size, mapSize, mapIndex }: TreeState): boolean {
  return mapSize === size && mapIndex === size - 1;
}

/** A tree without entries. */
export function emptyTree(kinds: RecordKinds): TreeState {
  return { size: 0, last: nothingLogged(kinds), mapSize: 0, mapIndex: null, mapTop: 0 };
}
