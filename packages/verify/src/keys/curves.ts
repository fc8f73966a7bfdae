/**
 * What the rules ask of curve libraries. The curve is a parameter everywhere, so that a server can use a native library
 * and a small page a small one; `noble-curves.ts` has the one that is used when none is given.
 */

/** A point in both encodings of SEC 1: 33 and 65 bytes. */
export interface PublicKey {
  compressed: Uint8Array;
  uncompressed: Uint8Array;
}

/** ECDSA on secp256k1 (SEC 2). No method throws, for any bytes. */
export interface Secp256k1 {
  /** Reads a point of 33 or 65 bytes; null if it is not on the curve or is spelled otherwise. */
  parsePublicKey: (bytes: Uint8Array) => PublicKey | null;
  /**
   * The 33-byte key that made this signature of a 32-byte digest, or null. `rs` is r and s, 32 bytes each, big-endian.
   * A high s is accepted. Recovery ids 2 and 3 stand for a nonce point whose x is n or above; they exist in
   * mathematics, but not in personal_sign.
   */
  recover: (digest: Uint8Array, rs: Uint8Array, recovery: 0 | 1 | 2 | 3) => Uint8Array | null;
  /**
   * Of a server, which checks what it is sent, and then the record that it makes of it: returns the key that `recover`
   * finds for a text and a signature, or has found before.
   */
  recovered?: (text: string, signature: Uint8Array, recover: () => Uint8Array | null) => Uint8Array | null;
  /** Of such a server: returns the digest of a text that several keys have signed, which `digest` computes. */
  digested?: (text: string, digest: () => Uint8Array) => Uint8Array;
}

/** Ed25519 (RFC 8032), strict. No method throws. */
export interface Ed25519 {
  /** True for 32 bytes that are the canonical encoding of a curve point and not one of the 8 points of small order. */
  isUsablePublicKey: (key: Uint8Array) => boolean;
  /** True if the 64-byte signature of the message is valid under the 32-byte key. Unusable keys verify nothing. */
  verify: (message: Uint8Array, signature: Uint8Array, key: Uint8Array) => boolean;
}

/** Schnorr signatures on secp256k1 (BIP-340). No method throws. */
export interface Bip340 {
  /** True if the 64-byte signature of the message is valid under the 32-byte key, the x of a point. */
  verify: (message: Uint8Array, signature: Uint8Array, key: Uint8Array) => boolean;
}

/** ECDSA on a curve of NIST (FIPS 186-5): P-256 with SHA-256, or P-384 with SHA-384. No method throws. */
export interface NistCurve {
  /**
   * True if the signature of the message, r and s one behind the other, is valid under the key, a point in either
   * encoding of SEC 1. A high s is accepted.
   */
  verify: (message: Uint8Array, signature: Uint8Array, key: Uint8Array) => boolean;
}

/**
 * The curves of the rules. Without ed25519 the signatures of Solana wallets are "not checkable", without bip340 those
 * of keys of Nostr. P-256 and P-384, by which zones of the DNS sign, and P-256 by which keys of apps do, are those of
 * `@noble/curves` where they are absent.
 */
export interface Curves {
  secp256k1: Secp256k1;
  ed25519: Ed25519 | null;
  bip340?: Bip340 | null;
  p256?: NistCurve | undefined;
  p384?: NistCurve | undefined;
}

/** The option of every function that checks signatures of Avatars and wallets. */
export interface WithCurves {
  /** The curves to use; `nobleCurves` when absent. */
  curves?: Curves | undefined;
}

/** The option of every function that checks signatures of logs, witnesses and observers. */
export interface WithEd25519 {
  /** The curves to use, of which only Ed25519 counts; `nobleCurves` when absent. */
  curves?: Pick<Curves, 'ed25519'> | undefined;
}

/** The option of functions that check signatures of zones of the DNS. */
export interface WithNistCurves {
  /** The curves to use, of which only P-256 and P-384 count; those of `@noble/curves` when absent. */
  curves?: Pick<Curves, 'p256' | 'p384'> | undefined;
}

/**
 * Whether bytes have the length and the first byte of a compressed or an uncompressed key. Hybrid keys are a third
 * spelling (first byte 6 or 7) that is not in use, and that some libraries read.
 */
export function hasKeyPrefix(bytes: Uint8Array): boolean {
  if (bytes.length === 65) return bytes[0] === 4;
  return bytes.length === 33 && (bytes[0] === 2 || bytes[0] === 3);
}
