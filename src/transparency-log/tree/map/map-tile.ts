import { bitOf, MAP_LEAF, MAP_NODE } from '@signet/verify/internal/map';
import { sha256Latin1 } from '../../../crypto/hashing.js';
import {
  type Below,
  BELOW_BYTES,
  isBelow,
  isLeaf,
  type MapLeaf,
  readBelow,
  readLeaf,
  type Slot,
  valueIn,
  writeBelow,
  writeLeaf,
} from './map-slot.js';
import {
  belowStart,
  branchedIn,
  hasAtMostOneLeaf,
  HASH_BYTES,
  hasNodes,
  HEAD_BYTES,
  INNER_NODES,
  leafStarts,
  nodeStarts,
  readStarts,
  ROOT,
  SLOTS_BELOW,
  usedIn,
  WIDTH,
} from './map-tile-layout.js';

const LEVELS = 4;
const EMPTY_BYTES = Buffer.alloc(HEAD_BYTES);
const DIGITS = Array.from({ length: WIDTH }, (_, digit) => digit);

/** A tile while it is written: one buffer for all, because most of its greatest length is never used. */
const written = Buffer.alloc(1 << 16);

/**
 * The hashes of the nodes of the tile at hand, likewise: each is computed and used without giving others a turn. Two
 * children stand side by side behind the prefix of their node, as they are hashed.
 */
