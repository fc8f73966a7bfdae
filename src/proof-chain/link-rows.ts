import type { Erasure } from '@signet/verify';
import type { EntityManager } from 'typeorm';
import { changedRows } from '../database/changes.js';
import { TableColumns } from '../database/table-columns.js';
import { recordFeed } from '../ledger/record-feed.js';
import type { RecordMembers } from '../http/record-json.js';
import { ChainLink } from './chain-link.entity.js';

/** A link as it is answered. */
export type StoredLink = Omit<ChainLink, 'positionInChain' | 'recordedAt'>;

export const LINKS_TABLE = 'chain_link';

export const WHOLE_LINKS = TableColumns.of(ChainLink);
/** The columns of new links, without those that the database sets. */
export const NEW_LINKS = WHOLE_LINKS.without('recordedAt', 'archiveId', 'erased');

/** A link as pages of its chain answer it. */
export const LINK_MEMBERS = {
  action: 'plain',
  platform: 'plain',
  identity: 'text',
  proof_location: 'text',
  created_at: 'seconds_text',
  signature: 'plain',
  signature_payload: 'text',
  extra: 'json',
  uuid: 'plain',
  archive_id: 'plain',
  erased: 'json_if_any',
} as const satisfies RecordMembers;

/** The links of all Avatars. Their `id` is given under the append lock, so they become visible in its order. */
export const LINK_FEED = recordFeed({
  table: LINKS_TABLE,
  number: 'id',
  columns: WHOLE_LINKS.without('id', 'positionInChain'),
  members: { avatar: 'plain', ...LINK_MEMBERS },
  named: { action: 'action', platform: 'platform', identity: 'identity', erased: 'erased' },
  // The signature of a contract wallet has up to 64 KiB, all else of a link little.
  bytes: 'octet_length(extra::text)',
  pageBytes: 1_000_000,
});

/**
 * Adds links in one statement. The caller holds the append lock, and has given each link its id and its position.
 * The rows are those of `RecordedTime`.
 * @param parameter of `NEW_LINKS.json`
 */
export function insertLinksSql(parameter: string): string {
  return `insert into chain_link (${NEW_LINKS.names}) select ${NEW_LINKS.names} from ${NEW_LINKS.rowsOf(parameter)}
    returning uuid, recorded_at as "recordedAt"`;
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

/** Reads the `count` links behind `lastId`, oldest first, in the transaction of `manager`. */
export async function readWholeLinks(manager: EntityManager, lastId: number, count: number): Promise<ChainLink[]> {
  return manager.query(
    `select ${WHOLE_LINKS.selectedFrom('link')} from chain_link link where id > $1 order by id limit $2`,
    [lastId, count],
  );
}

/** Writes the `archive_id` of a link in the transaction of `manager`, and returns the link. */
export async function writeArchiveId(manager: EntityManager, id: number, archiveId: string): Promise<ChainLink> {
  const sql = `update chain_link link set archive_id = $2 where id = $1 returning ${WHOLE_LINKS.selectedFrom('link')}`;
  return (await changedRows<ChainLink>(manager, sql, [id, archiveId]))[0]!;
}

/** Erases the texts of a link, in the transaction of `manager`. */
export async function eraseLink(manager: EntityManager, id: number, erased: Erasure): Promise<void> {
  await manager.query(
    `update chain_link set identity = '', proof_location = '', signature_payload = '', extra = '{}', erased = $2
     where id = $1`,
    [id, JSON.stringify(erased)],
  );
}
