/**
 * Adds links in one statement, for a part of a `with`: the part `source` has the columns of `chain_link`. The caller
 * holds the append lock, and has given each link its id and its position.
 */
export function insertLinksSql(source: string): string {
  const columns = `id, avatar, position_in_chain, action, platform, identity, proof_location, created_at, uuid, signature,
    signature_payload, extra`;
  return `insert into chain_link (${columns}) select ${columns} from ${source} order by id`;
}

/** The id of the newest link of all Avatars, as an SQL expression; 0 if there is none. */
export const NEWEST_LINK_ID = '(select coalesce(max(id), 0) from chain_link)';

/** The uuids of those links among `$1` (uuid[]) that are recorded. */
export const RECORDED_LINKS = 'select uuid from chain_link where uuid = any($1::uuid[])';
