import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MapChanges, readFacts } from './map-facts.js';
import { MapStore } from './map-store.js';
import { MapTrees } from './map-trees.js';

/** Brings entries of the log into the map. */
@Injectable()
export class MapWriter {
  constructor(private readonly store: MapStore) {}

  /**
   * Takes in the entries from `from` up to, and without, `to`, in the transaction of `manager`, which holds the lock of
   * the log and has written them.
   * @param isShown whether the map was shown before
   * @returns the root of the map after them, 32 bytes
   */
  async takeIn(manager: EntityManager, from: number, to: number, isShown: boolean): Promise<Uint8Array> {
    const changes = new MapChanges(from < to ? await readFacts(manager, from, to) : []);
    const trees = new MapTrees((places) => this.store.read(places, manager));
    await trees.load(changes.keys());
    const root = await changes.applyTo(trees);
    const changed = trees.changes();
    if (changed.length > 0) await this.store.write(manager, changed, to, isShown);
    return root;
  }
}
