/**
 * The Merkle tree of the log: hashes, roots and both kinds of proof (RFC 6962 section 2.1; verification in the words of
 * RFC 9162 sections 2.1.3.2 and 2.1.4.2). Hashes are SHA-256, 32 bytes. Sizes and indices are whole numbers up to
 * 2^53 - 1; what lies above is refused. Division instead of `>>`, which has 32 bits in JavaScript.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes } from '../text/encoding.js';

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** SHA-256: `@noble/hashes` where none is given; a server may have a faster one. */
export type Sha256 = (message: Uint8Array) => Uint8Array;

/** The hash of an entry as a leaf: SHA-256 of 0x00 and its bytes. */
export function leafHash(entry: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  const message = new Uint8Array(1 + entry.length);
  message.set(entry, 1);
  return hash(message);
}

/** The hash of a node: SHA-256 of 0x01 and both children. */
export function nodeHash(left: Uint8Array, right: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  const message = new Uint8Array(1 + 2 * HASH_BYTES);
  message[0] = 1;
  message.set(left, 1);
  message.set(right, 1 + HASH_BYTES);
  return hash(message);
}

/** The root of the tree without entries: SHA-256 of nothing. */
export function emptyRoot(hash: Sha256 = sha256): Uint8Array {
  return hash(new Uint8Array());
}

/**
 * The root over complete subtrees that lie side by side, the largest first: of `h0, h1, h2` it is
 * `node(h0, node(h1, h2))`, of none the root of the empty tree.
 */
export function foldNodes(hashes: readonly Uint8Array[], hash: Sha256 = sha256): Uint8Array {
  const last = hashes.at(-1);
  if (!last) return emptyRoot(hash);
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(left, right, hash), last);
}

/** The root over leaf hashes, or over the hashes of complete subtrees of one height. */
export function treeRoot(hashes: readonly Uint8Array[], hash: Sha256 = sha256): Uint8Array {
  const frontier = new TreeFrontier(0, [], hash);
  for (const added of hashes) frontier.add(added);
  return frontier.root();
}

/**
 * A tree that only grows: holds one hash for each set bit of its size, so that a log of any length is recomputed in
 * little memory, and what it holds can be stored and taken up again.
 */
export class TreeFrontier {
  private readonly complete: Uint8Array[];
  private count: number;

  /**
   * An empty tree, or one taken up where `size` and `hashes` of another were read.
   * @throws RangeError if the hashes are not one for each set bit of the size
   */
  constructor(
    size = 0,
    hashes: readonly Uint8Array[] = [],
    private readonly hash: Sha256 = sha256,
  ) {
    if (!isSize(size) || hashes.length !== setBits(size) || !areHashes(hashes)) {
      throw new RangeError('A frontier has one hash for each set bit of its size.');
    }
    this.count = size;
    this.complete = [...hashes];
  }

  get size(): number {
    return this.count;
  }

  /** The roots of the complete subtrees, from left to right. */
  get hashes(): Uint8Array[] {
    return [...this.complete];
  }

  /** Appends an entry by its leaf hash. */
  add(leaf: Uint8Array): void {
    let node = leaf;
    for (let rest = this.count; rest % 2 === 1; rest = half(rest)) {
      node = nodeHash(this.complete.pop()!, node, this.hash);
    }
    this.complete.push(node);
    this.count++;
  }

  root(): Uint8Array {
    return foldNodes(this.complete, this.hash);
  }
}

/** What an inclusion proof claims. */
export interface InclusionClaim {
  leafHash: Uint8Array;
  /** Zero-based. */
  index: number;
  size: number;
  root: Uint8Array;
  /** From the sibling of the leaf up to a child of the root. */
  proof: readonly Uint8Array[];
}

/** True if the leaf stands at this index of the tree with this root. Never throws. */
export function isIncluded(
  { leafHash: leaf, index, size, root, proof }: InclusionClaim,
  hash: Sha256 = sha256,
): boolean {
  if (!isSize(index) || !isSize(size) || index >= size || !areHashes([leaf, root, ...proof])) return false;
  let position = index;
  let last = size - 1;
  let node = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      node = nodeHash(sibling, node, hash);
      for (; position % 2 === 0 && position !== 0; position = half(position)) last = half(last);
    } else {
      node = nodeHash(node, sibling, hash);
    }
    position = half(position);
    last = half(last);
  }
  return last === 0 && equalBytes(node, root);
}

/** What a consistency proof claims. */
export interface ConsistencyClaim {
  size1: number;
  root1: Uint8Array;
  size2: number;
  root2: Uint8Array;
  proof: readonly Uint8Array[];
}

/**
 * True if the tree of `size1` entries is the beginning of that of `size2`. A tree without entries is the beginning of
 * each, with an empty proof, if its root is that of the empty tree. Never throws.
 */
export function isConsistent(claim: ConsistencyClaim, hash: Sha256 = sha256): boolean {
  const { size1, root1, size2, root2, proof } = claim;
  if (!isSize(size1) || !isSize(size2) || size1 > size2) return false;
  if (size1 === size2) return proof.length === 0 && equalBytes(root1, root2) && (size1 > 0 || isEmptyRoot(root1));
  if (!areHashes([root1, root2, ...proof])) return false;
  if (size1 === 0) return proof.length === 0 && isEmptyRoot(root1);
  const roots = rootsOfProof(claim, hash);
  return roots !== null && equalBytes(roots[0], root1) && equalBytes(roots[1], root2);
}

