import type { ValueTransformer } from 'typeorm';

/**
 * A `bigint` from the driver as a number. `pg` hands 64-bit integers over as decimal text, because a number holds only
 * 53 bits.
 * @throws RangeError beyond 2^53 - 1 or for a text that is not a whole number: a rounded id would silently name another
 *   row.
 */
export function parseBigint(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value)) {
    throw new RangeError(`The database returned ${text}, which is not a safe integer.`);
  }
  return value;
}

/**
 * For `@Column({ type: 'bigint', transformer: bigintColumn })`: a number in the code, `null` stays `null`. Rows of raw
 * SQL do not pass here; their ids come as text, which `parseBigint` turns into numbers.
 * @throws RangeError for a value that a number cannot hold exactly, in either direction.
 */
export const bigintColumn: ValueTransformer = {
  from: (stored: string | null | undefined) => (stored == null ? stored : parseBigint(stored)),
  to: (value: unknown) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new RangeError(`${value} is not a safe integer.`);
    }
    return value;
  },
};
