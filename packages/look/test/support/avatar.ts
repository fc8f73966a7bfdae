import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32 } from '@scure/base';
import { type AvatarKeyText, findAvatarKey } from '@signet/verify';
import secp256k1 from 'secp256k1';

/** A person of the tests with a secp256k1 key. */
export interface TestAvatar {
  key: AvatarKeyText;
  /** 32 bytes. */
  privateKey: Uint8Array;
  /** personal_sign: standard Base64 of r, s, v (65 bytes, v 27 or 28). */
  sign(payload: string): string;
}

/** An Ethereum wallet of the tests. */
export interface TestWallet {
  /** `0x` and 40 lowercase hex digits. */
  address: string;
  /** 32 bytes. */
  privateKey: Uint8Array;
  /** personal_sign: standard Base64 of r, s, v (65 bytes, v 27 or 28). */
  sign(payload: string): string;
}

/** A Solana wallet of the tests. */
export interface TestSolanaWallet {
  /** Base58 of the 32 bytes of the public key. */
  address: string;
  /** 32 bytes, the seed. */
  privateKey: Uint8Array;
  /** ed25519 over the UTF-8 bytes: standard Base64 of 64 bytes. */
  sign(payload: string): string;
  /** ed25519 over the UTF-8 bytes in Base58, as browser wallets give it. */
  signBase58(payload: string): string;
  /**
   * As a Ledger behind a browser wallet: the signature of the wrapper that names the site, and the wrapper, in Base64.
   */
  signForSite(payload: string, site?: string): { wallet_signature: string; wallet_message: string };
}

/** A key of Nostr of the tests. */
export interface TestNostrKey {
  npub: string;
  /** 64 lowercase hex digits. */
  hex: string;
  /** 32 bytes. */
  privateKey: Uint8Array;
  /** The signed event of kind 26743 whose content is the payload, at its time; `change` makes another event of it. */
  event(payload: string, change?: object): Record<string, unknown> & { id: string; sig: string };
  /** The `sig` of that event. */
  sign(payload: string): string;
}

/** An Avatar made from a name: one name always gives the same key, another name another key. */
export function anAvatar(name = 'alice'): TestAvatar {
  const privateKey = secretOf(`avatar ${name}`);
  const publicKey = secp256k1.publicKeyCreate(privateKey, true);
  return {
    key: findAvatarKey(`0x${Buffer.from(publicKey).toString('hex')}`)!,
    privateKey,
    sign: (payload) => personalSign(payload, privateKey),
  };
}

/** An externally owned account; its key is never that of the Avatar of the same name. */
export function aWallet(name = 'alice'): TestWallet {
  const privateKey = secretOf(`wallet ${name}`);
  const point = secp256k1.publicKeyCreate(privateKey, false).slice(1);
  return {
    address: `0x${Buffer.from(keccak_256(point).slice(-20)).toString('hex')}`,
    privateKey,
    sign: (payload) => personalSign(payload, privateKey),
  };
}

export function aSolanaWallet(name = 'alice'): TestSolanaWallet {
  const privateKey = secretOf(`solana ${name}`);
  const sign = (payload: string) => ed25519.sign(Buffer.from(payload, 'utf8'), privateKey);
  const publicKey = ed25519.getPublicKey(privateKey);
  return {
    address: base58.encode(publicKey),
    privateKey,
    sign: (payload) => Buffer.from(sign(payload)).toString('base64'),
    signBase58: (payload) => base58.encode(sign(payload)),
    signForSite: (payload, site = 'dapp.example.com') => {
      const message = offChainMessage(payload, publicKey, Buffer.from(site.padEnd(32, '\0')));
      return {
        wallet_signature: Buffer.from(ed25519.sign(message, privateKey)).toString('base64'),
        wallet_message: message.toString('base64'),
      };
    },
  };
}

/** Written from NIP-01 as programs of Nostr do it, with `JSON.stringify`, and not from `@signet/verify`. */
export function aNostrKey(name = 'alice'): TestNostrKey {
  const privateKey = secretOf(`nostr ${name}`);
  const key = schnorr.getPublicKey(privateKey);
  const hex = Buffer.from(key).toString('hex');
  const event = (payload: string, change: object = {}) => {
    const { created_at: time } = JSON.parse(payload) as { created_at: string };
    const template = { pubkey: hex, created_at: Number(time), kind: 26743, tags: [], content: payload, ...change };
    const { pubkey, created_at, kind, tags, content } = template;
    const id = createHash('sha256')
      .update(JSON.stringify([0, pubkey, created_at, kind, tags, content]))
      .digest();
    const sig = Buffer.from(schnorr.sign(id, privateKey)).toString('hex');
    return { ...template, id: id.toString('hex'), sig };
  };
  return {
    npub: bech32.encodeFromBytes('npub', key),
    hex,
    privateKey,
    event,
    sign: (payload) => event(payload).sig,
  };
}

/** Solana, "Off-Chain Message Signing", version 0, one signer. `domain` has 32 bytes. */
export function offChainMessage(text: string, signer: Uint8Array, domain = Buffer.alloc(32), format = 0) {
  const body = Buffer.from(text);
  const length = Buffer.of(body.length % 256, Math.floor(body.length / 256));
  const head = Buffer.from('\xffsolana offchain\x00', 'latin1');
  return Buffer.concat([head, domain, Buffer.of(format, 1), signer, length, body]);
}

/** Written from ERC-191 and not from `@signet/verify`, so that the tests hold a second opinion of the digest. */
function personalSign(message: string, privateKey: Uint8Array): string {
  const bytes = Buffer.from(message, 'utf8');
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`, 'latin1');
  const { signature, recid } = secp256k1.ecdsaSign(keccak_256(Buffer.concat([prefix, bytes])), privateKey);
  return Buffer.concat([signature, Uint8Array.of(27 + recid)]).toString('base64');
}

function secretOf(name: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(name).digest());
}
