import { bitOf, EMPTY_ROOT, mapLeafHash, mapNodeHash, type MapProof, valueHash } from '@signet/verify/map';
import { sha256 } from '../../crypto/hashing.js';

/** How many slots a tile has: it stands for four levels of a tree, one hex digit of the keys. */
export const WIDTH = 16;
const LEVELS = 4;
const HASH_BYTES = 32;

/** The place of the root among the nodes of a tile: node n is above 2n and 2n + 1, and slot d is number WIDTH + d. */
const ROOT = 1;

/** Tiles with fewer slots in use are stored without the hashes of their nodes: most tiles have two or three leaves. */
const SLOTS_WITH_NODES = 8;

/** What stands in a slot, in front of its bytes. */
const KINDS = { nothing: 0, below: 1, leaf: 2 };
const EMPTY_BYTES = Buffer.alloc(WIDTH, KINDS.nothing);

const DIGITS = Array.from({ length: WIDTH }, (_, digit) => digit);
/** The slots below each node, as bits. */
const SLOTS_BELOW = Array.from({ length: 2 * WIDTH }, (_, node) => slotsBelow(node));
/** All nodes but the root, above two slots or more. */
const INNER_NODES = Array.from({ length: WIDTH - 2 }, (_, index) => index + 2);

/** A key with its value. */
export interface MapLeaf {
  /** 32 bytes. */
  key: Uint8Array;
  /** Canonical JSON. */
  value: string;
  /** In a tree of holders: the Avatar, whose key in the tree does not show it. */
  avatar?: string;
}

/** The hash of a tile below this one, which has two leaves or more. */
export interface Below {
  hash: Uint8Array;
}

/** What stands at a place of a tile: nothing, a leaf that is alone there, or a further tile. */
export type Slot = MapLeaf | Below | null;

export function isLeaf(slot: Slot): slot is MapLeaf {
  return slot !== null && 'key' in slot;
}

/** The digit, from 0 to 15, with which a key goes on behind `depth` hex digits. */
export function digitOf(key: Uint8Array, depth: number): number {
  return depth % 2 === 0 ? key[depth >> 1]! >> 4 : key[depth >> 1]! & 15;
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
  private used = 0;
  private branched = 0;

  private constructor(
    private readonly source: Buffer,
    /** Where each slot begins in `source`, and where the last one ends. */
    private readonly starts: readonly number[],
  ) {
    for (const digit of DIGITS) this.mark(digit, source[starts[digit]!]!);
  }

  /** A tile that has nothing yet. */
  static empty(): MapTile {
    return MapTile.decode(EMPTY_BYTES);
  }

  slot(digit: number): Slot {
    const known = this.slots[digit];
    if (known !== undefined) return known;
    const slot = readSlot(this.source, this.starts[digit]!);
    this.slots[digit] = slot;
    return slot;
  }

  set(digit: number, slot: Slot): void {
    this.slots[digit] = slot;
    this.mark(digit, kindOf(slot));
    for (let node = (WIDTH + digit) >> 1; node >= ROOT; node >>= 1) {
      this.nodes[node] = undefined;
      this.nodeStarts[node] = undefined;
    }
  }

  leaves(): MapLeaf[] {
    return DIGITS.map((digit) => this.slot(digit)).filter(isLeaf);
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
    return { siblings, goesOn: slot !== null && !isLeaf(slot), leaf: isLeaf(slot) ? slot : null };
  }

  /**
   * As bytes: for each slot its kind, then a hash; or a key, and value and compressed key of the Avatar (empty where
   * there is none), each behind its length of one byte. Behind the slots, of a tile with eight in use or more, the
   * hashes of its nodes but the root, those that have two leaves or more.
   */
  encode(): Buffer {
    this.root();
    let length = 0;
    // Where what is not copied yet begins in `source`.
    let start = 0;
    for (const digit of DIGITS) {
      const slot = this.slots[digit];
      if (slot === undefined) continue;
      length = writeSlot(slot, length + this.source.copy(written, length, start, this.starts[digit]));
      start = this.starts[digit + 1]!;
    }
    length += this.source.copy(written, length, start, this.starts[WIDTH]);
    for (const node of this.storedNodes()) {
      written.set(this.hashAt(node), length);
      length += HASH_BYTES;
    }
    return Buffer.from(written.subarray(0, length));
  }

  /** @throws RangeError if these are not the bytes of a tile; hashes are not compared */
  static decode(bytes: Buffer): MapTile {
    const starts = [0];
    for (const digit of DIGITS) starts.push(endOfSlot(bytes, starts[digit]!));
    const tile = new MapTile(bytes, starts);
    let end = starts[WIDTH]!;
    for (const node of tile.storedNodes()) {
      tile.nodeStarts[node] = end;
      end += HASH_BYTES;
    }
    if (end !== bytes.length) throw new RangeError('A tile of the map does not end behind its slots and hashes.');
    return tile;
  }

  private mark(digit: number, kind: number): void {
    const bit = 1 << digit;
    this.used = kind === KINDS.nothing ? this.used & ~bit : this.used | bit;
    this.branched = kind === KINDS.below ? this.branched | bit : this.branched & ~bit;
  }

  /** The nodes whose hashes are stored. */
  private storedNodes(): number[] {
    if (DIGITS.filter((digit) => this.used & (1 << digit)).length < SLOTS_WITH_NODES) return [];
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
    if (lone === null) return EMPTY_ROOT;
    if (lone) return mapLeafHash({ key: lone.key, valueHash: valueHash(lone.value, sha256) }, sha256);
    if (node >= WIDTH) return (this.slot(node - WIDTH) as Below).hash;
    const hash = mapNodeHash(this.hashAt(2 * node), this.hashAt(2 * node + 1), sha256);
    this.nodes[node] = hash;
    return hash;
  }

  private storedHash(node: number): Uint8Array | undefined {
    const start = this.nodeStarts[node];
    return start === undefined ? undefined : this.source.subarray(start, start + HASH_BYTES);
  }
}

