import { bitOf, EMPTY_ROOT, mapLeafHash, mapNodeHash, type MapProof, valueHash } from '@signet/verify/map';
import { sha256 } from '../../crypto/hashing.js';

/** How many slots a tile has: it stands for four levels of a tree, one hex digit of the keys. */
const WIDTH = 16;
const LEVELS = 4;
const HASH_BYTES = 32;

/** The place of the root among the nodes of a tile: node n is above 2n and 2n + 1, and slot d is number WIDTH + d. */
const ROOT = 1;

/** Tiles with fewer slots in use are stored without the hashes of their nodes: most tiles have two or three leaves. */
const SLOTS_WITH_NODES = 8;

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

/** Four levels of a tree: what stands behind each of the 16 hex digits that a key can go on with. */
export class MapTile {
  private readonly content = new Array<Slot>(WIDTH).fill(null);
  /** The hashes of nodes that are known. */
  private readonly nodes: (Uint8Array | undefined)[] = [];

  /** What stands behind each digit. */
  get slots(): readonly Slot[] {
    return this.content;
  }

  set(digit: number, slot: Slot): void {
    this.content[digit] = slot;
    for (let node = (WIDTH + digit) >> 1; node >= ROOT; node >>= 1) this.nodes[node] = undefined;
  }

  /** What stands in slots that are not empty. */
  used(): (MapLeaf | Below)[] {
    return this.content.filter((slot) => slot !== null);
  }

  leaves(): MapLeaf[] {
    return this.content.filter(isLeaf);
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
    const slot = this.content[node - WIDTH]!;
    return { siblings, goesOn: slot !== null && !isLeaf(slot), leaf: isLeaf(slot) ? slot : null };
  }

  /**
   * As bytes: for each slot its kind, then a hash; or a key, and value and compressed key of the Avatar (empty where
   * there is none), each behind its length of one byte. Behind the slots, of a tile with eight in use or more, the
   * hashes of its nodes but the root, those that have two leaves or more.
   */
  encode(): Buffer {
    this.root();
    const nodes = this.storedNodes().map((node) => this.nodes[node]!);
    const bytes = Buffer.allocUnsafe(WIDTH * MAX_SLOT_BYTES + nodes.length * HASH_BYTES);
    let length = 0;
    for (const slot of this.content) length = writeSlot(slot, bytes, length);
    for (const hash of nodes) {
      bytes.set(hash, length);
      length += HASH_BYTES;
    }
    return bytes.subarray(0, length);
  }

  /** @throws RangeError if these are not the bytes of a tile; hashes are not compared */
  static decode(bytes: Buffer): MapTile {
    const tile = new MapTile();
    let place = 0;
    const take = (length: number) => {
      if (place + length > bytes.length) throw new RangeError('A tile of the map ends too early.');
      return bytes.subarray(place, (place += length));
    };
    const number = () => take(1)[0]!;
    for (let digit = 0; digit < WIDTH; digit++) {
      const kind = number();
      if (kind === KINDS.nothing) continue;
      if (kind > KINDS.leaf) throw new RangeError('A tile of the map has a slot of an unknown kind.');
      tile.content[digit] = kind === KINDS.below ? { hash: take(HASH_BYTES) } : readLeaf(take, number);
    }
    for (const node of tile.storedNodes()) tile.nodes[node] = take(HASH_BYTES);
    if (place < bytes.length) throw new RangeError('A tile of the map has more than its slots.');
    return tile;
  }

  /** The nodes whose hashes are stored. */
  private storedNodes(): number[] {
    if (this.used().length < SLOTS_WITH_NODES) return [];
    const nodes = [];
    for (let node = ROOT + 1; node < WIDTH; node++) if (this.loneAt(node) === undefined) nodes.push(node);
    return nodes;
  }

  /** The only leaf behind a node, null if nothing is there, undefined if there are two leaves or more. */
  private loneAt(node: number): MapLeaf | null | undefined {
    let lone: MapLeaf | null = null;
    let [first, end] = [node, node + 1];
    while (first < WIDTH) [first, end] = [2 * first, 2 * end];
    for (let place = first; place < end; place++) {
      const slot = this.content[place - WIDTH]!;
      if (slot === null) continue;
      if (lone !== null || !isLeaf(slot)) return undefined;
      lone = slot;
    }
    return lone;
  }

  private hashAt(node: number): Uint8Array {
    const lone = this.loneAt(node);
    if (lone === null) return EMPTY_ROOT;
    if (lone) return mapLeafHash({ key: lone.key, valueHash: valueHash(lone.value, sha256) }, sha256);
    if (node >= WIDTH) return (this.content[node - WIDTH] as Below).hash;
    this.nodes[node] ??= mapNodeHash(this.hashAt(2 * node), this.hashAt(2 * node + 1), sha256);
    return this.nodes[node];
  }
}

/** What stands at the end of a proof. */
export function endOf(leaf: MapLeaf | null): MapProof['end'] {
  return leaf && { key: leaf.key, valueHash: valueHash(leaf.value, sha256) };
}

/** What stands in a slot, in front of its bytes. */
const KINDS = { nothing: 0, below: 1, leaf: 2 };

/** Of a leaf with value and Avatar: a kind, a key, and two texts behind lengths of one byte. */
const MAX_SLOT_BYTES = 1 + HASH_BYTES + 2 * (1 + 255);

/** Writes a slot at a place of `bytes`. @returns the place behind it */
function writeSlot(slot: Slot, bytes: Buffer, place: number): number {
  if (slot === null) return bytes.writeUInt8(KINDS.nothing, place);
  const isOfLeaf = isLeaf(slot);
  bytes.set(isOfLeaf ? slot.key : slot.hash, bytes.writeUInt8(isOfLeaf ? KINDS.leaf : KINDS.below, place));
  const end = place + 1 + HASH_BYTES;
  return isOfLeaf
    ? writeText(slot.avatar?.slice('0x'.length) ?? '', 'hex', bytes, writeText(slot.value, 'utf8', bytes, end))
    : end;
}

function writeText(text: string, encoding: BufferEncoding, bytes: Buffer, place: number): number {
  const length = bytes.write(text, place + 1, encoding);
  return bytes.writeUInt8(length, place) + length;
}

function readLeaf(take: (length: number) => Buffer, number: () => number): MapLeaf {
  const leaf = { key: take(HASH_BYTES), value: take(number()).toString() };
  const avatar = take(number()).toString('hex');
  return avatar === '' ? leaf : { ...leaf, avatar: `0x${avatar}` };
}
