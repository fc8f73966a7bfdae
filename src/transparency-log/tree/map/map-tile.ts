import { bitOf, mapNodeHash } from '@signet/verify/map';
import { sha256 } from '../../../crypto/hashing.js';
import {
  type Below,
  BELOW_BYTES,
  endOfLeaf,
  isBelow,
  isLeaf,
  type MapLeaf,
  readBelow,
  readLeaf,
  readNumber,
  rootOf,
  type Slot,
  writeBelow,
  writeLeaf,
} from './map-slot.js';

/** How many slots a tile has: it stands for four levels of a tree, one hex digit of the keys. */
export const WIDTH = 16;
const LEVELS = 4;
const HASH_BYTES = 32;

/** Which slots are in use, and which of these have a tile below: a bit for each digit, two bytes each. */
const HEAD_BYTES = 4;
const EMPTY_BYTES = Buffer.alloc(HEAD_BYTES);

/** A tile while it is written: one buffer for all, because most of its greatest length is never used. */
const written = Buffer.alloc(1 << 16);

/** The place of the root among the nodes of a tile: node n is above 2n and 2n + 1, and slot d is number WIDTH + d. */
const ROOT = 1;

/** Tiles with fewer slots in use are stored without the hashes of their nodes: most tiles have two or three leaves. */
const SLOTS_WITH_NODES = 8;

const DIGITS = Array.from({ length: WIDTH }, (_, digit) => digit);
/** The slots below each node, as bits. */
const SLOTS_BELOW = Array.from({ length: 2 * WIDTH }, (_, node) => slotsBelow(node));
/** All nodes but the root, above two slots or more. */
const INNER_NODES = Array.from({ length: WIDTH - 2 }, (_, index) => index + 2);

/** The digit, from 0 to 15, with which a key goes on behind `depth` hex digits. @throws RangeError if it has no more */
export function digitOf(key: Uint8Array, depth: number): number {
  const byte = key[depth >> 1];
  if (byte === undefined) throw new RangeError('A way through the map is longer than its keys.');
  return depth % 2 === 0 ? byte >> 4 : byte & 15;
}

/**
 * Four levels of a tree: what stands behind each of the 16 hex digits that a key can go on with. What was read becomes
 * objects only where it is asked for: a batch reads thousands of tiles, and changes one slot of most.
 */
export class MapTile {
  /** Slots that were changed or asked for. */
  private readonly slots: (Slot | undefined)[] = [];
  /** The hashes of nodes that were computed or asked for. */
  private readonly nodes: (Uint8Array | undefined)[] = [];
  /** Where nodes stand in `source`; undefined for those that do not, or not any more. */
  private readonly nodeStarts: (number | undefined)[] = [];
  /** The slots that are not empty, and of these the ones with a tile below, as bits. */
  private used: number;
  private branched: number;
  /** Where the leaves of `source` begin. */
  private leavesStart: number;

  private constructor(private readonly source: Buffer) {
    this.used = usedIn(source);
    this.branched = branchedIn(source);
    this.leavesStart = HEAD_BYTES + BELOW_BYTES * countOf(this.branched);
    for (const node of this.storedNodes()) {
      this.nodeStarts[node] = this.leavesStart;
      this.leavesStart += HASH_BYTES;
    }
  }

  /** A tile that has nothing yet. */
  static empty(): MapTile {
    return new MapTile(EMPTY_BYTES);
  }

  slot(digit: number): Slot {
    const known = this.slots[digit];
    if (known !== undefined) return known;
    const slot = this.readSlot(digit);
    this.slots[digit] = slot;
    return slot;
  }

  set(digit: number, slot: Slot): void {
    const bit = 1 << digit;
    this.slots[digit] = slot;
    this.used = slot === null ? this.used & ~bit : this.used | bit;
    this.branched = isBelow(slot) ? this.branched | bit : this.branched & ~bit;
    for (let node = (WIDTH + digit) >> 1; node >= ROOT; node >>= 1) {
      this.nodes[node] = undefined;
      this.nodeStarts[node] = undefined;
    }
  }

  /** What stands behind each digit. */
  all(): Slot[] {
    return DIGITS.map((digit) => this.slot(digit));
  }

  /** The only leaf of a tile that has no other; null if it has none, undefined if it has two or more. */
  loneLeaf(): MapLeaf | null | undefined {
    return this.loneAt(ROOT);
  }

  /** The root of the subtree that it stands for. */
  root(): Uint8Array {
    return this.hashAt(ROOT);
  }

  /**
   * The path of a key through it.
   * @param depth hex digits in front of the tile
   * @returns the hashes beside the path, from the highest down; whether it goes on in the next tile; and the leaf at
   *   its end, or null
   */
  path(key: Uint8Array, depth: number): { siblings: Uint8Array[]; goesOn: boolean; leaf: MapLeaf | null } {
    const siblings: Uint8Array[] = [];
    let node = ROOT;
    for (let level = 0; level < LEVELS; level++) {
      const lone = this.loneAt(node);
      if (lone !== undefined) return { siblings, goesOn: false, leaf: lone };
      const next = 2 * node + bitOf(key, LEVELS * depth + level);
      siblings.push(this.hashAt(next ^ 1));
      node = next;
    }
    const slot = this.slot(node - WIDTH);
    return isBelow(slot) ? { siblings, goesOn: true, leaf: null } : { siblings, goesOn: false, leaf: slot };
  }

