/** SQL expression of a time as it stands on the wire: whole seconds since 1970, rounded down, as decimal text. */
export function unixSecondsSql(time: string): string {
  return `floor(date_part('epoch', ${time}))::bigint::text`;
}
