/** Keys of apps: who has them, and what they sign. */
import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { canonicalJson, encodeHex } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';
import { base64, person } from './people.mjs';

/** @import { Person } from './types.d.ts' */

/**
 * @typedef {object} App
 * @property {string} name `<algorithm>:0x<hex>`
 * @property {string | null} origin
 * @property {(text: string) => string} sign
 */

/**
 * @typedef {object} Change what of an assertion is to differ
 * @property {string} [host] whose passkey it is
 * @property {number} [flags]
 * @property {object} [client] members of what the browser says
 * @property {string} [text] that is signed in place of the one that was given
 * @property {(data: Uint8Array) => Uint8Array} [data] changes the data of the authenticator before it is signed
 * @property {(der: Uint8Array) => Uint8Array} [der]
 * @property {boolean} [highS]
 * @property {(written: string) => string} [written]
 */

export const ORIGIN = 'https://app.example.com';
const USER_PRESENT_AND_VERIFIED = 5;

/** @param {Uint8Array} bytes */
const base64url = (bytes) => Buffer.from(bytes).toString('base64url');
/** @param {string | Uint8Array} data */
const hashOf = (data) => new Uint8Array(createHash('sha256').update(data).digest());

/** @param {string} name */
const secretOf = (name) => hashOf(name);

/** @param {string} name @param {string | null} [origin] @returns {App} */
export function edApp(name, origin = null) {
  const secret = secretOf(name);
  return {
    name: `ed25519:0x${encodeHex(ed25519.getPublicKey(secret))}`,
    origin,
    sign: (text) => base64(ed25519.sign(utf8(text), secret)),
  };
}

/** @param {Person} who @returns {App} */
export const walletApp = ({ avatar, sign }) => ({ name: `secp256k1:${avatar}`, origin: null, sign });

/** @param {string} name */
const p256Name = (name) => `es256:0x${encodeHex(p256.getPublicKey(secretOf(name), true))}`;

/** A key of WebCrypto. @param {string} name @param {boolean} [highS] @returns {App} */
export function webApp(name, highS = false) {
  return {
    name: p256Name(name),
    origin: ORIGIN,
    sign: (text) => base64(signP256(utf8(text), name, highS).toBytes('compact')),
  };
}

/** @param {string} name @param {Change} [change] @returns {App} */
export function passkey(name, change = {}) {
  return { name: p256Name(name), origin: ORIGIN, sign: (text) => assertionOf(text, name, change) };
}

/** @param {Uint8Array} bytes @param {string} name @param {boolean} highS */
function signP256(bytes, name, highS) {
  const signature = p256.Signature.fromBytes(
    p256.sign(bytes, secretOf(name), { prehash: true, lowS: true }),
    'compact',
  );
  return highS ? new p256.Signature(signature.r, p256.Point.Fn.ORDER - signature.s) : signature;
}

/** @param {string} text @param {string} name @param {Change} change */
function assertionOf(text, name, change) {
  const { host = 'app.example.com', flags = USER_PRESENT_AND_VERIFIED, client = {}, highS = false } = change;
  const challenge = base64url(hashOf(change.text ?? text));
  const said = { type: 'webauthn.get', challenge, origin: ORIGIN, crossOrigin: false, ...client };
  const clientDataJSON = utf8(JSON.stringify(said));
  const data = Uint8Array.from([...hashOf(host), flags, 0, 0, 0, 7]);
  const authenticatorData = change.data ? change.data(data) : data;
  const signed = Uint8Array.from([...authenticatorData, ...hashOf(clientDataJSON)]);
  const der = signP256(signed, name, highS).toBytes('der');
  const parts = { authenticatorData, clientDataJSON, signature: change.der ? change.der(der) : der };
  const written = canonicalJson(
    Object.fromEntries(Object.entries(parts).map(([part, bytes]) => [part, base64url(bytes)])),
  );
  return base64(utf8(change.written ? change.written(written) : written));
}

export const backend = edApp('a program on a server');
export const tool = walletApp(person('a command'));
export const page = webApp('a page');
/** An assertion for each way in which one can be wrong, with whether it is right all the same. */
export const ASSERTIONS = /** @type {Record<string, { change: Change, isGood?: boolean }>} */ ({
  'a-passkey': { change: {}, isGood: true },
  'a-passkey-with-a-high-s': { change: { highS: true }, isGood: true },
  'a-passkey-of-the-parent-host': { change: { host: 'example.com' }, isGood: true },
  'a-passkey-that-is-copied': { change: { flags: 1 | 4 | 8 | 16 }, isGood: true },
  'a-passkey-with-extensions': {
    change: { flags: 1 | 4 | 128, data: (data) => Uint8Array.from([...data, 0xa0]) },
    isGood: true,
  },
  'a-passkey-of-a-top-level-domain': { change: { host: 'com' } },
  'a-passkey-of-another-host': { change: { host: 'other.example.com' } },
  'a-passkey-on-another-origin': { change: { client: { origin: 'https://app.example.org' } } },
  'a-passkey-on-another-port': { change: { client: { origin: 'https://app.example.com:8443' } } },
  'a-passkey-in-a-frame': { change: { client: { crossOrigin: true } } },
  'a-passkey-in-what-may-be-a-frame': { change: { client: { crossOrigin: 'no' } } },
  'a-passkey-below-another-page': { change: { client: { topOrigin: 'https://example.org' } } },
  'a-passkey-that-was-made-and-not-used': { change: { client: { type: 'webauthn.create' } } },
  'a-passkey-over-another-text': { change: { text: 'another text' } },
  'a-passkey-without-its-user': { change: { flags: 4 } },
  'a-passkey-whose-user-was-not-verified': { change: { flags: 1 } },
  'a-passkey-that-is-copied-and-cannot-be': { change: { flags: 1 | 4 | 16 } },
  'a-passkey-with-a-new-key': { change: { flags: 1 | 4 | 64 } },
  'a-passkey-whose-data-is-cut-off': { change: { data: (data) => data.subarray(0, 36) } },
  'a-passkey-with-bytes-more': { change: { data: (data) => Uint8Array.from([...data, 0]) } },
  'a-passkey-with-a-byte-behind-its-signature': { change: { der: (der) => Uint8Array.from([...der, 0]) } },
  'a-passkey-with-a-long-length': {
    change: { der: (der) => Uint8Array.from([0x30, 0x81, ...der.subarray(1)]) },
  },
  'a-passkey-in-another-order': {
    change: { written: (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse())) },
  },
  'a-passkey-with-blanks': { change: { written: (text) => text.replaceAll(',', ', ') } },
});
