/** Which texts no platform could have as an identity. */
import { cleanPasted, holdsPrivateKey } from '@signet/verify/internal';

/** Longer than any identity of a platform; keeps rows, indexes and messages small. */
export const MAX_IDENTITY_LENGTH = 256;
/** Stricter than `isStorable`: no identity and no location has a control character. */
export const UNUSABLE_TEXT = /\p{Cc}|\p{Cs}/u;
// KELVIN SIGN and I WITH DOT ABOVE: of all characters, these two have an ASCII letter in their lower case.
const ASCII_LOOKALIKE = /[\u0130\u212a]/;
/** Said in place of what was sent, which is not repeated. */
export const PRIVATE_KEY =
  'identity holds a private key, as nsec or as words, which nobody else may see: move to another key if it was sent over a network.';

/** Why no platform could have an identity, in one sentence, or null. */
export function problemOfIdentity(text: string): string | null {
  const meant = cleanPasted(text);
  if (meant === '') return 'identity is empty.';
  if (text.length > MAX_IDENTITY_LENGTH) {
    return `identity has ${text.length} characters; at most ${MAX_IDENTITY_LENGTH} are allowed.`;
  }
  if (holdsPrivateKey(meant)) return PRIVATE_KEY;
  if (UNUSABLE_TEXT.test(meant)) return 'identity contains a control character or an unpaired surrogate.';
  return ASCII_LOOKALIKE.test(meant) ? 'identity holds a letter that only looks like an ASCII one.' : null;
}