/**
 * True if these roots cannot be of one history: they differ at one size, or the proof leads to `root2` and to another
 * root than `root1`. The hashes of a proof that leads to `root2` are nodes of its tree (else SHA-256 has a collision),
 * so that tree begins with another one than that of `root1`. With the signatures of a log over both roots this is
 * evidence against the log; a proof that does not lead to `root2` shows nothing. Where `size1` is a power of two, the
 * proof leaves the root of the first tree out (RFC 9162 section 2.1.4.1) and cannot be evidence. Never throws.
 */
export function isContradiction(claim: ConsistencyClaim, hash: Sha256 = sha256): boolean {
  const { size1, root1, size2, root2, proof } = claim;
  if (!isSize(size1) || !isSize(size2) || size1 > size2 || !areHashes([root1, root2, ...proof])) return false;
  if (size1 === size2) return !equalBytes(root1, root2);
  const roots = size1 === 0 ? null : rootsOfProof(claim, hash);
  return roots !== null && !equalBytes(roots[0], root1) && equalBytes(roots[1], root2);
}

/**
 * Returns the roots of both trees as a consistency proof gives them (RFC 9162 section 2.1.4.2), for sizes above 0 of
 * which the first is the smaller one; null for a proof of another length.
 */
function rootsOfProof(
  { size1, root1, size2, proof }: ConsistencyClaim,
  hash: Sha256,
): [root1: Uint8Array, root2: Uint8Array] | null {
  const [first, ...rest] = setBits(size1) === 1 ? [root1, ...proof] : proof;
  if (!first || proof.length === 0) return null;
  let position = size1 - 1;
  let last = size2 - 1;
  for (; position % 2 === 1; position = half(position)) last = half(last);
  let node1 = first;
  let node2 = first;
  for (const sibling of rest) {
    if (last === 0) return null;
    if (position % 2 === 1 || position === last) {
      node1 = nodeHash(sibling, node1, hash);
      node2 = nodeHash(sibling, node2, hash);
      for (; position % 2 === 0 && position !== 0; position = half(position)) last = half(last);
    } else {
      node2 = nodeHash(node2, sibling, hash);
    }
    position = half(position);
    last = half(last);
  }
  return last === 0 ? [node1, node2] : null;
}

/** The largest power of two smaller than a number above 1: where RFC 6962 splits a tree. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** True for a whole number that can count entries here. */
export function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isEmptyRoot(root: Uint8Array): boolean {
  return equalBytes(root, emptyRoot());
}

function areHashes(hashes: readonly Uint8Array[]): boolean {
  return hashes.every((hash) => hash.length === HASH_BYTES);
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function setBits(value: number): number {
  let count = 0;
  for (let rest = value; rest > 0; rest = half(rest)) count += rest % 2;
  return count;
}

/** Indices of entries from `start` up to, but without, `end`. */
interface Range {
  start: number;
  end: number;
}

/** The complete subtree over entries `index * 2^level` up to, but without, `(index + 1) * 2^level`. */
export interface TreeNode {
  level: number;
  index: number;
}

/** The complete subtrees of a tree, the largest first: `foldNodes` of their hashes is the root. */
export function rootNodes(size: number): TreeNode[] {
  return rangeNodes({ start: 0, end: size });
}

/**
 * The subtrees whose hashes make the inclusion proof of an entry (RFC 6962 section 2.1.1), from the sibling of the leaf
 * upwards: `foldNodes` of each list is one hash of the proof.
 * @throws RangeError if the tree has no entry of this index
 */
export function inclusionNodes(index: number, size: number): TreeNode[][] {
  if (!isSize(index) || !isSize(size) || index >= size) throw new RangeError('The tree has no entry of this index.');
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    ranges.unshift(index < middle ? { start: middle, end } : { start, end: middle });
    [start, end] = index < middle ? [start, middle] : [middle, end];
  }
  return ranges.map(rangeNodes);
}

/**
 * The subtrees whose hashes make the proof that the tree of `size1` entries is the beginning of that of `size2` (RFC
 * 6962 section 2.1.2). Nothing for equal sizes and for the tree without entries.
 * @throws RangeError if `size1` is the larger one
 */
export function consistencyNodes(size1: number, size2: number): TreeNode[][] {
  if (!isSize(size1) || !isSize(size2) || size1 > size2) throw new RangeError('The first tree is the larger one.');
  if (size1 === 0) return [];
  const ranges: Range[] = [];
  let [start, end] = [0, size2];
  while (size1 !== end) {
    const middle = start + splitOf(end - start);
    ranges.unshift(size1 <= middle ? { start: middle, end } : { start, end: middle });
    [start, end] = size1 <= middle ? [start, middle] : [middle, end];
  }
  // The verifier knows the root of the smaller tree, and needs this subtree only where it is not all of it.
  if (start > 0) ranges.unshift({ start, end });
  return ranges.map(rangeNodes);
}

/** The complete subtrees of a range that begins at a multiple of the power of two that spans it, the largest first. */
function rangeNodes({ start, end }: Range): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let from = start; from < end;) {
    let level = 0;
    while (2 ** (level + 1) <= end - from) level++;
    nodes.push({ level, index: from / 2 ** level });
    from += 2 ** level;
  }
  return nodes;
}
