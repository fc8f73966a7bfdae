import type { DataSource } from 'typeorm';
import { GatheredRead } from '../database/connections/gathered-read.js';
import { hiddenParameter, readRows } from '../database/connections/prepared.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { AlreadyRecordedError } from '../domain/domain-errors.js';
import { offsetOf, type PageOf } from '../domain/page.js';
import { type Hold, holdSql, HOLDS_TABLE } from '../holds/avatar-holds.js';
import type { KnownHeads } from './payload.seal.js';
import { recordJsonSql, recordList, type RecordMembers } from '../http/record-json.js';
import type { StoredJson } from '../http/stored-json.js';
import type { ChainHead, IdentityRecord, SignedRecord } from './signed-record.js';

/**
 * How many past heads are tried to distinguish a moved chain from a changed field. An unsigned request makes the server
 * read and try them all, so there are few. A payload that more items than this have overtaken gets `payload_mismatch`
 * instead of `stale_chain`; both ask for a new payload.
 */
const MAX_PAST_HEADS = 100;

/** An item of a signed chain that passed every check and has no position yet. */
export interface SignedItem extends Omit<SignedRecord, 'avatar' | 'positionInChain' | 'recordedAt'> {
  avatar: AvatarKey;
  /** Signature of the head it was signed on, or null for the first item. */
  previous: string | null;
}

export type IdentityItem = SignedItem & Pick<IdentityRecord, 'platform' | 'identity'>;

/** The signed chains of all Avatars in one table: linear, append-only, each item signed on the one before. */
export class SignedChain {
  private readonly heads: GatheredRead<ChainState>;

  /** @param table all such tables name what a chain consists of alike */
  constructor(
    private readonly source: DataSource,
    private readonly table: string,
  ) {
    const sql = chainStateSql(table, 'key.avatar', 'key.uuid');
    const key = { avatar: 'text', uuid: 'uuid' };
    this.heads = new GatheredRead(source, { key, tables: [table, HOLDS_TABLE], sql }, 'writes');
  }

  /** The Avatar's newest item, or null. */
  async head(avatar: AvatarKey): Promise<ChainHead | null> {
    return headIn(await this.readHead(avatar, null));
  }

  /**
   * The heads on which a payload of this Avatar with this uuid may have been issued. The current head and the uuid are
   * read by one statement: if one submit arrives twice at once, the request that sees the head of the other sees its
   * uuid too.
   * @throws AlreadyRecordedError if an item with this uuid is stored.
   */
  async headsBefore(avatar: AvatarKey, uuid: string): Promise<KnownHeads> {
    const state = await this.readHead(avatar, uuid);
    if (state.isRecorded) throw new AlreadyRecordedError(uuid);
    return { current: headIn(state), past: () => this.pastHeads(avatar) };
  }

  /** The uuid of the Avatar's newest item, or null. */
  async newestUuid(avatar: AvatarKey): Promise<string | null> {
    const sql = `select uuid from ${this.table} where avatar = $1 order by position_in_chain desc limit 1`;
    return (await readRows<{ uuid: string }>(this.source, [this.table], sql, [avatar.compressed]))[0]?.uuid ?? null;
  }

  /** Number of the Avatar's items. */
  async length(avatar: AvatarKey): Promise<number> {
    const sql = `select coalesce(max(position_in_chain), 0) as length from ${this.table} where avatar = $1`;
    return (await readRows<{ length: number }>(this.source, [this.table], sql, [avatar.compressed]))[0]!.length;
  }

  /** Reads the Avatar's newest signature, and whether an item with `uuid` is recorded, by one statement. */
  private async readHead(avatar: AvatarKey, uuid: string | null): Promise<ChainState> {
    return (await this.heads.rows(avatar.compressed, uuid))[0]!;
  }

  /**
   * The newest heads of the chain, newest first; null is the empty chain. No time bounds them: that of a payload is by
   * the clock of the server that issued it, or that of its head, and may lie hours ahead.
   */
  private async pastHeads(avatar: AvatarKey): Promise<(string | null)[]> {
    const newest = await readRows<Pick<SignedRecord, 'signature'>>(
      this.source,
      [this.table],
      `select signature from ${this.table} where avatar = $1 order by position_in_chain desc limit $2`,
      [avatar.compressed, MAX_PAST_HEADS],
      'writes',
    );
    const heads = newest.map(({ signature }) => signature);
    return heads.length < MAX_PAST_HEADS ? [...heads, null] : heads;
  }
}

