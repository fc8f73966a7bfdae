import type { DataSource, EntityManager } from 'typeorm';
import { parseBigint } from '../database/bigint-column.js';
import { GatheredRead } from '../database/gathered-read.js';
import { isUniqueViolation } from '../database/pg-errors.js';
import { readRows } from '../database/prepared.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { AlreadyRecordedError, StaleChainError } from '../domain/domain-errors.js';
import { headsSince, MAX_PAST_HEADS, type PastHead } from './past-heads.js';
import type { KnownHeads } from './payload.seal.js';

/** Where the chains of one kind are stored. All such tables name what a chain consists of alike. */
export interface ChainTable {
  name: string;
  /** Its unique constraint on `uuid`. */
  uuidConstraint: string;
  /** Columns that only items of this kind have. */
  ownColumns: readonly string[];
}

/** What the items of every signed chain have: a link or a patch that passed every check and has no position yet. */
export interface SignedItem {
  avatar: AvatarKey;
  platform: string;
  /** Canonical identity. */
  identity: string;
  /** When the payload was issued. */
  createdAt: Date;
  uuid: string;
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  signaturePayload: string;
  /** Signature of the head it was signed on, or null for the first item. */
  previous: string | null;
}

const COLUMNS = ['platform', 'identity', 'created_at', 'uuid', 'signature', 'signature_payload'];

interface HeadRow {
  head: string | null;
  isRecorded: boolean;
}

/** The signed chains of all Avatars in one table: linear, append-only, each item signed on the one before. */
export class SignedChain {
  private readonly heads: GatheredRead<HeadRow>;
  private readonly appendSql: string;

  constructor(
    private readonly source: DataSource,
    private readonly table: ChainTable,
  ) {
    const sql = `select ${headAndUuid(table.name, 'key.avatar', 'key.uuid')}`;
    this.heads = new GatheredRead(source, { key: { avatar: 'text', uuid: 'uuid' }, sql }, 'writes');
    this.appendSql = appendSql(table);
  }

  /** Signature (Base64) of the Avatar's newest item, or null. */
  async head(avatar: AvatarKey): Promise<string | null> {
    return (await this.look(avatar, null)).head;
  }

  /**
   * The heads on which a payload of this Avatar with this uuid may have been issued. The current one and the uuid are
   * looked up at one moment: if the same submit came twice at once, whoever sees the head of the other sees its uuid
   * too.
   * @throws AlreadyRecordedError if an item with this uuid is stored.
   */
  async headsBefore(avatar: AvatarKey, uuid: string): Promise<KnownHeads> {
    const { head, isRecorded } = await this.look(avatar, uuid);
    if (isRecorded) throw new AlreadyRecordedError(uuid);
    return { current: head, since: (time) => this.headsSince(avatar, time) };
  }

  /** Number of the Avatar's items. */
  async length(avatar: AvatarKey): Promise<number> {
    const rows = await readRows<{ length: number }>(
      this.source,
      `select coalesce(max(position_in_chain), 0) as length from ${this.table.name} where avatar = $1`,
      [avatar.compressed],
    );
    return rows[0]!.length;
  }

  /**
   * Adds an item to the head of its chain, in the transaction of `manager`, under the lock of the kind of chain.
   * @param own the values of `ownColumns`, in that order.
   * @returns the id of the item.
   * @throws StaleChainError if `previous` is not the head (any more); AlreadyRecordedError if the uuid is taken.
   */
  async append(manager: EntityManager, item: SignedItem, own: unknown[]): Promise<number> {
    const { avatar, platform, identity, createdAt, uuid, signature, signaturePayload, previous } = item;
    const values = [avatar.compressed, previous, platform, identity, createdAt, uuid, signature, signaturePayload];
    try {
      const rows: { id: string }[] = await manager.query(this.appendSql, [...values, ...own]);
      if (rows[0]) return parseBigint(rows[0].id);
    } catch (error) {
      if (isUniqueViolation(error, this.table.uuidConstraint)) throw new AlreadyRecordedError(uuid);
      throw error;
    }
    await this.assertNext(manager, item);
    throw new StaleChainError();
  }

  /**
   * Whether an item can still follow in its chain, as the transaction of `manager` sees it. To be asked before an item
   * is refused for what the items before it left: they may be newer than the payload.
   * @throws AlreadyRecordedError if the same submit came twice and the other one was first; StaleChainError if
   *   `previous` is not the head any more.
   */
  async assertNext(manager: EntityManager, { avatar, uuid, previous }: SignedItemName): Promise<void> {
    const sql = `select ${headAndUuid(this.table.name, '$1', '$2')}`;
    const [row] = (await manager.query(sql, [avatar.compressed, uuid])) as [HeadRow];
    if (row.isRecorded) throw new AlreadyRecordedError(uuid);
    if (row.head !== previous) throw new StaleChainError();
  }

  private async look(avatar: AvatarKey, uuid: string | null): Promise<HeadRow> {
    return (await this.heads.rows(avatar.compressed, uuid))[0]!;
  }

  private async headsSince(avatar: AvatarKey, time: Date): Promise<(string | null)[]> {
    const newest = await readRows<PastHead>(
      this.source,
      `select signature, recorded_at as "recordedAt" from ${this.table.name} where avatar = $1 order by position_in_chain desc limit $2`,
      [avatar.compressed, MAX_PAST_HEADS],
      'writes',
    );
    return headsSince(newest, time);
  }
}

/** What says which item it is, and on what it was signed. */
type SignedItemName = Pick<SignedItem, 'avatar' | 'uuid' | 'previous'>;

/** The columns of a `HeadRow`, for the chain of `avatar` and the item `uuid`, which are SQL expressions. */
function headAndUuid(table: string, avatar: string, uuid: string): string {
  return `(select signature from ${table} where avatar = ${avatar} order by position_in_chain desc limit 1) as head,
    exists (select from ${table} where uuid = ${uuid}) as "isRecorded"`;
}

/** Parameters: Avatar, previous signature, `COLUMNS`, `ownColumns`. Answers no row where the head is another one. */
function appendSql({ name, ownColumns }: ChainTable): string {
  const columns = [...COLUMNS, ...ownColumns];
  return `
    insert into ${name} (avatar, position_in_chain, ${columns.join(', ')})
    select $1, coalesce(head.position_in_chain, 0) + 1,
      ${columns.map((_, index) => `$${index + 3}`).join(', ')}
    from (select 1) as always
    left join lateral (
      select position_in_chain, signature from ${name} where avatar = $1 order by position_in_chain desc limit 1
    ) as head on true
    where head.signature is not distinct from $2::text
    returning id`;
}
