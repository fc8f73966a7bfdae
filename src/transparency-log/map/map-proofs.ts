import type { MapProof } from '@signet/verify/map';
import { endOf, type MapLeaf, type MapTile } from './map-tile.js';

/** What a tree says of a key. */
export interface FoundKey {
  /** Null where the tree does not have the key. */
  leaf: MapLeaf | null;
  proof: MapProof;
}

/** Reads tiles on the path of a key: the one behind its first `depth` hex digits, and those below it. */
export type ReadPath = (tree: string, digits: string, depth: number) => Promise<MapTile[]>;

/**
 * Looks a key of 32 bytes up in a tree.
 * @throws RangeError if a tile is missing that another one names
 */
export async function findKey(readPath: ReadPath, tree: string, key: Uint8Array): Promise<FoundKey> {
  const digits = Buffer.from(key).toString('hex');
  const siblings: Uint8Array[] = [];
  let depth = 0;
  while (depth < digits.length) {
    const tiles = await readPath(tree, digits, depth);
    if (tiles.length === 0 && depth > 0) throw new RangeError(`The map has no tile ${digits.slice(0, depth)}.`);
    if (tiles.length === 0) return { leaf: null, proof: { siblings, end: null } };
    for (const tile of tiles) {
      const path = tile.path(key, depth);
      siblings.push(...path.siblings);
      if (!path.goesOn) {
        const leaf = path.leaf && Buffer.compare(path.leaf.key, key) === 0 ? path.leaf : null;
        return { leaf, proof: { siblings: siblings.reverse(), end: endOf(path.leaf) } };
      }
      depth += 1;
    }
  }
  throw new RangeError('Two keys of the map cannot be the same.');
}

/** All leaves of tiles, in the order of their keys. */
export function leavesOf(tiles: MapTile[]): MapLeaf[] {
  const leaves = tiles.flatMap((tile) => tile.leaves());
  return leaves.sort((one, other) => Buffer.compare(one.key, other.key));
}
