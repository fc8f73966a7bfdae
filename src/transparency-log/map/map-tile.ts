import { bitOf, EMPTY_ROOT, mapLeafHash, mapNodeHash, type MapProof, valueHash } from '@signet/verify/map';
import { sha256 } from '../../crypto/hashing.js';

/** How many slots a tile has: it stands for four levels of a tree, one hex digit of the keys. */
const WIDTH = 16;
const LEVELS = 4;
const HASH_BYTES = 32;

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

/** Four levels of a tree: what stands behind each of the 16 hex digits that a key can go on with. */
export type MapTile = Slot[];

/** A part of a tile, as the tree has it. */
interface Part {
  hash: Uint8Array;
  /** The only leaf of this part; null where it has none, or more. */
  leaf: MapLeaf | null;
  isEmpty: boolean;
}

const EMPTY: Part = { hash: EMPTY_ROOT, leaf: null, isEmpty: true };

/** A tile without anything. */
export function newTile(): MapTile {
  return Array.from({ length: WIDTH }, () => null);
}

export function isLeaf(slot: Slot): slot is MapLeaf {
  return slot !== null && 'key' in slot;
}

/** The digit, from 0 to 15, with which a key goes on behind `depth` hex digits. */
export function digitOf(key: Uint8Array, depth: number): number {
  return depth % 2 === 0 ? key[depth >> 1]! >> 4 : key[depth >> 1]! & 15;
}

/** The root of the subtree that a tile stands for. */
export function tileRoot(tile: MapTile): Uint8Array {
  return partOf(tile, 0, WIDTH).hash;
}

/**
 * The path of a key through a tile.
 * @param depth hex digits in front of the tile
 * @returns the hashes beside the path, from the highest down; whether it goes on in the next tile; and the leaf at its
 *   end, or null
 */
export function pathThrough(
  tile: MapTile,
  key: Uint8Array,
  depth: number,
): { siblings: Uint8Array[]; goesOn: boolean; leaf: MapLeaf | null } {
  const siblings: Uint8Array[] = [];
  let start = 0;
  for (let level = 0, width = WIDTH; level < LEVELS; level++) {
    const slots = tile.slice(start, start + width).filter((slot) => slot !== null);
    const alone = slots.length === 1 ? slots[0]! : null;
    if (slots.length === 0) return { siblings, goesOn: false, leaf: null };
    if (isLeaf(alone)) return { siblings, goesOn: false, leaf: alone };
    width /= 2;
    const isRight = bitOf(key, LEVELS * depth + level) === 1;
    siblings.push(partOf(tile, isRight ? start : start + width, width).hash);
    if (isRight) start += width;
  }
  const slot = tile[start] ?? null;
  return { siblings, goesOn: slot !== null && !isLeaf(slot), leaf: isLeaf(slot) ? slot : null };
}

/** What stands at the end of a proof. */
export function endOf(leaf: MapLeaf | null): MapProof['end'] {
  return leaf && { key: leaf.key, valueHash: valueHash(leaf.value, sha256) };
}

function partOf(tile: MapTile, start: number, width: number): Part {
  if (width === 1) return partOfSlot(tile[start] ?? null);
  const left = partOf(tile, start, width / 2);
  const right = partOf(tile, start + width / 2, width / 2);
  if (left.isEmpty && (right.isEmpty || right.leaf)) return right;
  if (right.isEmpty && left.leaf) return left;
  return { hash: mapNodeHash(left.hash, right.hash, sha256), leaf: null, isEmpty: false };
}

function partOfSlot(slot: Slot): Part {
  if (slot === null) return EMPTY;
  if (!isLeaf(slot)) return { hash: slot.hash, leaf: null, isEmpty: false };
  return {
    hash: mapLeafHash({ key: slot.key, valueHash: valueHash(slot.value, sha256) }, sha256),
    leaf: slot,
    isEmpty: false,
  };
}

/** What stands in a slot, in front of its bytes. */
const KINDS = { nothing: 0, below: 1, leaf: 2 };

/** Of a slot with a leaf that has a value and an Avatar, and more: a kind, a key and two lengths of one byte each. */
const MAX_LEAF_BYTES = 1 + HASH_BYTES + 2 * (1 + 255);

/**
 * A tile as bytes: for each slot its kind, then a hash; or a key, and value and compressed key of the Avatar (empty
 * where there is none), each behind its length of one byte.
 */
export function encodeTile(tile: MapTile): Buffer {
  const bytes = Buffer.allocUnsafe(WIDTH * MAX_LEAF_BYTES);
  let length = 0;
  for (const slot of tile) length = encodeSlot(slot, bytes, length);
  return bytes.subarray(0, length);
}

/** Writes a slot at a place of `bytes`. @returns the place behind it */
function encodeSlot(slot: Slot, bytes: Buffer, place: number): number {
  if (slot === null) return bytes.writeUInt8(KINDS.nothing, place);
  if (!isLeaf(slot)) {
    bytes.set(slot.hash, bytes.writeUInt8(KINDS.below, place));
    return place + 1 + HASH_BYTES;
  }
  bytes.set(slot.key, bytes.writeUInt8(KINDS.leaf, place));
  const atValue = place + 1 + HASH_BYTES;
  const atAvatar = bytes.writeUInt8(bytes.write(slot.value, atValue + 1), atValue) + bytes[atValue]!;
  const avatar = slot.avatar?.slice('0x'.length) ?? '';
  return bytes.writeUInt8(bytes.write(avatar, atAvatar + 1, 'hex'), atAvatar) + bytes[atAvatar]!;
}

/** @throws RangeError if these are not the bytes of a tile */
export function decodeTile(bytes: Buffer): MapTile {
  let place = 0;
  const take = (length: number) => {
    if (place + length > bytes.length) throw new RangeError('A tile of the map ends too early.');
    return bytes.subarray(place, (place += length));
  };
  const number = () => take(1)[0]!;
  const tile = Array.from({ length: WIDTH }, (): Slot => {
    const kind = number();
    if (kind === KINDS.nothing) return null;
    if (kind === KINDS.below) return { hash: take(HASH_BYTES) };
    if (kind !== KINDS.leaf) throw new RangeError('A tile of the map has a slot of an unknown kind.');
    const leaf = { key: take(HASH_BYTES), value: take(number()).toString() };
    const avatar = take(number()).toString('hex');
    return avatar === '' ? leaf : { ...leaf, avatar: `0x${avatar}` };
  });
  if (place < bytes.length) throw new RangeError('A tile of the map has more than its slots.');
  return tile;
}
