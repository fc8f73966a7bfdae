import { EMPTY_ROOT } from '@signet/verify/map';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MapChanges, readFacts } from './map-facts.js';
import { MapStore } from './map-store.js';
import { type ChangedTile, MapTrees } from './map-trees.js';

/** A batch of so many entries is taken in by parts, so that this process and the database work side by side. */
const LEAST_IN_PARTS = 32;
const PARTS = 2;

/** Brings entries of the log into the map. */
@Injectable()
export class MapWriter {
  constructor(private readonly store: MapStore) {}

  /**
   * Takes in the entries from `from` up to, and without, `to`, in the transaction of `manager`, which holds the lock of
   * the log and has written them.
   * @param isShown whether readers may ask for the map as it was before
   * @returns the root of the map after them, 32 bytes
   */
  async takeIn(manager: EntityManager, from: number, to: number, isShown: boolean): Promise<Uint8Array> {
    const changes = new MapChanges(from < to ? await readFacts(manager, from, to) : []);
    const parts = to - from < LEAST_IN_PARTS ? [changes] : changes.inParts(PARTS);
    const trees = new MapTrees((tiles) => this.store.read(tiles, manager));
    await trees.load(parts[0]!.keys());
    let root = EMPTY_ROOT;
    let changed: ChangedTile[] = [];
    for (const [index, part] of parts.entries()) {
      // While this process computes one part, the database writes the last one and reads the next one.
      const [computed, stored] = await Promise.allSettled([
        part.applyTo(trees),
        this.store.write(manager, changed, to, isShown).then(() => trees.load(parts[index + 1]?.keys() ?? [])),
      ]);
      if (stored.status === 'rejected') throw stored.reason;
      if (computed.status === 'rejected') throw computed.reason;
      root = computed.value;
      changed = trees.takeChanges(index === parts.length - 1);
    }
    await this.store.write(manager, changed, to, isShown);
    return root;
  }
}
