/** Private keys that people paste in the place of a name, of which nothing may be sent, kept, or repeated. */

/** `nsec1` and letters of Bech32 (NIP-19): with 40 of its 58 it is no name, and most of the secret is there. */
const NOSTR_PRIVATE_KEY = /nsec1[02-9ac-hj-np-z]{40}/i;
/** How many words a key may have, and what they look like (BIP-39). */
const WORD_COUNTS = [12, 15, 18, 21, 24];
const WORD = /^[a-z]{3,8}$/i;
const MAX_WORDS_LENGTH = 400;

/**
 * Whether a text has a private key of Nostr in it, also a part of one, or is the words of a key and nothing else. Words
 * behind commas are a list of names, as look-ups take them.
 */
export function holdsPrivateKey(text: string): boolean {
  return NOSTR_PRIVATE_KEY.test(text) || (text.length <= MAX_WORDS_LENGTH && areWords(text.trim()));
}

function areWords(text: string): boolean {
  const words = text.split(/\s+/);
  return WORD_COUNTS.includes(words.length) && words.every((word) => WORD.test(word));
}
