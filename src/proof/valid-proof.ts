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
