import { EMPTY_ROOT, mapLeafHash, type MapProof, valueHash } from '@signet/verify/internal/map';
import { sha256 } from '../../../crypto/hashing.js';

const HASH_BYTES = 32;
const NUMBER_BYTES = 6;

/** How many bytes a tile below takes: its hash and its number. */
export const BELOW_BYTES = HASH_BYTES + NUMBER_BYTES;

/** What the tree of holders is, in front of its bytes. */
const KINDS = { nothing: 0, below: 1, leaf: 2 };

/** A key with its value. */
export interface MapLeaf {
  /** 32 bytes. */
  key: Uint8Array;
  /** Canonical JSON. */
  value: string;
  /** In a tree of holders: the Avatar, whose key in the tree does not show it. */
  avatar?: string;
  /** Of an identity: the tree of those who hold it. */
  holders?: Slot;
}

/** A tile below another one, or below an identity. It has two leaves or more. */
export interface Below {
  hash: Uint8Array;
  /** The number that the tile is stored under, from 1. */
  number: number;
}

/** A subtree, and what stands in a slot of a tile: nothing, a leaf that is alone in it, or a further tile. */
export type Slot = MapLeaf | Below | null;

export function isLeaf(slot: Slot): slot is MapLeaf {
  return slot !== null && 'key' in slot;
}

export function isBelow(slot: Slot): slot is Below {
  return slot !== null && 'number' in slot;
}

/** The root of a subtree. */
export function rootOf(slot: Slot): Uint8Array {
  if (isBelow(slot)) return slot.hash;
  return slot ? mapLeafHash(endOf(slot), sha256) : EMPTY_ROOT;
}

/** A leaf as it stands at the end of a proof. */
export function endOf({ key, value }: MapLeaf): NonNullable<MapProof['end']> {
  return { key, valueHash: valueHash(value, sha256) };
}

/** Writes a tile below. @returns the place behind it */
export function writeBelow({ hash, number }: Below, to: Buffer, place: number): number {
  to.set(hash, place);
  return to.writeUIntBE(number, place + HASH_BYTES, NUMBER_BYTES);
}

export function readBelow(bytes: Buffer, start: number): Below {
  return { hash: bytes.subarray(start, start + HASH_BYTES), number: readNumber(bytes, start) };
}

/** The number of the tile below that begins at `start`. */
export function readNumber(bytes: Buffer, start: number): number {
  return bytes.readUIntBE(start + HASH_BYTES, NUMBER_BYTES);
}

/**
 * Writes a leaf: its key; its value, and the compressed key of its Avatar (empty where there is none), each behind a
 * byte with its length; and what the tree of holders is. @returns the place behind it
 */
export function writeLeaf({ key, value, avatar = '0x', holders = null }: MapLeaf, to: Buffer, place: number): number {
  to.set(key, place);
  const atAvatar = writeText(value, 'latin1', to, place + HASH_BYTES);
  const atHolders = writeText(avatar.slice('0x'.length), 'hex', to, atAvatar);
  if (isBelow(holders)) return writeBelow(holders, to, to.writeUInt8(KINDS.below, atHolders));
  if (holders) return writeLeaf(holders, to, to.writeUInt8(KINDS.leaf, atHolders));
  return to.writeUInt8(KINDS.nothing, atHolders);
}

function writeText(text: string, encoding: BufferEncoding, to: Buffer, place: number): number {
  const length = to.write(text, place + 1, encoding);
  return to.writeUInt8(length, place) + length;
}

/** The place behind the leaf that begins at `start`. @throws RangeError if there is none */
export function endOfLeaf(bytes: Buffer, start: number): number {
  const atAvatar = endOfText(bytes, start + HASH_BYTES);
  const atHolders = endOfText(bytes, atAvatar);
  const kind = bytes[atHolders];
  if (kind === undefined || kind > KINDS.leaf) throw new RangeError('A tile of the map has a leaf that is not whole.');
  if (kind === KINDS.leaf) return endOfLeaf(bytes, atHolders + 1);
  return atHolders + 1 + (kind === KINDS.below ? BELOW_BYTES : 0);
}

function endOfText(bytes: Buffer, place: number): number {
  return place + 1 + (bytes[place] ?? 0);
}

/** The bytes of the value of the leaf that begins at `start`. */
export function valueIn(bytes: Buffer, start: number): Buffer {
  const place = start + HASH_BYTES;
  return bytes.subarray(place + 1, endOfText(bytes, place));
}

/** The leaf that begins at `start`, all of which is there. */
export function readLeaf(bytes: Buffer, start: number): MapLeaf {
  const atValue = start + HASH_BYTES;
  const atAvatar = endOfText(bytes, atValue);
  const atHolders = endOfText(bytes, atAvatar);
  const leaf: MapLeaf = { key: bytes.subarray(start, atValue), value: bytes.toString('latin1', atValue + 1, atAvatar) };
  if (atHolders > atAvatar + 1) leaf.avatar = `0x${bytes.toString('hex', atAvatar + 1, atHolders)}`;
  const kind = bytes[atHolders];
  if (kind === KINDS.below) leaf.holders = readBelow(bytes, atHolders + 1);
  if (kind === KINDS.leaf) leaf.holders = readLeaf(bytes, atHolders + 1);
  return leaf;
}