/** The items of a batch, as an SQL relation with their numbers from 1 on. Parameters: `itemValues`. */
export const ITEMS_SQL = `unnest(${hiddenParameter(1, 'text[]')}, ${hiddenParameter(2, 'uuid[]')}, ${hiddenParameter(3, 'text[]')},
    ${hiddenParameter(4, 'text[]')}) with ordinality as item(avatar, uuid, platform, identity, number)`;

/** The parameters of `ITEMS_SQL`. */
export function itemValues(items: IdentityItem[]): unknown[] {
  const avatars = items.map(({ avatar }) => avatar.compressed);
  return [avatars, ...(['uuid', 'platform', 'identity'] as const).map((name) => items.map((item) => item[name]))];
}

/** When an item was recorded, by the clock of the database. */
export type RecordedTime = Pick<SignedRecord, 'uuid' | 'recordedAt'>;

/** The times with which the database wrote items, by their uuids. */
export function timesByUuid(rows: RecordedTime[]): Map<string, Date> {
  return new Map(rows.map(({ uuid, recordedAt }) => [uuid, recordedAt]));
}

/** The facts about a chain that decide whether one item is accepted, read under the lock of its kind. */
export interface ChainState {
  /** Signature of the newest item of the Avatar, or null. */
  head: string | null;
  /** When the payload of the newest item was issued, or null. */
  headAt: Date | null;
  /** Items of the Avatar. */
  length: number;
  /** Whether an item with this uuid is there. */
  isRecorded: boolean;
  /** What stops the writes of the Avatar now. Its key events are written all the same. */
  hold?: Hold | null;
}

/**
 * SQL select of one row, a `ChainState`: that of the chain of `avatar` for an item with `uuid`, which are SQL
 * expressions.
 */
export function chainStateSql(table: string, avatar: string, uuid: string): string {
  return `
    select head.signature as head, head.created_at as "headAt", coalesce(head.position_in_chain, 0) as length,
      exists (select from ${table} where uuid = ${uuid}) as "isRecorded", ${holdSql(avatar)} as hold
    from (select 1) as always
    left join lateral (
      select signature, created_at, position_in_chain from ${table} where avatar = ${avatar} order by position_in_chain desc limit 1
    ) as head on true`;
}

function headIn({ head, headAt }: ChainState): ChainHead | null {
  return head === null ? null : { signature: head, createdAt: headAt! };
}

/** Reads pages of the chains in one table, oldest record first. */
export function chainPages(table: string, members: RecordMembers, per: number) {
  const sql = chainPageSql(table, members, '$1', '$2', per);
  return async (source: DataSource, avatar: AvatarKey, page: number): Promise<PageOf<StoredJson>> => {
    const rows = await readRows<ChainPageRow>(source, [table], sql, [avatar.compressed, offsetOf(page, per) + 1]);
    return { ...toChainPage(rows[0]!), current: page, per };
  };
}

/** A page of a chain: the length of the chain, how many records the page has, and these for `recordList`. */
export interface ChainPageRow {
  total: number;
  length: number;
  /** Null on a page past the end. */
  items: string | null;
}

/**
 * SQL select of one `ChainPageRow`: the records of one chain from the position `first` on, oldest first. `avatar` and
 * `first` are SQL expressions.
 */
export function chainPageSql(
  table: string,
  members: RecordMembers,
  avatar: string,
  first: string,
  per: number,
): string {
  return `
    select (select coalesce(max(position_in_chain), 0) from ${table} where avatar = ${avatar}) as total,
      count(*) as length, string_agg(${recordJsonSql(members)}, ',' order by record.position_in_chain) as items
    from ${table} record
    where record.avatar = ${avatar} and record.position_in_chain between ${first}::bigint and ${first}::bigint + ${per - 1}`;
}

export function toChainPage({ total, items }: ChainPageRow): Pick<PageOf<StoredJson>, 'items' | 'total'> {
  return { items: recordList(items), total };
}
