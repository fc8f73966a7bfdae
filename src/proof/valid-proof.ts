/**
 * SQL condition: whether the Avatar of a row holds a valid proof, now, of the identity of that row. `row` is the alias
 * of anything with the columns `avatar`, `platform` and `identity`. One query answers for many rows, and a list can be
 * ordered by it.
 */
export function holdsValidProof(row: string): string {
  return `exists (
    select 1 from proof where proof.avatar = ${row}.avatar and proof.platform = ${row}.platform
      and proof.identity = ${row}.identity and proof.is_valid
  )`;
}

/**
 * SQL select: the Avatars that hold a valid proof, now, of one identity. For lists of many rows under one identity,
 * where a lookup for each row would cost more.
 * @param platform an SQL expression, as is `identity`
 */
export function validHoldersOf(platform: string, identity: string): string {
  return `select proof.avatar from proof where proof.platform = ${platform} and proof.identity = ${identity} and proof.is_valid`;
}
