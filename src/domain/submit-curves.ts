import type { Curves, Secp256k1 } from '@signet/verify';
import { LRUCache } from 'lru-cache';
import { serviceCurves } from '../crypto/ecdsa.js';

/** Texts whose signers are remembered, and the characters that all of it may take. */
const REMEMBERED = { max: 1000, maxSize: 1 << 20, maxEntrySize: 1 << 17 };
/** Keys that are remembered; each takes some 500 bytes. */
const MAX_KEYS = 2000;

/**
 * `serviceCurves` for what clients send, which is checked as it comes and again as the record that it becomes: what was
 * recovered once is not recovered again.
 */
export const submitCurves: Curves = { ...serviceCurves, secp256k1: remembering(serviceCurves.secp256k1) };

/**
 * The curve with a memory of some seconds of submits: of digests by text, of signers by text and signature, and of
 * points by their bytes. Each follows from these alone, so nothing can be remembered wrongly.
 */
export function remembering(secp256k1: Secp256k1): Secp256k1 {
  const signers = new LRUCache<string, Uint8Array>({ ...REMEMBERED, sizeCalculation: (_, name) => name.length });
  const digests = new LRUCache<string, Uint8Array>({ ...REMEMBERED, sizeCalculation: (_, text) => text.length + 1 });
  const points = new LRUCache<string, NonNullable<ReturnType<Secp256k1['parsePublicKey']>>>({ max: MAX_KEYS });
  return {
    ...secp256k1,
    recovered(text, signature, recover) {
      // No signature is longer, and where all had one length no two pairs would have one name.
      if (signature.length !== 65) return recover();
      const name = latin1(signature) + text;
      const known = signers.get(name) ?? recover();
      if (known) signers.set(name, known);
      return known;
    },
    digested(text, digest) {
      const known = digests.get(text) ?? digest();
      digests.set(text, known);
      return known;
    },
    parsePublicKey(bytes) {
      const name = latin1(bytes);
      const known = points.get(name) ?? secp256k1.parsePublicKey(bytes);
      if (known) points.set(name, known);
      return known;
    },
  };
}

/** A character for each byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
