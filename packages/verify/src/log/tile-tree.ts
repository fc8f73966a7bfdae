/**
 * Roots and proofs out of tiles, and the tiles of a tree that grows. A tree is taken apart into complete subtrees; the
 * root of each stands in a tile or is computed from hashes that stand side by side in one. A reader with a checkpoint
 * need not trust where the tiles come from: a proof made of wrong ones does not verify.
 */
import { type Tile, TILE_WIDTH, tileWidth } from './tiles.js';
import {
  consistencyNodes,
  foldNodes,
  HASH_BYTES,
  inclusionNodes,
  nodeHash,
  rootNodes,
  type Sha256,
  type TreeNode,
} from './tree.js';

/**
 * Reads tiles: for each its hashes one after the other, `32 * width` bytes or more (a tile that has grown since is as
 * good). Asked once for all tiles that something needs.
 */
export type ReadTiles = (tiles: Tile[]) => Promise<Uint8Array[]>;

/** A tile with its hashes, from the first one on. */
export interface TileHashes extends Tile {
  /** 32 bytes each. */
  hashes: Uint8Array;
}

/** What a batch of new entries makes of a tree. */
export interface GrownTree {
  size: number;
  root: Uint8Array;
  /** Each tile that is new or has grown, whole. */
  tiles: TileHashes[];
}

/** Levels of the tree that one level of tiles spans. */
const TILE_HEIGHT = 8;

/** The tile that holds the hashes under a complete subtree, side by side. */
export function tileOfNode(node: TreeNode): Omit<Tile, 'width'> {
  const { level, first } = placeOf(node);
  return { level, number: Math.floor(first / TILE_WIDTH) };
}

/**
 * The hash of a complete subtree, out of the tile that `tileOfNode` names: its hashes, 32 bytes each, from the first.
 * @throws RangeError if the tile is too short
 */
export function nodeInTile(tile: Uint8Array, node: TreeNode, hash?: Sha256): Uint8Array {
  const { first, count } = placeOf(node);
  const start = (first % TILE_WIDTH) * HASH_BYTES;
  const end = start + count * HASH_BYTES;
  if (tile.length < end) throw new RangeError(`The tile has ${tile.length} bytes and not ${end}.`);
  return completeRoot(split(tile.subarray(start, end)), hash);
}

/**
 * The root of the tree of `size` entries.
 * @throws RangeError if a tile that was read is too short
 */
export async function rootFromTiles(size: number, readTiles: ReadTiles, hash?: Sha256): Promise<Uint8Array> {
  const [root] = await hashesOf([rootNodes(size)], size, readTiles, hash);
  return root!;
}

/**
 * The inclusion proof of an entry, from the sibling of the leaf upwards.
 * @throws RangeError if the tree has no entry of this index, or a tile that was read is too short
 */
export async function inclusionFromTiles(
  index: number,
  size: number,
  readTiles: ReadTiles,
  hash?: Sha256,
): Promise<Uint8Array[]> {
  const [proof] = await inclusionsFromTiles([index], size, readTiles, hash);
  return proof!;
}

/**
 * The inclusion proofs of several entries, in their order, each as `inclusionFromTiles` gives it. Tiles are asked for
 * once, and what the proofs share is computed once.
 * @throws as `inclusionFromTiles`
 */
export async function inclusionsFromTiles(
  indexes: readonly number[],
  size: number,
  readTiles: ReadTiles,
  hash?: Sha256,
): Promise<Uint8Array[][]> {
  const lists = indexes.map((index) => inclusionNodes(index, size));
  const hashes = await hashesOf(lists.flat(), size, readTiles, hash);
  return lists.map(({ length }) => hashes.splice(0, length));
}

/**
 * The proof that the tree of `size1` entries is the beginning of that of `size2`. Empty for equal sizes and for the
 * tree without entries.
 * @throws RangeError if `size1` is the larger one, or a tile that was read is too short
 */
export async function consistencyFromTiles(
  size1: number,
  size2: number,
  readTiles: ReadTiles,
  hash?: Sha256,
): Promise<Uint8Array[]> {
  return hashesOf(consistencyNodes(size1, size2), size2, readTiles, hash);
}

/**
 * Appends entries by their leaf hashes. Reads the partial tiles at the right edge of the old tree (8 at most), once.
 * @throws RangeError if a tile that was read is too short
 */
