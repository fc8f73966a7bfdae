/**
 * A second implementation of the tree, written apart from `src/transparency-log`, word by word after RFC 6962 section
 * 2.1, with recursion, BigInt and Node's hash. Slow and plain: it is here to disagree.
 */
import { createHash } from 'node:crypto';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

export const leafHashOf = (entry: Uint8Array) => sha256(Buffer.from([0]), entry);
const nodeHashOf = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.from([1]), left, right);

/** The largest power of two smaller than n. */
function split(n: number): number {
  let k = 1;
  while (k << 1 < n) k <<= 1;
  return k;
}

/** A list of leaf hashes D, with what was computed of its parts. */
export class Rfc6962Tree {
  private readonly known = new Map<string, Uint8Array>();

  constructor(private readonly leaves: Uint8Array[]) {}

  /** MTH(D[from:to]) of section 2.1. */
  root(to: number, from = 0): Uint8Array {
    if (to === from) return sha256();
    if (to - from === 1) return this.leaves[from]!;
    const key = `${from}:${to}`;
    const known = this.known.get(key);
    if (known) return known;
    const k = from + split(to - from);
    const hash = nodeHashOf(this.root(k, from), this.root(to, k));
    this.known.set(key, hash);
    return hash;
  }

  /** PATH(m, D[from:to]) of section 2.1.1. */
  path(m: number, to: number, from = 0): Uint8Array[] {
    if (to - from === 1) return [];
    const k = split(to - from);
    if (m < k) return [...this.path(m, from + k, from), this.root(to, from + k)];
    return [...this.path(m - k, to, from + k), this.root(from + k, from)];
  }

  /** PROOF(m, D[n]) of section 2.1.2. */
  proof(m: number, n: number): Uint8Array[] {
    return this.subproof(m, n, 0, true);
  }

  private subproof(m: number, to: number, from: number, isComplete: boolean): Uint8Array[] {
    if (m === to - from) return isComplete ? [] : [this.root(to, from)];
    const k = split(to - from);
    if (m <= k) return [...this.subproof(m, from + k, from, isComplete), this.root(to, from + k)];
    return [...this.subproof(m - k, to, from + k, false), this.root(from + k, from)];
  }
}

/**
 * The root that an audit path leads to, by the recursion of PATH run backwards; null if the path has another length.
 */
export function rootOfPath(leaf: Uint8Array, index: number, size: number, path: Uint8Array[]): Uint8Array | null {
  if (size === 1) return path.length === 0 ? leaf : null;
  const last = path.at(-1);
  if (!last) return null;
  const rest = path.slice(0, -1);
  const k = split(size);
  if (index < k) {
    const left = rootOfPath(leaf, index, k, rest);
    return left && nodeHashOf(left, last);
  }
  const right = rootOfPath(leaf, index - k, size - k, rest);
  return right && nodeHashOf(last, right);
}

/** The two roots that a consistency proof leads to, by the recursion of SUBPROOF run backwards. */
export function rootsOfProof(
  m: number,
  n: number,
  root1: Uint8Array,
  proof: Uint8Array[],
  isComplete = true,
): [Uint8Array, Uint8Array] | null {
  if (m === n) {
    if (isComplete) return proof.length === 0 ? [root1, root1] : null;
    return proof.length === 1 ? [proof[0]!, proof[0]!] : null;
  }
  const last = proof.at(-1);
  if (!last) return null;
  const rest = proof.slice(0, -1);
  const k = split(n);
  if (m <= k) {
    const left = rootsOfProof(m, k, root1, rest, isComplete);
    return left && [left[0], nodeHashOf(left[1], last)];
  }
  const right = rootsOfProof(m - k, n - k, root1, rest, false);
  return right && [nodeHashOf(last, right[0]), nodeHashOf(last, right[1])];
}
