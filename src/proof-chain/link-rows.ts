import type { DataSource, EntityManager } from 'typeorm';
import { parseBigint } from '../database/bigint-column.js';
import { hiddenParameter, readRows } from '../database/prepared.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { PER_PAGE } from '../domain/page.js';
import type { ChainLink, LinkAction, LinkExtra } from './chain-link.entity.js';

/** A link as it is answered. */
export type StoredLink = Omit<ChainLink, 'recordedAt'>;

/*
 * Pages of links are the largest answers of the service, so they are read without entities: TypeORM takes longer to
 * make a hundred of them than PostgreSQL to find the rows and Node to write the answer.
 */
const COLUMNS = `link.id, link.avatar, link.position_in_chain, link.action, link.platform, link.identity, link.proof_location, link.created_at,
  link.uuid, link.signature, link.signature_payload, link.extra, link.archive_id`;

const CHAIN_PAGE = `
  select ${COLUMNS} from chain_link link
  where link.avatar = $1 and link.position_in_chain between $2 and $3 order by link.position_in_chain`;

/** Always answers at least one row, so that the length is known on a page past the end too. */
export const CHAIN_PAGE_AND_LENGTH = {
  key: { avatar: 'text', first: 'bigint' },
  sql: `
    select chain.length, ${COLUMNS}, link.position_in_chain as position
    from (select coalesce(max(position_in_chain), 0) as length from chain_link where avatar = key.avatar) as chain
    left join chain_link link
      on link.avatar = key.avatar and link.position_in_chain between key.first and key.first + ${PER_PAGE - 1}`,
};

/**
 * Bytes of `extra` after which a page of the feed ends early, so that it stays under 2 MB: the signature of a contract
 * wallet has up to 64 KiB, all else of a link little.
 */
const MAX_EXTRA_BYTES = 1_000_000;

/** Parameters: cursor, links, bytes of `extra`. */
const CHANGES = `
  select ${COLUMNS}, link.recorded_at
  from (
    select next.*, sum(octet_length(extra::text)) over (order by id) - octet_length(extra::text) as bytes_before
    from (
      select * from chain_link where id > ${hiddenParameter(1, 'bigint')} order by id limit ${hiddenParameter(2, 'bigint')}
    ) as next
  ) as link
  where link.bytes_before < ${hiddenParameter(3, 'bigint')} order by link.id`;

interface LinkRow {
  id: string;
  avatar: string;
  position_in_chain: number;
  action: LinkAction;
  platform: string;
  identity: string;
  proof_location: string;
  created_at: Date;
  uuid: string;
  signature: string;
  signature_payload: string;
  extra: LinkExtra;
  archive_id: string;
}

/**
 * SQL select of one row, or none: `archive_id` and `created_at` of an Avatar's newest link.
 * @param avatar an SQL expression
 */
export function headOf(avatar: string): string {
  return `select archive_id, created_at from chain_link where avatar = ${avatar} order by position_in_chain desc limit 1`;
}

/** SQL condition: whether an Avatar ever signed a link. @param avatar an SQL expression */
export function hasSignedLink(avatar: string): string {
  return `exists (select from chain_link where avatar = ${avatar})`;
}

/** The links of one page of a chain, from the position `first` on. */
export async function readChainPage(source: DataSource, avatar: AvatarKey, first: number): Promise<StoredLink[]> {
  const values = [avatar.compressed, first, first + PER_PAGE - 1];
  return (await readRows<LinkRow>(source, CHAIN_PAGE, values)).map(toLink);
}

/** A row of `CHAIN_PAGE_AND_LENGTH`. */
export type LinkRowAndLength = { length: number } & (LinkRow | { id: null });

/** The same, with the length of the chain. */
export function toChainPage(rows: LinkRowAndLength[]): { items: StoredLink[]; total: number } {
  return { items: rows.flatMap((row) => (row.id === null ? [] : [toLink(row)])), total: rows[0]!.length };
}

/** Up to `count` links of all Avatars with an id above `lastId`, ascending; fewer where they are very long. */
export async function readChanges(source: DataSource, lastId: number, count: number): Promise<StoredLink[]> {
  return (await readRows<LinkRow>(source, CHANGES, [lastId, count, MAX_EXTRA_BYTES])).map(toLink);
}

/** A link with the time at which it was accepted. */
export type RecordedLink = StoredLink & Pick<ChainLink, 'recordedAt'>;

/** The same in the transaction of `manager`, up to a number of bytes of `extra`, with the times of acceptance. */
export async function readRecordedLinks(
  manager: EntityManager,
  lastId: number,
  count: number,
  maxExtraBytes: number,
): Promise<RecordedLink[]> {
  const rows: (LinkRow & { recorded_at: Date })[] = await manager.query(CHANGES, [lastId, count, maxExtraBytes]);
  return rows.map((row) => ({ ...toLink(row), recordedAt: row.recorded_at }));
}

function toLink(row: LinkRow): StoredLink {
  return {
    id: parseBigint(row.id),
    avatar: row.avatar,
    positionInChain: row.position_in_chain,
    action: row.action,
    platform: row.platform,
    identity: row.identity,
    proofLocation: row.proof_location,
    createdAt: row.created_at,
    uuid: row.uuid,
    signature: row.signature,
    signaturePayload: row.signature_payload,
    extra: row.extra,
    archiveId: row.archive_id,
  };
}
