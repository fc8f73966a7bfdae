/** Private keys that people paste in the place of a name, of which nothing may be sent, kept, or repeated. */

/** `nsec1` and letters of Bech32 (NIP-19): with 40 of its 58 it is no name, and most of the secret is there. */
const NOSTR_PRIVATE_KEY = /nsec1[02-9ac-hj-np-z]{40}/i;

/** Whether a text holds a private key of Nostr, also a part of one. */
export function holdsPrivateKey(text: string): boolean {
  return NOSTR_PRIVATE_KEY.test(text);
}
