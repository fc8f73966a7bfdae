/** The people of the vectors: reproducible keys, and links and patches signed with them. */
import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { addressOfKey, encodeBase58, encodeBase64, encodeHex, linkPayload, patchPayload } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';
import { encodeNpub, nostrEventId } from '@signet/verify/internal/signatures';
import { signPersonal } from '@signet/verify/sign';

/** @import { Expected, Link, LinkStep, Numbered, Patch, PatchStep, Person } from './types.d.ts' */

/** UNIX seconds of the first link and patch. */
export const START = 1_718_000_000;

/**
 * The private key is SHA-256 of the name: for secp256k1, and as the seed of Ed25519.
 * @param {string} name
 * @returns {Person}
 */
export function person(name) {
  const secret = new Uint8Array(createHash('sha256').update(name).digest());
  const avatar = `0x${encodeHex(secp256k1.getPublicKey(secret, true))}`;
  return {
    secret,
    avatar,
    uncompressed: `0x${encodeHex(secp256k1.getPublicKey(secret, false))}`,
    address: addressOfKey(avatar),
    solana: encodeBase58(ed25519.getPublicKey(secret)),
    solanaKey: ed25519.getPublicKey(secret),
    npub: encodeNpub(schnorr.getPublicKey(secret)),
    /** personal_sign in Base64. */
    sign: (text) => signPersonal(text, secret),
    /** Ed25519 over bytes. */
    signBytes: (bytes) => ed25519.sign(bytes, secret),
    /** BIP-340 over 32 bytes, without randomness. */
    signId: (id) => schnorr.sign(id, secret, new Uint8Array(32)),
  };
}

export const alice = person('alice');
export const mallory = person('mallory');
export const wallet = person('wallet');

/**
 * Signs bytes with Ed25519 under a key `A = aB + T` with T of order 8, as its owner can: valid by the equation with the
 * cofactor, and by the one without it only where the challenge is a multiple of 8.
 */
export const torsionWallet = (() => {
  const { Point } = ed25519;
  const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
  const scalar = BigInt(`0x${createHash('sha256').update('wallet with torsion').digest('hex')}`) % Point.Fn.ORDER;
  const key = Point.BASE.multiply(scalar).add(torsion).toBytes();
  return {
    solana: encodeBase58(key),
    /** @param {Uint8Array} bytes @param {boolean} isValid @returns {Buffer} */
    sign: (bytes, isValid) => {
      for (let nonce = 1n; ; nonce += 1n) {
        const r = Point.BASE.multiply(nonce).toBytes();
        const digest = createHash('sha512').update(r).update(key).update(bytes).digest().reverse();
        const challenge = BigInt(`0x${digest.toString('hex')}`) % Point.Fn.ORDER;
        if ((challenge % 8n === 0n) !== isValid) continue;
        const s = (nonce + challenge * scalar) % Point.Fn.ORDER;
        return Buffer.concat([r, Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()]);
      }
    },
  };
})();

/** @param {string} text */
const asItIs = (text) => text;

/**
 * A uuid of the form that the service issues, made of a text.
 * @param {string} text
 */
export function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
}

/**
 * Signs links one behind the other. A step has `action`, `platform`, `identity`, and what else is to differ.
 * @param {Pick<Person, 'avatar' | 'sign'>} owner
 * @param {LinkStep[]} steps
 * @param {Pick<Link, 'uuid' | 'signature'> | null} [after] the newest link before these
 * @returns {Link[]}
 */
export function linksOf(owner, steps, after = null) {
  /** @type {Link[]} */
  const links = [];
  for (const [index, { sign = owner.sign, rewrite = asItIs, extra, signed = {}, ...step }] of steps.entries()) {
    const fields = {
      action: 'create',
      avatar: owner.avatar,
      created_at: String(START + 60 * index),
      platform: 'ethereum',
      identity: wallet.address,
      uuid: uuidOf(`link ${index} of ${owner.avatar} behind ${after?.uuid ?? 'nothing'}`),
      ...step,
    };
    const prev = (links.at(-1) ?? after)?.signature ?? null;
    const text = rewrite(linkPayload({ ...fields, prev, ...signed }));
    const isWallet = fields.platform === 'ethereum' && fields.action === 'create';
    links.push({
      ...without(fields, 'avatar'),
      proof_location: step.platform === 'github' ? 'd66130c14c1d6e7e7d8f29cf2ae4b2c5' : '',
      signature: sign(text),
      signature_payload: text,
      extra: extra ?? (isWallet ? { wallet_signature: wallet.sign(text) } : {}),
    });
  }
  return links;
}

