/**
 * What anybody can do with a chain of patches: verify it and replay it. Written from RFC 7396 and decisions of the
 * signed text, without the code of the service, so that the tests hold a second opinion. Objects are `Map`s here: every
 * name is just a name.
 */
import secp256k1 from 'secp256k1';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** A patch as the chain shows it. */
export interface ChainItem {
  uuid: string;
  platform: string;
  identity: string;
  patch: unknown;
  created_at: number;
  signature: string;
  signature_payload: string;
}

type Tree = Map<string, Tree> | readonly Tree[] | string | number | boolean | null;

/** Canonical JSON of each entry that the patches add up to, by `platform identity`. */
export function replay(items: Pick<ChainItem, 'platform' | 'identity' | 'patch'>[]): Record<string, string> {
  const entries = new Map<string, Tree>();
  for (const { platform, identity, patch } of items) {
    const key = `${platform} ${identity}`;
    entries.set(key, mergePatch(entries.get(key) ?? new Map<string, Tree>(), toTree(patch)));
  }
  return Object.fromEntries([...entries].map(([key, tree]) => [key, canonical(tree)]));
}

/**
 * The first thing that is wrong with a chain, in words, or null: each text must be signed by `compressedKey` and name
 * the signature before.
 */
export function flawOf(items: ChainItem[], compressedKey: string): string | null {
  let previous: string | null = null;
  for (const [index, item] of items.entries()) {
    const { uuid, platform, identity, patch, created_at, signature, signature_payload } = item;
    const signed = { action: 'kv', avatar: compressedKey, created_at, identity, patch, platform, prev: previous, uuid };
    if (canonical(toTree(signed)) !== signature_payload) return `patch ${index} is not what was signed`;
    if (signerOf(signature_payload, signature) !== compressedKey) return `patch ${index} is signed by somebody else`;
    previous = signature;
  }
  return null;
}

/** RFC 7396, section 2, line by line. */
function mergePatch(target: Tree | undefined, patch: Tree): Tree {
  if (!(patch instanceof Map)) return patch;
  const merged = target instanceof Map ? new Map(target) : new Map<string, Tree>();
  for (const [name, value] of patch) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return merged;
}

function toTree(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(toTree);
  if (typeof value !== 'object' || value === null) return value as Tree;
  return new Map(Object.entries(value).map(([name, member]) => [name, toTree(member)]));
}

/** RFC 8785. The default order of `sort` is that of UTF-16 code units, which is the one it asks for. */
function canonical(tree: Tree): string {
  if (tree instanceof Map) {
    const members = [...tree.keys()].sort().map((name) => `${JSON.stringify(name)}:${canonical(tree.get(name)!)}`);
    return `{${members.join(',')}}`;
  }
  return Array.isArray(tree) ? `[${tree.map(canonical).join(',')}]` : JSON.stringify(tree);
}

/** The compressed key that made a personal_sign signature (Base64 of r, s, v), with `0x`. */
function signerOf(message: string, signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  const text = Buffer.from(message, 'utf8');
  const digest = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`, 'latin1'), text]),
  );
  return `0x${Buffer.from(secp256k1.ecdsaRecover(bytes.subarray(0, 64), bytes[64]! - 27, digest)).toString('hex')}`;
}