  /**
   * As bytes: which slots are in use and which have tiles below; the tiles below; of a tile with eight slots in use or
   * more, the hashes of its nodes but the root, those that have two leaves or more; and the leaves.
   */
  encode(): Buffer {
    this.root();
    let length = written.writeUInt16BE(this.branched, written.writeUInt16BE(this.used, 0));
    for (const digit of DIGITS) {
      if (!(this.branched & (1 << digit))) continue;
      const slot = this.slots[digit];
      if (slot !== undefined) length = writeBelow(slot as Below, written, length);
      else length += this.copy(belowStart(branchedIn(this.source), digit), BELOW_BYTES, length);
    }
    for (const node of this.storedNodes()) {
      const start = this.nodeStarts[node];
      if (start === undefined) written.set(this.hashAt(node), length);
      else this.copy(start, HASH_BYTES, length);
      length += HASH_BYTES;
    }
    for (let start = this.leavesStart, digit = 0; digit < WIDTH; digit++) {
      const end = isLeafIn(this.source, digit) ? endOfLeaf(this.source, start) : start;
      const slot = this.slots[digit];
      if (slot === undefined) length += this.copy(start, end - start, length);
      else if (isLeaf(slot)) length = writeLeaf(slot, written, length);
      start = end;
    }
    return Buffer.from(written.subarray(0, length));
  }

  /** @throws RangeError if these are not the bytes of a tile; hashes are not compared */
  static decode(bytes: Buffer): MapTile {
    if (bytes.length < HEAD_BYTES) throw new RangeError('A tile of the map ends too early.');
    const tile = new MapTile(bytes);
    if (tile.branched & ~tile.used) throw new RangeError('A tile of the map has tiles below slots that are empty.');
    let end = tile.leavesStart;
    for (const digit of DIGITS) if (isLeafIn(bytes, digit)) end = endOfLeaf(bytes, end);
    if (end !== bytes.length) throw new RangeError('A tile of the map does not end behind its slots and hashes.');
    return tile;
  }

  private readSlot(digit: number): Slot {
    if (branchedIn(this.source) & (1 << digit)) {
      return readBelow(this.source, belowStart(branchedIn(this.source), digit));
    }
    if (!isLeafIn(this.source, digit)) return null;
    let start = this.leavesStart;
    for (let before = 0; before < digit; before++) {
      if (isLeafIn(this.source, before)) start = endOfLeaf(this.source, start);
    }
    return readLeaf(this.source, start);
  }

  /** Copies bytes of `source` to what is written. @returns how many */
  private copy(start: number, count: number, to: number): number {
    if (count > 0) this.source.copy(written, to, start, start + count);
    return count;
  }

  /** The nodes whose hashes are stored. */
  private storedNodes(): number[] {
    if (countOf(this.used) < SLOTS_WITH_NODES) return [];
    return INNER_NODES.filter((node) => !this.hasAtMostOneLeaf(node));
  }

  private hasAtMostOneLeaf(node: number): boolean {
    const used = this.used & SLOTS_BELOW[node]!;
    return (used & (used - 1)) === 0 && (used & this.branched) === 0;
  }

  /** The only leaf behind a node, null if nothing is there, undefined if there are two leaves or more. */
  private loneAt(node: number): MapLeaf | null | undefined {
    if (!this.hasAtMostOneLeaf(node)) return undefined;
    const used = this.used & SLOTS_BELOW[node]!;
    return used === 0 ? null : (this.slot(31 - Math.clz32(used)) as MapLeaf);
  }

  private hashAt(node: number): Uint8Array {
    const known = this.nodes[node] ?? this.storedHash(node);
    if (known) return known;
    const lone = this.loneAt(node);
    if (lone !== undefined) return rootOf(lone);
    if (node >= WIDTH) return rootOf(this.slot(node - WIDTH));
    const hash = mapNodeHash(this.hashAt(2 * node), this.hashAt(2 * node + 1), sha256);
    this.nodes[node] = hash;
    return hash;
  }

  private storedHash(node: number): Uint8Array | undefined {
    const start = this.nodeStarts[node];
    return start === undefined ? undefined : this.source.subarray(start, start + HASH_BYTES);
  }
}

function slotsBelow(node: number): number {
  if (node === 0) return 0;
  return node >= WIDTH ? 1 << (node - WIDTH) : slotsBelow(2 * node) | slotsBelow(2 * node + 1);
}

/** How many bits are set, of 16. */
function countOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

function usedIn(bytes: Buffer): number {
  return bytes.readUInt16BE(0);
}

function branchedIn(bytes: Buffer): number {
  return bytes.readUInt16BE(2);
}

function isLeafIn(bytes: Buffer, digit: number): boolean {
  return (usedIn(bytes) & ~branchedIn(bytes) & (1 << digit)) !== 0;
}

/** Where the tile below a digit begins. */
function belowStart(branched: number, digit: number): number {
  return HEAD_BYTES + BELOW_BYTES * countOf(branched & ((1 << digit) - 1));
}

/** The number of the tile below a digit, read from the bytes of a tile; 0 if there is none. */
export function numberBelow(bytes: Buffer, digit: number): number {
  const branched = branchedIn(bytes);
  return branched & (1 << digit) ? readNumber(bytes, belowStart(branched, digit)) : 0;
}