export async function appendLeaves(
  size: number,
  leafHashes: readonly Uint8Array[],
  readTiles: ReadTiles,
  hash?: Sha256,
): Promise<GrownTree> {
  const rows = await rightEdge(size, readTiles);
  const tiles: TileHashes[] = [];
  let added = leafHashes;
  for (let level = 0; added.length > 0; level++) {
    const row = rows[level] ?? [];
    const start = Math.floor(size / TILE_WIDTH ** level) - row.length;
    const hashes = [...row, ...added];
    const parents: Uint8Array[] = [];
    for (let offset = 0; offset < hashes.length; offset += TILE_WIDTH) {
      const part = hashes.slice(offset, offset + TILE_WIDTH);
      tiles.push({ level, number: (start + offset) / TILE_WIDTH, width: part.length, hashes: join(part) });
      if (part.length === TILE_WIDTH) parents.push(completeRoot(part, hash));
    }
    rows[level] = hashes.slice(parents.length * TILE_WIDTH);
    added = parents;
  }
  const nodes = rows.reverse().flatMap((row) => subtreesOf(row, hash));
  return { size: size + leafHashes.length, root: foldNodes(nodes, hash), tiles };
}

/** The hashes of the partial tile of each level. */
async function rightEdge(size: number, readTiles: ReadTiles): Promise<Uint8Array[][]> {
  const tiles: Tile[] = [];
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / TILE_WIDTH)) {
    if (count % TILE_WIDTH > 0) {
      tiles.push({ level, number: Math.floor(count / TILE_WIDTH), width: count % TILE_WIDTH });
    }
  }
  const read = tiles.length > 0 ? await readTiles(tiles) : [];
  const rows: Uint8Array[][] = Array.from({ length: (tiles.at(-1)?.level ?? -1) + 1 }, () => []);
  tiles.forEach(({ level, number, width }, place) => {
    const bytes = read[place]?.subarray(0, width * HASH_BYTES);
    if (bytes?.length !== width * HASH_BYTES)
      throw new RangeError(`Tile ${level}/${number} has fewer than ${width} hashes.`);
    rows[level] = split(bytes);
  });
  return rows;
}

/** One hash for each list of complete subtrees. */
async function hashesOf(
  lists: TreeNode[][],
  size: number,
  readTiles: ReadTiles,
  hash: Sha256 | undefined,
): Promise<Uint8Array[]> {
  const places = new Map<string, number>();
  const tiles: Tile[] = [];
  const placeOfTile = (node: TreeNode) => {
    const { level, number } = tileOfNode(node);
    const key = `${level}/${number}`;
    if (!places.has(key)) places.set(key, tiles.push({ level, number, width: tileWidth(level, number, size) }) - 1);
    return places.get(key)!;
  };
  const placed = lists.map((nodes) => nodes.map((node) => ({ node, place: placeOfTile(node) })));
  const read = tiles.length > 0 ? await readTiles(tiles) : [];
  const known = new Map<string, Uint8Array>();
  const hashOf = (node: TreeNode, place: number) => {
    const key = `${node.level}/${node.index}`;
    const found = known.get(key) ?? nodeInTile(read[place] ?? new Uint8Array(), node, hash);
    known.set(key, found);
    return found;
  };
  return placed.map((nodes) =>
    foldNodes(
      nodes.map(({ node, place }) => hashOf(node, place)),
      hash,
    ),
  );
}

/** Where the hashes under a complete subtree stand: the level of tiles, the first of them, and how many. */
function placeOf({ level, index }: TreeNode): { level: number; first: number; count: number } {
  const count = 2 ** (level % TILE_HEIGHT);
  return { level: Math.floor(level / TILE_HEIGHT), first: index * count, count };
}

/** The root over 2^n hashes. */
function completeRoot(hashes: readonly Uint8Array[], hash?: Sha256): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const below = row;
    row = Array.from({ length: below.length / 2 }, (_, at) => nodeHash(below[2 * at]!, below[2 * at + 1]!, hash));
  }
  return row[0]!;
}

/** The roots of the complete subtrees over the hashes of a partial tile, the largest first. */
function subtreesOf(row: readonly Uint8Array[], hash?: Sha256): Uint8Array[] {
  return rootNodes(row.length).map(({ level, index }) =>
    completeRoot(row.slice(index * 2 ** level, (index + 1) * 2 ** level), hash),
  );
}

function split(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

function join(hashes: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(hashes.length * HASH_BYTES);
  hashes.forEach((hash, at) => joined.set(hash, at * HASH_BYTES));
  return joined;
}
