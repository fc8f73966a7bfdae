import type { RecordKinds } from '../../../ledger/record-kind.js';
import {
  nothingLogged,
  type Recordable,
  recordableColumns,
  TREE_STATE_MEMBERS,
  type TreeState,
  waitingFor,
} from '../../tree/tree-state.js';
import type { PlaceRow, PlaceVerdict } from './log-place.js';
import { HEAD_COLUMNS, type SignedHead } from './signed-head.js';

/** How far the tree has come, and as what it is signed. */
export interface LogState extends TreeState {
  origin: string;
  verifierKey: string;
  /** Why nothing is signed any more; empty if all is well. */
  refusal: string;
}

/** What there is to do, and how things stand; for all servers, at a small price. */
export interface LogSnapshot extends PlaceVerdict, Pick<Recordable, 'newest'> {
  /** Null before the first batch. */
  state: LogState | null;
  /** The newest tree head; null before the first. */
  head: SignedHead | null;
  /** Milliseconds since it was signed, by the clock of the database. */
  headAgeMs: number;
  /** Records and erasures that are not in the tree; those without a number are counted up to a bound. */
  waiting: number;
}

/** The statement that reads a `LogSnapshotRow`. @param place the columns of `LogPlaces` */
export const snapshotSql = (place: string, kinds: RecordKinds): string => `
  select ${place}, ${HEAD_COLUMNS},
    (extract(epoch from clock_timestamp() - head.signed_at) * 1000)::float8 as "headAgeMs",
    case when state.origin is not null then json_build_object('origin', state.origin,
      'verifierKey', state.verifier_key, 'refusal', state.refusal, ${TREE_STATE_MEMBERS}) end as state,
    ${recordableColumns(kinds)}
  from (select 1) as always
  left join log_state state on true
  left join lateral (select * from log_checkpoint order by size desc limit 1) as head on true`;

export type LogSnapshotRow = Pick<LogSnapshot, 'state'> &
  Recordable &
  PlaceRow &
  (SignedHead | { size: null }) & { headAgeMs: number | null };

export function toSnapshot(row: LogSnapshotRow, kinds: RecordKinds, place: PlaceVerdict): LogSnapshot {
  const state = row.state && { ...row.state, last: { ...nothingLogged(kinds), ...row.state.last } };
  return {
    state,
    head: row.size === null ? null : row,
    headAgeMs: row.headAgeMs ?? Infinity,
    newest: row.newest,
    waiting: waitingFor(row, state),
    ...place,
  };
}
