/** Keys of apps: how they are named, and whether one of them signed a text (docs/keys.md). */
import { sha256 } from '@noble/hashes/sha2.js';
import type { Curves } from '../keys/curves.js';
import { nobleEd25519 } from '../keys/noble-ed25519.js';
import { decodeBase64, decodeHex, utf8 } from '../text/encoding.js';
import { isP256Signature } from './p256.js';
import { signerOf } from './recovery-key.js';
import { problemOfAssertion, readAssertion } from './webauthn.js';

/** What a key of an app can be. `es256` is ECDSA on P-256 with SHA-256: of a passkey, or of WebCrypto. */
export type AppKeyAlgorithm = 'secp256k1' | 'es256' | 'ed25519';

/** Compressed points of 33 bytes, and Ed25519 keys of 32 bytes. */
const APP_KEY = /^(?:(?:secp256k1|es256):0x0[23][0-9a-f]{64}|ed25519:0x[0-9a-f]{64})$/;

/**
 * `https://` and a host in small letters, with its port where that is not 443, as a browser writes an origin; or
 * `http://localhost` with its port, for those who build an app.
 */
const ORIGIN =
  /^(?:https:\/\/(?=[^:]{1,253}(?::|$))(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::(?!443$)[1-9][0-9]{0,4})?|http:\/\/localhost(?::(?!80$)[1-9][0-9]{0,4})?)$/;

/** Characters of the longest signature that is read: the assertion of a passkey in Base64 has some 700. */
const MAX_SIGNATURE_CHARS = 4_096;

/** Whether a value, which may be anything, names a key of an app: `<algorithm>:0x<hex>`. */
export function isAppKey(value: unknown): value is string {
  return typeof value === 'string' && APP_KEY.test(value);
}

/** Whether a value, which may be anything, is the origin of a page. */
export function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && ORIGIN.test(value);
}

/** What is said beside the text of a signature of an app. */
export interface AppSignature {
  /** `<algorithm>:0x<hex>`. */
  key: string;
  /**
   * Base64 of 65 bytes (secp256k1: personal_sign), of 64 bytes (es256: r and s over SHA-256; ed25519), or of the
   * canonical JSON of a passkey's assertion.
   */
  signature: unknown;
  /** The origin that the key was added with; null where it was added with none; undefined where that is not known. */
  origin: string | null | undefined;
}

/**
 * Why a key of an app did not sign this text, as a sentence; null where it did. Never throws. P-256 takes a high s as
 * well as a low one, as browsers and authenticators make both; the uuid of a text, and not its signature, is what makes
 * it one.
 */
export function problemOfAppSignature(
  text: string,
  { key, signature, origin }: AppSignature,
  curves: Curves,
): string | null {
  if (!isAppKey(key)) return 'Its signer names no key of an app.';
  const isShort = typeof signature === 'string' && signature.length <= MAX_SIGNATURE_CHARS;
  const bytes = isShort ? decodeBase64(signature) : null;
  if (!bytes) return 'Its signature is not Base64.';
  const [algorithm, hex] = key.split(':') as [AppKeyAlgorithm, string];
  const point = decodeHex(hex.slice(2))!;
  const notMade = `Its signature was not made by the key ${key} over its signed text.`;
  if (algorithm === 'secp256k1') return signerOf(text, signature, curves.secp256k1) === hex ? null : notMade;
  if (algorithm === 'ed25519') {
    return (curves.ed25519 ?? nobleEd25519).verify(utf8(text), bytes, point) ? null : notMade;
  }
  const assertion = readAssertion(bytes);
  if (assertion) return problemOfAssertion(assertion, { challenge: sha256(utf8(text)), origin, key: point, curves });
  return isP256Signature(utf8(text), bytes, point, 'compact', curves) ? null : notMade;
}
