import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { equalBytes } from '../../crypto/hashing.js';
import { MapChanges, readFacts } from './map-facts.js';
import { MapStore } from './map-store.js';
import type { MapTile } from './map-tile.js';
import { MAP_TREE, MapTrees, type TilePlace, type WantedTile } from './map-trees.js';

/** Levels below the highest tile that are kept in memory: some 4,400 tiles, 4 MB, which half of all changes touch. */
const KEPT_LEVELS = 3;

/** Brings entries of the log into the map. */
@Injectable()
export class MapWriter {
  /**
   * Tiles near the top as this server wrote or read them last, by their paths. One is used only if it has the hash by
   * which the tile above it in the database names it; then it is what the database has, whatever happened meanwhile.
   */
  private readonly kept = new Map<string, MapTile>();

  constructor(private readonly store: MapStore) {}

  /**
   * Takes in the entries from `from` up to, and without, `to`, in the transaction of `manager`, which holds the lock of
   * the log and has written them.
   * @param isShown whether the map was shown before
   * @returns the root of the map after them, 32 bytes
   */
  async takeIn(manager: EntityManager, from: number, to: number, isShown: boolean): Promise<Uint8Array> {
    const changes = new MapChanges(from < to ? await readFacts(manager, from, to) : []);
    const trees = new MapTrees((tiles) => this.read(tiles, manager));
    await trees.load(changes.keys());
    const root = await changes.applyTo(trees);
    const changed = trees.changes();
    if (changed.length > 0) await this.store.write(manager, changed, to, isShown);
    for (const { place, tile } of changed) this.keep(place, tile);
    return root;
  }

  private async read(tiles: WantedTile[], manager: EntityManager): Promise<(MapTile | null)[]> {
    const known = tiles.map(({ path, hash, ...place }) => {
      const tile = isKept({ path, ...place }) && hash ? this.kept.get(path) : undefined;
      return tile && equalBytes(tile.root(), hash!) ? tile : null;
    });
    const others = tiles.filter((_, index) => known[index] === null);
    if (others.length === 0) return known;
    const read = await this.store.read(others, manager);
    for (const [index, place] of others.entries()) this.keep(place, read[index]!);
    return known.map((tile) => tile ?? read.shift()!);
  }

  private keep(place: TilePlace, tile: MapTile | null): void {
    if (!isKept(place)) return;
    if (tile) this.kept.set(place.path, tile);
    else this.kept.delete(place.path);
  }
}

function isKept({ tree, path }: TilePlace): boolean {
  return tree === MAP_TREE && path.length > 0 && path.length <= KEPT_LEVELS;
}
