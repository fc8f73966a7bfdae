import type { DataSource, EntityManager } from 'typeorm';
import { hiddenParameter, readRows } from '../database/connections/prepared.js';
import { TableColumns } from '../database/table-columns.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { PER_PAGE } from '../domain/page.js';
import { ChainLink } from './chain-link.entity.js';

/** A link as it is answered. */
export type StoredLink = Omit<ChainLink, 'recordedAt'>;

/** The table of links. */
export const LINKS_TABLE = 'chain_link';

const LINKS = TableColumns.of(ChainLink);
/** The columns of new links, without those that the database sets. */
export const NEW_LINKS = LINKS.without('recordedAt', 'archiveId', 'erased');
/*
 * Pages of links are the largest answers of the service, so they are read without entities: TypeORM takes longer to
 * make a hundred of them than PostgreSQL to find the rows and Node to write the answer.
 */
const STORED = LINKS.without('recordedAt');
const COLUMNS = STORED.selectedFrom('link');

/**
 * Adds links in one statement. The caller holds the append lock, and has given each link its id and its position.
 * @param parameter of `NEW_LINKS.json`
 */
export function insertLinksSql(parameter: string): string {
  return `insert into chain_link (${NEW_LINKS.names}) select ${NEW_LINKS.names} from ${NEW_LINKS.rowsOf(parameter)}`;
}

/** The id of the newest link of all Avatars, as an SQL expression; 0 if there is none. */
export const NEWEST_LINK_ID = '(select coalesce(max(id), 0) from chain_link)';

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
  select ${LINKS.selectedFrom('link')}
  from (
    select next.*, sum(octet_length(extra::text)) over (order by id) - octet_length(extra::text) as bytes_before
    from (
      select * from chain_link where id > ${hiddenParameter(1, 'bigint')} order by id limit ${hiddenParameter(2, 'bigint')}
    ) as next
  ) as link
  where link.bytes_before < ${hiddenParameter(3, 'bigint')} order by link.id`;

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
  return (await readRows(source, CHAIN_PAGE, values)).map((row) => STORED.read(row));
}

/** A row of `CHAIN_PAGE_AND_LENGTH`: without a link on a page past the end. */
export type LinkRowAndLength = { length: number; id: string | null };

/** The links of `CHAIN_PAGE_AND_LENGTH`, and the length of the chain. */
export function toChainPage(rows: LinkRowAndLength[]): { items: StoredLink[]; total: number } {
  return { items: rows.filter(({ id }) => id !== null).map((row) => STORED.read(row)), total: rows[0]!.length };
}

/** Up to `count` links of all Avatars with an id above `lastId`, ascending; fewer where they are very long. */
export async function readChanges(source: DataSource, lastId: number, count: number): Promise<StoredLink[]> {
  return (await readRows(source, CHANGES, [lastId, count, MAX_EXTRA_BYTES])).map((row) => STORED.read(row));
}

/** Links with the times at which they were accepted, in the transaction of `manager`; see `readChanges`. */
export async function readRecordedLinks(
  manager: EntityManager,
  lastId: number,
  count: number,
  maxExtraBytes: number,
): Promise<ChainLink[]> {
  const rows: object[] = await manager.query(CHANGES, [lastId, count, maxExtraBytes]);
  return rows.map((row) => LINKS.read(row));
}

/** Writes other times at which links were accepted, in the transaction of `manager`. */
export async function setLinkTimes(
  manager: EntityManager,
  links: Pick<ChainLink, 'id' | 'recordedAt'>[],
): Promise<void> {
  await manager.query(
    `update chain_link set recorded_at = given.recorded_at
     from unnest($1::bigint[], $2::timestamptz[]) as given(id, recorded_at) where chain_link.id = given.id`,
    [links.map(({ id }) => id), links.map(({ recordedAt }) => recordedAt)],
  );
}