/**
 * Gives a link the signature of the solana wallet.
 * @param {Link} link
 */
export function bySolana(link) {
  link.extra = { wallet_signature: base64(wallet.signBytes(utf8(link.signature_payload))) };
  return link;
}

/**
 * Gives a link the signature of the key of Nostr.
 * @param {Link} link
 */
export function byNostr(link) {
  const id = nostrEventId(link.signature_payload, schnorr.getPublicKey(wallet.secret));
  link.extra = { wallet_signature: base64(wallet.signId(/** @type {Uint8Array} */ (id))) };
  return link;
}

/**
 * Signs patches one behind the other. A step has `patch`, and what else is to differ.
 * @param {Pick<Person, 'avatar' | 'sign'>} owner
 * @param {PatchStep[]} steps
 * @returns {Patch[]}
 */
export function patchesOf(owner, steps) {
  /** @type {Patch[]} */
  const patches = [];
  for (const [index, { sign = owner.sign, rewrite = asItIs, signed = {}, ...step }] of steps.entries()) {
    const fields = {
      created_at: START + 60 * index,
      platform: 'github',
      identity: 'alice',
      uuid: uuidOf(`patch ${index} of ${owner.avatar}`),
      ...step,
    };
    const prev = patches.at(-1)?.signature ?? null;
    const text = rewrite(patchPayload({ avatar: owner.avatar, ...fields, prev, ...signed }));
    patches.push({ ...fields, signature: sign(text), signature_payload: text });
  }
  return patches;
}

const ORDER = secp256k1.Point.Fn.ORDER;

/** Other forms of a signature of 65 bytes in Base64, as bytes. */
export const forms = {
  /**
   * The other s, and the other parity with it: the same signature for mathematics.
   * @param {string} signature
   */
  highS(signature) {
    const bytes = Buffer.from(signature, 'base64');
    const s = (ORDER - BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`)).toString(16).padStart(64, '0');
    return Buffer.concat([bytes.subarray(0, 32), Buffer.from(s, 'hex'), Buffer.of(55 - bytes[64])]);
  },
  /**
   * Another recovery byte.
   * @param {string} signature
   * @param {(v: number) => number} change
   */
  withV(signature, change) {
    const bytes = Buffer.from(signature, 'base64');
    bytes[64] = change(bytes[64]);
    return bytes;
  },
  /**
   * 64 bytes, after EIP-2098.
   * @param {string} signature
   */
  compact(signature) {
    const bytes = Buffer.from(signature, 'base64');
    const compact = bytes.subarray(0, 64);
    compact[32] |= (bytes[64] - 27) << 7;
    return compact;
  },
};

/** @param {Uint8Array} bytes */
export const base64 = (bytes) => encodeBase64(new Uint8Array(bytes));
/** @param {Uint8Array} bytes */
export const hex = (bytes) => encodeHex(new Uint8Array(bytes));

/**
 * A copy of JSON that may be changed.
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
export const copyOf = (value) => JSON.parse(JSON.stringify(value));

/**
 * An object without some of its members.
 * @template {object} Item
 * @template {string} Name
 * @param {Item} object
 * @param {...Name} names
 * @returns {Omit<Item, Name>}
 */
export function without(object, ...names) {
  const copy = { ...object };
  for (const name of names) delete copy[/** @type {keyof Item} */ (/** @type {unknown} */ (name))];
  return copy;
}

/**
 * Links or patches of Alice as feeds answer them, numbered from `first`.
 * @template {object} Item
 * @param {Item[]} items
 * @param {number} [first]
 * @returns {Numbered<Item>[]}
 */
export const numbered = (items, first = 101) =>
  items.map((item, index) => ({ id: first + index, avatar: alice.avatar, ...item }));

/**
 * The expected result if all that can be checked is right.
 * @param {object} [facts]
 * @param {string[]} [notCheckable]
 * @returns {Expected}
 */
export function accepted(facts = {}, notCheckable = []) {
  return { ok: true, reasons: [], not_checkable: [...notCheckable].sort(), ...facts };
}

/**
 * The expected result if these steps fail.
 * @param {string[]} reasons
 * @param {string[]} [notCheckable]
 * @param {object} [facts]
 * @returns {Expected}
 */
export function refused(reasons, notCheckable = [], facts = {}) {
  return { ok: false, reasons: [...reasons].sort(), not_checkable: [...notCheckable].sort(), ...facts };
}
