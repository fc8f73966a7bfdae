import { isVoidBinding, VOID_REASON } from '../holds/avatar-holds.js';

/** SQL expression: whether a row of `proof` is valid, and not made behind the last link that the owner made. */
export function countsSql(row: string): string {
  return `(${row}.is_valid and not ${isVoidBinding(row)})`;
}

/** SQL expression: why a row of `proof` does not count; `''` where it does. */
export function invalidReasonSql(row: string): string {
  return `case when ${row}.is_valid and ${isVoidBinding(row)} then '${VOID_REASON}' else ${row}.invalid_reason end`;
}

/**
 * SQL condition: whether the Avatar of a row holds a valid proof, now, of the identity of that row. `row` is the alias
 * of anything with the columns `avatar`, `platform` and `identity`. One query answers for many rows, and a list can be
 * ordered by it.
 */
export function holdsValidProof(row: string): string {
  return `exists (
    select 1 from proof where proof.avatar = ${row}.avatar and proof.platform = ${row}.platform
      and proof.identity = ${row}.identity and ${countsSql('proof')}
  )`;
}

/**
 * SQL expression: when the valid proof that `holdsValidProof` asks for was last checked; null where there is none.
 */
export function validProofCheckedAt(row: string): string {
  return `(
    select proof.last_checked_at from proof where proof.avatar = ${row}.avatar and proof.platform = ${row}.platform
      and proof.identity = ${row}.identity and ${countsSql('proof')}
  )`;
}

/**
 * Bindings of one identity that a lookup reads, the newest: one wallet can sign for any number of Avatars, so there may
 * be any number of them.
 */
export const MOST_HOLDERS = 1000;

/**
 * SQL select: the Avatars that hold a valid proof, now, of one identity, among the newest 1,000 that hold any of it.
 * @param platform an SQL expression, as is `identity`
 */
export function validHoldersOf(platform: string, identity: string): string {
  return `select newest.avatar from (
    select proof.avatar, proof.link_id, proof.is_valid from proof where proof.platform = ${platform} and proof.identity = ${identity}
    order by proof.link_id desc limit ${MOST_HOLDERS}
  ) as newest where ${countsSql('newest')}`;
}

/**
 * SQL select: of the 1,000 Avatars that hold one identity, valid or not, by the oldest links, those that had bound it
 * before a link. The binding of one that was renewed rests on a later link than the one that made it; no more than
 * these are asked for that one, however many hold the identity.
 * @param platform an SQL expression, as are `identity`, and `before`, the number of that link
 */
export function oldestHoldersOf(platform: string, identity: string, before: string): string {
  const firstLink = `select link.id from chain_link link
    where link.avatar = oldest.avatar and link.platform = ${platform} and link.identity = ${identity}
    order by link.position_in_chain limit 1`;
  return `select oldest.avatar from (
    select proof.avatar, proof.link_id from proof where proof.platform = ${platform} and proof.identity = ${identity}
    order by proof.link_id limit ${MOST_HOLDERS}
  ) as oldest where case when oldest.link_id < ${before} then true else (${firstLink}) < ${before} end`;
}
