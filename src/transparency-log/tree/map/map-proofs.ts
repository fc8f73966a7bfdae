import type { MapProof } from '@signet/verify/internal/map';
import { endOf, isBelow, type MapLeaf, type Slot } from './map-slot.js';
import type { MapTile } from './map-tile.js';

/** What a tree says of a key. */
export interface FoundKey {
  /** Null where the tree does not have the key. */
  leaf: MapLeaf | null;
  proof: MapProof;
}

/** Reads the tile of a number, and those below it on the way of a key. */
export type ReadPath = (number: number, key: Uint8Array) => Promise<MapTile[]>;

/**
 * Looks a key of 32 bytes up in a tree.
 * @throws RangeError if a tile is missing
 */
export async function findKey(readPath: ReadPath, tree: Slot, key: Uint8Array): Promise<FoundKey> {
  if (!isBelow(tree)) return found(key, [], tree);
  const siblings: Uint8Array[] = [];
  for (const [depth, tile] of (await readPath(tree.number, key)).entries()) {
    const path = tile.path(key, depth);
    siblings.push(...path.siblings);
    if (!path.goesOn) return found(key, siblings.reverse(), path.leaf);
  }
  throw new RangeError(`A tile of the map below tile ${tree.number}, or that itself, is missing.`);
}

function found(key: Uint8Array, siblings: Uint8Array[], end: MapLeaf | null): FoundKey {
  const leaf = end && Buffer.compare(end.key, key) === 0 ? end : null;
  return { leaf, proof: { siblings, end: end && endOf(end) } };
}
