/* What a text of the database cannot hold. With the flag u, a surrogate is one without its other half. */

const UNSTORABLE = /\0|\p{Surrogate}/u;
const HALVES_OF_PAIRS = /\p{Surrogate}/gu;

/** Whether PostgreSQL can hold `text`: without U+0000 and without half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** `text` with U+FFFD in place of each half of a surrogate pair, which UTF-8 cannot write. */
export function wellFormed(text: string): string {
  return text.replaceAll(HALVES_OF_PAIRS, '\ufffd');
}
