/**
 * Adds links in one statement, for a part of a `with`: the part `source` has the columns of `chain_link`. The caller
 * holds the append lock, and has given each link its id and its position.
 */
export function insertLinksSql(source: string): string {
  const columns = `id, avatar, position_in_chain, action, platform, identity, proof_location, created_at, uuid, signature,
    signature_payload, extra`;
  return `insert into chain_link (${columns}) select ${columns} from ${source} order by id`;
}

/**
 * What the chain of `avatar` has, for the position of a link with `uuid`; both are SQL expressions. One row with `head`
 * (signature, or null), `length` and `isRecorded`.
 */
export function chainStateSql(avatar: string, uuid: string): string {
  return `
    select head.signature as head, coalesce(head.position_in_chain, 0) as length,
      exists (select from chain_link where uuid = ${uuid}) as "isRecorded"
    from (select 1) as always
    left join lateral (
      select signature, position_in_chain from chain_link where avatar = ${avatar} order by position_in_chain desc limit 1
    ) as head on true`;
}

/** The id of the newest link of all Avatars, as an SQL expression; 0 if there is none. */
export const NEWEST_LINK_ID = '(select coalesce(max(id), 0) from chain_link)';
