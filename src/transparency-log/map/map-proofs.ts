import type { MapProof } from '@signet/verify/map';
import { endOf, isLeaf, type MapLeaf, type MapTile, tileRoot, wayThrough } from './map-tile.js';
import type { ReadMapTiles } from './map-trees.js';

/** Tiles that are read at once: more levels than trees of a few million keys have. */
const LEVELS_AT_ONCE = 8;

/** What a tree says of a key. */
export interface FoundKey {
  /** Null where the tree does not have the key. */
  leaf: MapLeaf | null;
  proof: MapProof;
  /** The root of the tree; null of a tree without leaves. */
  root: Uint8Array | null;
}

/**
 * Looks a key of 32 bytes up in a tree.
 * @throws RangeError if a tile is missing that another one names
 */
export async function findKey(readTiles: ReadMapTiles, tree: string, key: Uint8Array): Promise<FoundKey> {
  const digits = Buffer.from(key).toString('hex');
  const siblings: Uint8Array[] = [];
  let root: Uint8Array | null = null;
  for (let depth = 0; depth < digits.length;) {
    const paths = Array.from({ length: LEVELS_AT_ONCE }, (_, more) => digits.slice(0, depth + more));
    for (const tile of await readTiles(paths.map((path) => ({ tree, path })))) {
      if (!tile && depth > 0) throw new RangeError(`The map has no tile ${digits.slice(0, depth)}.`);
      if (!tile) return { leaf: null, proof: { siblings, end: null }, root };
      root ??= tileRoot(tile);
      const way = wayThrough(tile, key, depth);
      siblings.push(...way.siblings);
      if (!way.below) {
        const leaf = way.leaf && Buffer.compare(way.leaf.key, key) === 0 ? way.leaf : null;
        return { leaf, proof: { siblings: siblings.reverse(), end: endOf(way.leaf) }, root };
      }
      depth += 1;
    }
  }
  throw new RangeError('Two keys of the map cannot be the same.');
}

/** All leaves of tiles, in the order of their keys. */
export function leavesOf(tiles: { tile: MapTile }[]): MapLeaf[] {
  const leaves = tiles.flatMap(({ tile }) => tile.filter(isLeaf));
  return leaves.sort((one, other) => Buffer.compare(one.key, other.key));
}
