/**
 * A sparse Merkle tree over keys of 32 bytes. A subtree without leaves is 32 zero bytes; one with a single leaf is that
 * leaf, at any depth; one with more is a node that splits them by the next bit of their keys, the highest bit of the
 * first byte first, 0 to the left. A leaf is SHA-256 of 0x02, its key and the hash of its value, a node SHA-256 of 0x03
 * and both children, so that none passes for the other or for something in the tree of the log (0x00, 0x01).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes, utf8 } from '../text/encoding.js';
import { HASH_BYTES, type Sha256 } from '../log/tree.js';

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = new Uint8Array(HASH_BYTES);

/** The byte in front of what a leaf of the map is hashed of. */
export const MAP_LEAF = 2;
/** The byte in front of what a node of the map is hashed of. */
export const MAP_NODE = 3;

/** A proof has at most as many siblings as a key has bits. */
const KEY_BITS = 8 * HASH_BYTES;

/** That a key has a value, or none. */
export interface MapProof {
  /** The hashes beside the path of the key, from the deepest up. */
  siblings: readonly Uint8Array[];
  /** What stands at the end of the path: a leaf, of this key or of another one, or nothing. */
  end: { key: Uint8Array; valueHash: Uint8Array } | null;
}

/** What a proof shows. */
export interface ProvenValue {
  /** SHA-256 of the value; null where it is shown that the key has none. */
  valueHash: Uint8Array | null;
}

/** 32 bytes as a text of as many characters, which takes a third of the memory of an array. */
type Bytes32 = string;

interface Leaf {
  key: Bytes32;
  valueHash: Bytes32;
  hash?: Bytes32;
}
interface Branch {
  left: Node;
  right: Node;
  hash?: Bytes32;
}
type Node = Leaf | Branch | null;

/** The hash of a value of the map, a text. */
export function valueHash(text: string, hash: Sha256 = sha256): Uint8Array {
  return hash(utf8(text));
}

/**
 * What a proof shows of a key of 32 bytes in the tree with this root; null if it shows nothing, because it does not
 * lead to the root, has more siblings than a key has bits, or ends with a leaf of another place. Never throws.
 */
export function provenValue(
  root: Uint8Array,
  key: Uint8Array,
  { siblings, end }: MapProof,
  hash: Sha256 = sha256,
): ProvenValue | null {
  const depth = siblings.length;
  const given = [root, key, ...siblings, ...(end ? [end.key, end.valueHash] : [])];
  if (depth > KEY_BITS || given.some((bytes) => bytes.length !== HASH_BYTES)) return null;
  if (end && commonBits(end.key, key) < depth) return null;
  let node = end ? mapLeafHash(end, hash) : EMPTY_ROOT;
  for (const [index, sibling] of siblings.entries()) {
    node = bitOf(key, depth - 1 - index) ? mapNodeHash(sibling, node, hash) : mapNodeHash(node, sibling, hash);
  }
  if (!equalBytes(node, root)) return null;
  return { valueHash: end && equalBytes(end.key, key) ? end.valueHash : null };
}

/** The whole tree in memory. Hashes are computed when a root or a proof is asked for, and kept. */
export class SparseTree {
  private top: Node = null;

  constructor(private readonly hash: Sha256 = sha256) {}

  /**
   * Gives a key the hash of a new value, or takes it out of the tree (`null`).
   * @throws RangeError if one of them is not 32 bytes long
   */
  set(key: Uint8Array, valueHash: Uint8Array | null): void {
    if (key.length !== HASH_BYTES || (valueHash && valueHash.length !== HASH_BYTES)) {
      throw new RangeError('Keys and hashes of values are 32 bytes long.');
    }
    const name = textOf(key);
    this.top = valueHash ? put(this.top, { key: name, valueHash: textOf(valueHash) }, 0) : takeOut(this.top, name, 0);
  }

  /** 32 bytes. */
  root(): Uint8Array {
    return bytesOf(this.hashOf(this.top));
  }

  /** The proof for a key of 32 bytes, in the tree or not. */
  prove(key: Uint8Array): MapProof {
    const siblings: Uint8Array[] = [];
    let node = this.top;
    while (node && 'left' in node) {
      const isRight = bitOf(key, siblings.length) === 1;
      siblings.push(bytesOf(this.hashOf(isRight ? node.left : node.right)));
      node = isRight ? node.right : node.left;
    }
    const end = node && { key: bytesOf(node.key), valueHash: bytesOf(node.valueHash) };
    return { siblings: siblings.reverse(), end };
  }

