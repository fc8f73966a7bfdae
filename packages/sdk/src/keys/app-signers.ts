/** Keys of apps, which sign content for an Avatar that has added them (docs/keys.md). */
import { decodeHex, encodeBase64, encodeHex, type Hex } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';
import { writeAssertion } from '@signet/verify/internal/key-events';
import type { AppKeyAlgorithm } from '@signet/verify/key-events';
import { appKeyOf } from '@signet/verify/sign';
import { askedKey } from '../checks.js';
import { givenTo } from '../writes/given-to.js';
import { SignetError, WrongUsageError } from '../errors.js';
import type { PrivateKey } from '../signers/signer.js';

/** A key of an app, for one Avatar. */
export interface AppSigner {
  /** The Avatar, compressed, whose content it signs. */
  avatar: Hex;
  /** The name of the key: `<algorithm>:0x<hex>`. */
  key: string;
  /** The origin of the pages on which it signs; null for a key that is no passkey. */
  origin: string | null;
  /** Standard Base64 of a signature over the text. */
  sign(text: string): Promise<string>;
}

/** A key in the memory of the app. */
export interface AppKeyOptions {
  /** The Avatar, in any spelling. */
  avatar: string;
  algorithm: AppKeyAlgorithm;
  privateKey: PrivateKey;
}

/**
 * A key of an app whose 32 bytes the program holds.
 *
 *     const app = fromAppKey({ avatar, algorithm: 'ed25519', privateKey: process.env.APP_KEY });
 *     await client.kv.patch({ platform: 'github', identity: 'alice', patch: { visits: 3 }, signer: app });
 *
 * @throws WrongUsageError for what is no Avatar; SignetError (`wrong_signer`) for what is no private key
 */
export function fromAppKey(options: AppKeyOptions): AppSigner {
  const { avatar, algorithm, privateKey } = givenTo('fromAppKey', options);
  const bytes = typeof privateKey === 'string' ? decodeHex(privateKey.replace(/^0x/i, '')) : privateKey;
  try {
    const { key, sign } = appKeyOf(algorithm, bytes!);
    return { avatar: askedKey(avatar) as Hex, key, origin: null, sign: (text) => Promise.resolve(sign(text)) };
  } catch (cause) {
    if (cause instanceof WrongUsageError) throw cause;
    const message = 'A private key is 32 bytes, or 64 hex digits, and not zero.';
    throw new SignetError(message, { code: 'wrong_signer', cause });
  }
}

/** A `CryptoKey`. */
type SubtleKey = Parameters<typeof crypto.subtle.exportKey>[1];

/** A pair of keys of WebCrypto, whose private key may be one that cannot be exported. */
export interface CryptoKeyOptions {
  /** The Avatar, in any spelling. */
  avatar: string;
  /** ECDSA on P-256, or Ed25519. The public key has to be extractable, as it always is. */
  keys: { publicKey: SubtleKey; privateKey: SubtleKey };
}

/**
 * A key of WebCrypto as the key of an app.
 *
 *     const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
 *     const app = await fromCryptoKey({ avatar, keys });
 *
 * @throws SignetError (`wrong_signer`) for keys of other algorithms; WrongUsageError; what WebCrypto throws
 */
export async function fromCryptoKey(options: CryptoKeyOptions): Promise<AppSigner> {
  const { avatar, keys } = givenTo('fromCryptoKey', options);
  const { algorithm } = givenTo('publicKey of fromCryptoKey', givenTo('keys of fromCryptoKey', keys).publicKey);
  const { name, namedCurve } = algorithm as { name: string; namedCurve?: string };
  const isP256 = name === 'ECDSA' && namedCurve === 'P-256';
  if (!isP256 && name !== 'Ed25519') throw wrongKey();
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey));
  const how = isP256 ? { name: 'ECDSA', hash: 'SHA-256' } : { name: 'Ed25519' };
  return {
    avatar: askedKey(avatar) as Hex,
    key: isP256 ? es256Name(raw) : `ed25519:0x${encodeHex(raw)}`,
    origin: null,
    async sign(text) {
      const signature = await crypto.subtle.sign(how, keys.privateKey, utf8(text) as Uint8Array<ArrayBuffer>);
      return encodeBase64(new Uint8Array(signature));
    },
  };
}

/** The part of an `AuthenticatorAssertionResponse` that is sent. */
export interface PasskeyAssertion {
  authenticatorData: ArrayBuffer | Uint8Array;
  clientDataJSON: ArrayBuffer | Uint8Array;
  signature: ArrayBuffer | Uint8Array;
}

/** A passkey, and how the page asks for an assertion. */
export interface PasskeyOptions {
  /** The Avatar, in any spelling. */
  avatar: string;
  /** What `response.getPublicKey()` answered when the passkey was made (91 bytes), or the point of 65 or 33 bytes. */
  publicKey: ArrayBuffer | Uint8Array;
  /** The origin of the pages on which it is used, such as `location.origin`. */
  origin: string;
  /** Asks the passkey for an assertion over these 32 bytes, with `userVerification: 'required'`. */
  assert: (challenge: Uint8Array<ArrayBuffer>) => Promise<PasskeyAssertion>;
}

/**
 * A passkey (ES256) as the key of an app. Each signature asks its user.
 *
 *     const app = fromPasskey({
 *       avatar, publicKey, origin: location.origin,
 *       assert: async (challenge) => {
 *         const allowCredentials = [{ type: 'public-key', id: rawId }];
 *         const publicKey = { challenge, allowCredentials, userVerification: 'required' };
 *         return (await navigator.credentials.get({ publicKey })).response;
 *       },
 *     });
 *
 * @throws SignetError (`wrong_signer`) for another key than one of P-256; WrongUsageError for what is no Avatar
 */
export function fromPasskey({ avatar, publicKey, origin, assert }: PasskeyOptions): AppSigner {
  const bytes = new Uint8Array(publicKey);
  return {
    avatar: askedKey(avatar) as Hex,
    key: es256Name(bytes.length === SPKI_BYTES ? bytes.subarray(-65) : bytes),
    origin,
    async sign(text) {
      const digest = await crypto.subtle.digest('SHA-256', utf8(text) as Uint8Array<ArrayBuffer>);
      const { authenticatorData, clientDataJSON, signature } = await assert(new Uint8Array(digest));
      const parts = { authenticatorData, clientDataJSON, signature };
      const [data, client, made] = Object.values(parts).map((part) => new Uint8Array(part));
      return encodeBase64(writeAssertion({ authenticatorData: data!, clientDataJSON: client!, signature: made! }));
    },
  };
}

/** SubjectPublicKeyInfo of a point of P-256 (RFC 5480). */
const SPKI_BYTES = 91;

/** The name of a point of 33 or 65 bytes. */
function es256Name(point: Uint8Array): string {
  if (point.length === 33 && (point[0] === 2 || point[0] === 3)) return `es256:0x${encodeHex(point)}`;
  if (point.length !== 65 || point[0] !== 4) throw wrongKey();
  const parity = 2 + (point[64]! & 1);
  return `es256:0x${encodeHex(Uint8Array.of(parity, ...point.subarray(1, 33)))}`;
}

function wrongKey(): SignetError {
  return new SignetError('A key of an app is of ECDSA on P-256, Ed25519 or secp256k1.', { code: 'wrong_signer' });
}
