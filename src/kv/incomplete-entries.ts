/** An SQL expression: the key of the identity of `entry` (a row with `platform` and `identity`) in the map. */
export function identityKeySql(entry: string): string {
  return `encode(sha256(convert_to(
        concat_ws(chr(10), 'signet-map/1 identity', ${entry}.platform, ${entry}.identity), 'UTF8')), 'hex')`;
}

/**
 * An SQL expression: whether a patch of `entry` (a row with `avatar`, `platform` and `identity`) was erased. The
 * content of such an entry consists only of the patches after the erased one.
 */
export function isIncomplete(entry: string): string {
  return `exists (
    select from incomplete_entry as lost
    where lost.avatar = ${entry}.avatar
      and lost.identity_key = ${identityKeySql(entry)}
  )`;
}
