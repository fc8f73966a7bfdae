/**
 * Where the bytes of a tile of the map have what: which slots are in use and which have tiles below; the tiles below;
 * of a tile with eight slots in use or more, the hashes of its nodes but the root, those that have two leaves or more;
 * and the leaves.
 */
import { BELOW_BYTES, endOfLeaf, readNumber } from './map-slot.js';

/** How many slots a tile has: it stands for four levels of a tree, one hex digit of the keys. */
export const WIDTH = 16;
export const HASH_BYTES = 32;

/** Which slots are in use, and which of these have a tile below: a bit for each digit, two bytes each. */
export const HEAD_BYTES = 4;

/** Tiles with fewer slots in use are stored without the hashes of their nodes: most tiles have two or three leaves. */
const SLOTS_WITH_NODES = 8;

/** The place of the root among the nodes of a tile: node n is above 2n and 2n + 1, and slot d is number WIDTH + d. */
export const ROOT = 1;
/** All nodes but the root, above two slots or more. */
export const INNER_NODES = Array.from({ length: WIDTH - 2 }, (_, index) => index + 2);
/** The slots below each node, as bits. */
export const SLOTS_BELOW = Array.from({ length: 2 * WIDTH }, (_, node) => slotsBelow(node));

/** Of the tile that `readStarts` has read last: where nodes stand; 0 for those that do not. One array for all tiles. */
export const nodeStarts = new Uint16Array(2 * WIDTH);
/** Of that tile: where the leaf of each slot begins, and the end of the last. A slot without a leaf has no bytes. */
export const leafStarts = new Uint32Array(WIDTH + 1);
/** The tile that was read last. */
let lastRead: Buffer | null = null;

/** Finds nodes and leaves in the bytes of a tile. @returns where they end @throws RangeError if a leaf is not whole */
export function readStarts(bytes: Buffer): number {
  if (bytes === lastRead) return leafStarts[WIDTH]!;
  lastRead = null;
  const [used, branched] = [usedIn(bytes), branchedIn(bytes)];
  nodeStarts.fill(0);
  let start = HEAD_BYTES + BELOW_BYTES * countOf(branched);
  if (hasNodes(used)) {
    for (const node of INNER_NODES) {
      if (hasAtMostOneLeaf(node, used, branched)) continue;
      nodeStarts[node] = start;
      start += HASH_BYTES;
    }
  }
  for (let digit = 0; digit < WIDTH; digit++) {
    leafStarts[digit] = start;
    if (used & ~branched & (1 << digit)) start = endOfLeaf(bytes, start);
  }
  leafStarts[WIDTH] = start;
  lastRead = bytes;
  return start;
}

/** Whether a tile with these slots in use is stored with the hashes of its nodes. */
export function hasNodes(used: number): boolean {
  return countOf(used) >= SLOTS_WITH_NODES;
}

/** Whether there is nothing below a node, or a leaf alone. */
export function hasAtMostOneLeaf(node: number, used: number, branched: number): boolean {
  const below = used & SLOTS_BELOW[node]!;
  return (below & (below - 1)) === 0 && (below & branched) === 0;
}

/** The slots in use, as bits. */
export function usedIn(bytes: Buffer): number {
  return bytes.readUInt16BE(0);
}

/** The slots with a tile below, as bits. */
export function branchedIn(bytes: Buffer): number {
  return bytes.readUInt16BE(2);
}

/** Where the tile below a digit begins. */
export function belowStart(branched: number, digit: number): number {
  return HEAD_BYTES + BELOW_BYTES * countOf(branched & ((1 << digit) - 1));
}

/** The number of the tile below a digit, read from the bytes of a tile; 0 if there is none. */
export function numberBelow(bytes: Buffer, digit: number): number {
  const branched = branchedIn(bytes);
  return branched & (1 << digit) ? readNumber(bytes, belowStart(branched, digit)) : 0;
}

function slotsBelow(node: number): number {
  if (node === 0) return 0;
  return node >= WIDTH ? 1 << (node - WIDTH) : slotsBelow(2 * node) | slotsBelow(2 * node + 1);
}

/** How many bits are set, of 16. */
function countOf(bits: number): number {
  const pairs = bits - ((bits >> 1) & 0x5555);
  const fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333);
  const bytes = (fours + (fours >> 4)) & 0x0f0f;
  return (bytes + (bytes >> 8)) & 31;
}