/** What stands behind a digit of a tile, read from its bytes. @throws RangeError if there is none */
export function slotAt(bytes: Buffer, digit: number): Slot {
  let start = 0;
  for (let before = 0; before < digit; before++) start = endOfSlot(bytes, start);
  endOfSlot(bytes, start);
  return readSlot(bytes, start);
}

/** What stands at the end of a proof. */
export function endOf(leaf: MapLeaf | null): MapProof['end'] {
  return leaf && { key: leaf.key, valueHash: valueHash(leaf.value, sha256) };
}

function slotsBelow(node: number): number {
  if (node === 0) return 0;
  return node >= WIDTH ? 1 << (node - WIDTH) : slotsBelow(2 * node) | slotsBelow(2 * node + 1);
}

function kindOf(slot: Slot): number {
  if (slot === null) return KINDS.nothing;
  return isLeaf(slot) ? KINDS.leaf : KINDS.below;
}

/** Of a leaf with value and Avatar: a kind, a key, and two texts behind lengths of one byte. */
const MAX_SLOT_BYTES = 1 + HASH_BYTES + 2 * (1 + 255);

/** A tile while it is written: one buffer for all, because most of its greatest length is never used. */
const written = Buffer.alloc(WIDTH * (MAX_SLOT_BYTES + HASH_BYTES));

/** Writes a slot. @returns the place behind it */
function writeSlot(slot: Slot, place: number): number {
  const atContent = written.writeUInt8(kindOf(slot), place);
  if (slot === null) return atContent;
  written.set(isLeaf(slot) ? slot.key : slot.hash, atContent);
  const end = atContent + HASH_BYTES;
  if (!isLeaf(slot)) return end;
  return writeText(slot.avatar?.slice('0x'.length) ?? '', 'hex', writeText(slot.value, 'latin1', end));
}

function writeText(text: string, encoding: BufferEncoding, place: number): number {
  const length = written.write(text, place + 1, encoding);
  return written.writeUInt8(length, place) + length;
}

/** The place behind the slot that begins at `start`. @throws RangeError if there is none */
function endOfSlot(bytes: Buffer, start: number): number {
  const kind = bytes[start];
  if (kind === undefined) throw new RangeError('A tile of the map ends too early.');
  if (kind > KINDS.leaf) throw new RangeError('A tile of the map has a slot of an unknown kind.');
  const end = start + 1 + (kind === KINDS.nothing ? 0 : HASH_BYTES);
  if (kind !== KINDS.leaf) return end;
  const atAvatar = end + 1 + (bytes[end] ?? 0);
  return atAvatar + 1 + (bytes[atAvatar] ?? 0);
}

/** The slot that begins at `start`, all of which is there. */
function readSlot(bytes: Buffer, start: number): Slot {
  const kind = bytes[start];
  if (kind === KINDS.nothing) return null;
  const end = start + 1 + HASH_BYTES;
  const hash = bytes.subarray(start + 1, end);
  if (kind === KINDS.below) return { hash };
  const atAvatar = end + 1 + bytes[end]!;
  const avatar = bytes.toString('hex', atAvatar + 1, atAvatar + 1 + bytes[atAvatar]!);
  const leaf = { key: hash, value: bytes.toString('latin1', end + 1, atAvatar) };
  return avatar === '' ? leaf : { ...leaf, avatar: `0x${avatar}` };
}
