import { parseBigint } from '../database/bigint-column.js';
import { isPlaceRecorded, type PlaceChange, placeChange, type PlaceRow } from './heads/log-place.js';
import type { LogState, SignedHead } from './log-store.js';

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
  /** What has happened to the database since the log was signed in it last. */
  change: PlaceChange;
  /** Whether `log_state` says where the log is signed now. */
  isPlaceRecorded: boolean;
}

/** Whether links or patches that are in the tree are no longer there. */
export function lacksRecords({ state, newestLinkId, newestPatchId }: Outlook): boolean {
  return state !== null && (newestLinkId < state.lastLinkId || newestPatchId < state.lastPatchId);
}

/** The newest tree head of the database, and what has happened to that since the log was signed in it last. */
export interface PlacedHead {
  head: SignedHead;
  change: PlaceChange;
}

/** Patches without a number are counted up to this. */
const MAX_COUNTED = 10_000;

/** The statement that reads an `OutlookRow`. @param place the columns of `LogPlaces` */
export const outlookSql = (place: string): string => `
  select ${place}, state.origin, state.verifier_key, state.size, state.last_link_id, state.last_patch_id, state.refusal,
    head.size as head_size, head.root, head.note, head.signed_at,
    extract(epoch from clock_timestamp() - head.signed_at) * 1000 as head_age_ms,
    (select coalesce(max(id), 0) from chain_link) as links,
    (select coalesce(max(feed_id), 0) from kv_patch where feed_id is not null) as patches,
    (select count(*)::int from (select from kv_patch where feed_id is null limit ${MAX_COUNTED}) as waiting) as unnumbered
  from (select 1) as always
  left join log_state state on true
  left join lateral (select * from log_checkpoint order by size desc limit 1) as head on true`;

/** The statement that reads a `PlacedHeadRow`. @param place the columns of `LogPlaces` */
export const newestHeadSql = (place: string): string => `
  select ${place}, head.size, head.root, head.note, head.signed_at
  from (select * from log_checkpoint order by size desc limit 1) as head left join log_state state on true`;

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

export type PlacedHeadRow = HeadRow & PlaceRow & { size: string };

export type OutlookRow = { [Name in keyof StateRow]: StateRow[Name] | null } & HeadRow &
  PlaceRow & {
    head_size: string | null;
    head_age_ms: string | null;
    links: string;
    patches: string;
    unnumbered: number;
  };

export function toOutlook(row: OutlookRow): Outlook {
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
    change: placeChange(row),
    isPlaceRecorded: isPlaceRecorded(row),
  };
}

export function toPlacedHead(row: PlacedHeadRow): PlacedHead {
  return { head: toHead(row), change: placeChange(row) };
}

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
