/**
 * JSON text of a value, for a parameter of type json: PostgreSQL refuses JSON with half of a surrogate pair, and as
 * UTF-8 such text would get a replacement character too.
 */
export function wellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' && HALF_A_PAIR.test(member) ? member.replaceAll(/\p{Surrogate}/gu, '\ufffd') : member,
  );
}

// With the flag u, a surrogate without its other half.
const HALF_A_PAIR = /\p{Surrogate}/u;
