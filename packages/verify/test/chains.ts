/** Keys, links and patches for the tests, made with nothing but noble, so that they run in a browser too. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { addressOfKey, encodeHex, linkPayload, patchPayload } from '../src/index.js';
import { utf8 } from '../src/internal/internal.js';
import type { SignedLink, SignedPatch } from '../src/index.js';
import { signPersonal } from '../src/sign.js';

/** A person whose key is Avatar and wallet at once. */
export interface Keys {
  privateKey: Uint8Array;
  /** Compressed key. */
  avatar: string;
  address: string;
  /** personal_sign, Base64. */
  sign(text: string): string;
}

/** Makes keys from a name; one name always gives the same keys. */
export function keysNamed(name: string): Keys {
  const privateKey = sha256(utf8(name));
  const avatar = `0x${encodeHex(secp256k1.getPublicKey(privateKey, true))}`;
  return { privateKey, avatar, address: addressOfKey(avatar), sign: (text) => signPersonal(text, privateKey) };
}

export interface ChainShape {
  /** The link before the first one. */
  after?: SignedLink;
  platform?: string;
  action?: string;
  /** UNIX seconds of the first link. */
  time?: number;
  uuid?: string;
}

const START = 1_718_000_000;
let made = 0;

/**
 * `count` links. Wallets 0 and 1 are bound; then, turn about, one is revoked and bound again. Other platforms get
 * creates without a wallet.
 */
export function chainOf(person: Keys, count: number, shape: ChainShape = {}): SignedLink[] {
  const wallets = [keysNamed('wallet 0'), keysNamed('wallet 1')];
  const links: SignedLink[] = [];
  let previous = shape.after ?? null;
  for (let index = 0; index < count; index++) {
    const wallet = wallets[index < 2 ? index : (index >> 1) % 2 === 1 ? 0 : 1]!;
    const platform = shape.platform ?? 'ethereum';
    const fields = {
      action: shape.action ?? (index >= 2 && index % 2 === 0 ? 'delete' : 'create'),
      avatar: person.avatar,
      created_at: String((shape.time ?? START) + index),
      identity: platform === 'ethereum' ? wallet.address : 'alice',
      platform,
      uuid: shape.uuid ?? newUuid(),
    };
    const text = linkPayload({ ...fields, prev: previous?.signature ?? null });
    const isWallet = platform === 'ethereum' && fields.action === 'create';
    const link = {
      ...fields,
      proof_location: '',
      signature: person.sign(text),
      signature_payload: text,
      extra: isWallet ? { wallet_signature: wallet.sign(text) } : {},
    };
    links.push(link);
    previous = link;
  }
  return links;
}

/** One patch after the other, under the key itself. */
export function patchesOf(person: Keys, patches: object[]): SignedPatch[] {
  const items: SignedPatch[] = [];
  for (const [index, patch] of patches.entries()) {
    const prev = items.at(-1)?.signature ?? null;
    const fields = { avatar: person.avatar, created_at: START + index, identity: 'alice', patch, platform: 'self' };
    const uuid = newUuid();
    const text = patchPayload({ ...fields, prev, uuid });
    items.push({ ...fields, uuid, signature: person.sign(text), signature_payload: text });
  }
  return items;
}

function newUuid(): string {
  made += 1;
  return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
}