const PAIR_BYTES = 1 + 2 * HASH_BYTES;
const hashes = Buffer.alloc(WIDTH * PAIR_BYTES);
const PAIRS = Array.from({ length: WIDTH }, (_, node) => hashes.subarray(node * PAIR_BYTES, (node + 1) * PAIR_BYTES));
for (const pair of PAIRS) pair[0] = MAP_NODE;
const leafMessage = Buffer.alloc(PAIR_BYTES, MAP_LEAF);

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
  /** The slots that are not empty, of these the ones with a tile below, and those that were changed, as bits. */
  private used: number;
  private branched: number;
  private changed = 0;

  private constructor(private readonly source: Buffer) {
    this.used = usedIn(source);
    this.branched = branchedIn(source);
  }

  /** A tile that has nothing yet. */
  static empty(): MapTile {
    return new MapTile(EMPTY_BYTES);
  }

  /** Whether it has so many slots in use that it is stored with the hashes of its nodes. */
  get hasNodes(): boolean {
    return hasNodes(this.used);
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
    this.changed |= bit;
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
    readStarts(this.source);
    this.hash(ROOT);
    return hashOf(ROOT);
  }

  /**
   * The path of a key through it.
   * @param depth hex digits in front of the tile
   * @returns the hashes beside the path, from the highest down, and what stands at its end
   */
  path(key: Uint8Array, depth: number): { siblings: Uint8Array[]; end: Slot } {
    readStarts(this.source);
    const siblings: Uint8Array[] = [];
    let node = ROOT;
    for (let level = 0; level < LEVELS; level++) {
      const lone = this.loneAt(node);
      if (lone !== undefined) return { siblings, end: lone };
      const next = 2 * node + bitOf(key, LEVELS * depth + level);
      this.hash(next ^ 1);
      siblings.push(hashOf(next ^ 1));
      node = next;
    }
    return { siblings, end: this.slot(node - WIDTH) };
  }

  /** As bytes: see map-tile-layout.ts. */
  encode(): Buffer {
    return this.encodeWithRoot().bytes;
  }

  /** As bytes, see map-tile-layout.ts, and the root of the subtree that it stands for. */
  encodeWithRoot(): { bytes: Buffer; root: Uint8Array } {
    const root = this.root();
    let length = written.writeUInt16BE(this.branched, written.writeUInt16BE(this.used, 0));
    for (let digit = 0; digit < WIDTH; digit++) {
      if (!(this.branched & (1 << digit))) continue;
      const slot = this.changedSlot(digit);
      if (slot !== undefined) length = writeBelow(slot as Below, written, length);
      else length += this.copy(belowStart(branchedIn(this.source), digit), BELOW_BYTES, length);
    }
    if (hasNodes(this.used)) {
      for (const node of INNER_NODES) {
        if (hasAtMostOneLeaf(node, this.used, this.branched)) continue;
        const start = this.startOf(node);
        if (start > 0) this.copy(start, HASH_BYTES, length);
        else hashes.copy(written, length, placeOf(node), placeOf(node) + HASH_BYTES);
        length += HASH_BYTES;
      }
    }
    for (let digit = 0; digit < WIDTH; digit++) {
      const slot = this.changedSlot(digit);
      if (slot === undefined)
        length += this.copy(leafStarts[digit]!, leafStarts[digit + 1]! - leafStarts[digit]!, length);
      else if (isLeaf(slot)) length = writeLeaf(slot, written, length);
    }
    const bytes = Buffer.allocUnsafe(length);
    written.copy(bytes, 0, 0, length);
    return { bytes, root };
  }

  /** @throws RangeError if these are not the bytes of a tile; hashes are not compared */
  static decode(bytes: Buffer): MapTile {
    if (bytes.length < HEAD_BYTES) throw new RangeError('A tile of the map ends too early.');
    const tile = new MapTile(bytes);
    if (tile.branched & ~tile.used) throw new RangeError('A tile of the map has tiles below slots that are empty.');
    if (readStarts(bytes) !== bytes.length) {
      throw new RangeError('A tile of the map does not end behind its slots and hashes.');
    }
    return tile;
  }

  /** What a slot was changed to; undefined if it is as in `source`. */
  private changedSlot(digit: number): Slot | undefined {
    return this.changed & (1 << digit) ? this.slots[digit] : undefined;
  }

  private readSlot(digit: number): Slot {
    if (branchedIn(this.source) & (1 << digit)) {
      return readBelow(this.source, belowStart(branchedIn(this.source), digit));
    }
    if (!(usedIn(this.source) & (1 << digit))) return null;
    readStarts(this.source);
    return readLeaf(this.source, leafStarts[digit]!);
  }

  /** Copies bytes of `source` to what is written. @returns how many */
  private copy(start: number, count: number, to: number): number {
    if (count > 0) this.source.copy(written, to, start, start + count);
    return count;
  }

  /** The only leaf behind a node, null if nothing is there, undefined if there are two leaves or more. */
  private loneAt(node: number): MapLeaf | null | undefined {
    if (!hasAtMostOneLeaf(node, this.used, this.branched)) return undefined;
    const used = this.used & SLOTS_BELOW[node]!;
    return used === 0 ? null : (this.slot(31 - Math.clz32(used)) as MapLeaf);
  }

  /** Where `source` has the hash of a node that is as it was; 0 if it has not. */
  private startOf(node: number): number {
    return this.changed & SLOTS_BELOW[node]! ? 0 : nodeStarts[node]!;
  }

  /** Computes the hash of a node to its place in `hashes`, behind `readStarts`. */
  private hash(node: number): void {
    const place = placeOf(node);
    const start = this.startOf(node);
    if (start > 0) return void this.source.copy(hashes, place, start, start + HASH_BYTES);
    const used = this.used & SLOTS_BELOW[node]!;
    if (used === 0) return void hashes.fill(0, place, place + HASH_BYTES);
    if (hasAtMostOneLeaf(node, this.used, this.branched)) return this.hashLeaf(31 - Math.clz32(used), place);
    if (node >= WIDTH) return this.copyBelow(node - WIDTH, place);
    this.hash(2 * node);
    this.hash(2 * node + 1);
    hashes.write(sha256Latin1(PAIRS[node]!), place, HASH_BYTES, 'latin1');
  }

  private hashLeaf(digit: number, place: number): void {
    const changed = this.changedSlot(digit);
    let value: string | Buffer;
    if (changed === undefined) {
      const start = leafStarts[digit]!;
      this.source.copy(leafMessage, 1, start, start + HASH_BYTES);
      value = valueIn(this.source, start);
    } else {
      leafMessage.set((changed as MapLeaf).key, 1);
      value = (changed as MapLeaf).value;
    }
    leafMessage.write(sha256Latin1(value), 1 + HASH_BYTES, HASH_BYTES, 'latin1');
    hashes.write(sha256Latin1(leafMessage), place, HASH_BYTES, 'latin1');
  }

  private copyBelow(digit: number, place: number): void {
    const changed = this.changedSlot(digit);
    if (changed !== undefined) return void hashes.set((changed as Below).hash, place);
    const start = belowStart(branchedIn(this.source), digit);
    this.source.copy(hashes, place, start, start + HASH_BYTES);
  }
}

/** The place of a node in `hashes`. */
function placeOf(node: number): number {
  return (node >> 1) * PAIR_BYTES + 1 + (node & 1) * HASH_BYTES;
}

/** A copy of the hash of a node that was computed. */
function hashOf(node: number): Uint8Array {
  return Uint8Array.prototype.slice.call(hashes, placeOf(node), placeOf(node) + HASH_BYTES);
}
