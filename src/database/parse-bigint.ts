/**
 * Reads a `bigint` as a number, for all connections of the service: `pg` gives 64-bit integers as decimal text, because
 * a number is exact up to 2^53 - 1 only.
 * @throws RangeError beyond that, or for a text that is not a whole number: a rounded id would name another row.
 */
export function parseBigint(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value)) {
    throw new RangeError(`The database returned ${text}, which is not a safe integer.`);
  }
  return value;
}