  private hashOf(node: Node): Bytes32 {
    if (!node) return EMPTY;
    node.hash ??= textOf('left' in node ? this.hashOfBranch(node) : this.hashOfLeaf(node));
    return node.hash;
  }

  private hashOfBranch({ left, right }: Branch): Uint8Array {
    return mapNodeHash(bytesOf(this.hashOf(left)), bytesOf(this.hashOf(right)), this.hash);
  }

  private hashOfLeaf({ key, valueHash }: Leaf): Uint8Array {
    return mapLeafHash({ key: bytesOf(key), valueHash: bytesOf(valueHash) }, this.hash);
  }
}

const EMPTY: Bytes32 = textOf(EMPTY_ROOT);

function textOf(bytes: Uint8Array): Bytes32 {
  return String.fromCharCode(...bytes);
}

function bytesOf(text: Bytes32): Uint8Array {
  const bytes = new Uint8Array(HASH_BYTES);
  for (let index = 0; index < HASH_BYTES; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** The bit of a key at a depth: 0 or 1. */
function bitOfText(key: Bytes32, depth: number): number {
  return (key.charCodeAt(depth >> 3) >> (7 - (depth & 7))) & 1;
}

function put(node: Node, leaf: Leaf, depth: number): Node {
  if (!node) return leaf;
  if (!('left' in node)) return node.key === leaf.key ? leaf : put(split(node, depth), leaf, depth);
  return bitOfText(leaf.key, depth)
    ? { left: node.left, right: put(node.right, leaf, depth + 1) }
    : { left: put(node.left, leaf, depth + 1), right: node.right };
}

/** A node above a leaf that was alone at this depth. */
function split(leaf: Leaf, depth: number): Branch {
  return bitOfText(leaf.key, depth) ? { left: null, right: leaf } : { left: leaf, right: null };
}

function takeOut(node: Node, key: Bytes32, depth: number): Node {
  if (!node || !('left' in node)) return node?.key === key ? null : node;
  const isRight = bitOfText(key, depth) === 1;
  const other = isRight ? node.left : node.right;
  const child = isRight ? node.right : node.left;
  const rest = takeOut(child, key, depth + 1);
  if (rest === child) return node;
  // A leaf that is left alone takes the place of the node.
  if (!rest && other && !('left' in other)) return other;
  if (!other && rest && !('left' in rest)) return rest;
  return isRight ? { left: other, right: rest } : { left: rest, right: other };
}

/**
 * The hash of a leaf of the map: SHA-256 of 0x02, its key and the hash of its value. `hash` may be a faster SHA-256.
 */
export function mapLeafHash({ key, valueHash }: NonNullable<MapProof['end']>, hash: Sha256 = sha256): Uint8Array {
  return hashOfTwo(MAP_LEAF, key, valueHash, hash);
}

/** The hash of a node of the map: SHA-256 of 0x03 and the hashes of its children. `hash` may be a faster SHA-256. */
export function mapNodeHash(left: Uint8Array, right: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  return hashOfTwo(MAP_NODE, left, right, hash);
}

/** What is hashed: one array for all, because a map has millions of nodes. */
const message = new Uint8Array(1 + 2 * HASH_BYTES);

function hashOfTwo(prefix: number, one: Uint8Array, other: Uint8Array, hash: Sha256): Uint8Array {
  message[0] = prefix;
  message.set(one, 1);
  message.set(other, 1 + HASH_BYTES);
  return hash(message);
}

/** The bit of a key at a depth, from 0: 0 or 1. */
export function bitOf(key: Uint8Array, depth: number): number {
  return (key[depth >> 3]! >> (7 - (depth & 7))) & 1;
}

/** In how many of their first bits two keys agree. */
function commonBits(one: Uint8Array, other: Uint8Array): number {
  const byte = one.findIndex((value, index) => value !== other[index]);
  return byte < 0 ? KEY_BITS : 8 * byte + Math.clz32(one[byte]! ^ other[byte]!) - 24;
}
