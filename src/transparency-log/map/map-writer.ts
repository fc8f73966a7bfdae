import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MapChanges, readFacts } from './map-facts.js';
import { MapStore } from './map-store.js';
import { MapTile } from './map-tile.js';
import { type ChangedTile, MAP_TREE, MapTrees, type TilePlace, type WantedTile } from './map-trees.js';

/** Levels below the highest tile that are kept in memory: some 4,400 tiles, 4 MB, which half of all changes touch. */
const KEPT_LEVELS = 3;

/** Brings entries of the log into the map. */
@Injectable()
export class MapWriter {
  /**
   * Tiles near the top as this server wrote them last, by their paths. One is used only if it has the hash by which the
   * tile above it in the database names it; then it is what the database has, whatever happened meanwhile.
   */
  private readonly kept = new Map<string, { root: string; bytes: Buffer }>();

  constructor(private readonly store: MapStore) {}

  /**
   * Takes in the entries from `from` up to, and without, `to`, in the transaction of `manager`, which holds the lock of
   * the log and has written them.
   * @param isShown whether readers may ask for the map as it was before
   * @returns the root of the map after them, 32 bytes
   */
  async takeIn(manager: EntityManager, from: number, to: number, isShown: boolean): Promise<Uint8Array> {
    const changes = new MapChanges(from < to ? await readFacts(manager, from, to) : []);
    const trees = new MapTrees((tiles) => this.read(tiles, manager));
    await trees.load(changes.keys());
    const root = await changes.applyTo(trees);
    const changed = trees.changes();
    if (changed.length > 0) await this.store.write(manager, changed, to, isShown);
    for (const tile of changed) this.keep(tile);
    return root;
  }

  private async read(tiles: WantedTile[], manager: EntityManager): Promise<(MapTile | null)[]> {
    const known = tiles.map((tile) => this.knownTile(tile));
    const others = tiles.filter((_, index) => known[index] === null);
    const read = others.length > 0 ? await this.store.read(others, manager) : [];
    return known.map((tile) => tile ?? read.shift()!);
  }

  private knownTile({ hash, ...place }: WantedTile): MapTile | null {
    const kept = isKept(place) && hash ? this.kept.get(place.path) : undefined;
    return kept && kept.root === hashText(hash!) ? MapTile.decode(kept.bytes) : null;
  }

  private keep({ place, content }: ChangedTile): void {
    if (!isKept(place)) return;
    if (!content) this.kept.delete(place.path);
    else this.kept.set(place.path, { root: hashText(content.root), bytes: copyOf(content.bytes) });
  }
}

function isKept({ tree, path }: TilePlace): boolean {
  return tree === MAP_TREE && path.length > 0 && path.length <= KEPT_LEVELS;
}

function hashText(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}

/** A copy in memory of its own: small buffers share theirs, and one that is kept keeps all of it. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
