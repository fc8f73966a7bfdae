/** Keys of Nostr as people write them (NIP-19): Bech32 (BIP-173) behind `npub1` and `nsec1`. */
import { bech32 } from '@scure/base';

const KEY_BYTES = 32;
/** The four letters, `1`, 52 letters for 32 bytes, and 6 of the checksum. */
const KEY_TEXT = /^(?:npub|nsec)1[02-9ac-hj-np-z]{58}$/;

/** The 32 bytes of a public key: x of a point (BIP-340); null for what is not an `npub` in small letters. */
export function decodeNpub(text: string): Uint8Array | null {
  return decodeKey('npub', text);
}

/** The `npub` of 32 bytes, in small letters. */
export function encodeNpub(key: Uint8Array): string {
  return bech32.encodeFromBytes('npub', key);
}

/** The 32 bytes of a private key; null for what is not an `nsec` in small letters. */
export function decodeNsec(text: string): Uint8Array | null {
  return decodeKey('nsec', text);
}

function decodeKey(kind: 'npub' | 'nsec', text: string): Uint8Array | null {
  if (!KEY_TEXT.test(text)) return null;
  try {
    const { prefix, bytes } = bech32.decodeToBytes(text);
    return prefix === kind && bytes.length === KEY_BYTES ? bytes : null;
  } catch {
    return null;
  }
}
