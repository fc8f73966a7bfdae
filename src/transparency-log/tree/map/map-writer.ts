import { EMPTY_ROOT } from '@signet/verify/internal/map';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RecordKinds } from '../../../ledger/record-kind.js';
import type { NewLeaf } from '../records/new-leaves.js';
import { factsOf, MapChanges, readFacts } from './map-facts.js';
import { MapStore, readTiles } from './map-store.js';
import { type ChangedTiles, MapTrees } from './map-trees.js';

/** So many entries are taken in by parts, so that this process and the database work side by side. */
const LEAST_IN_PARTS = 32;
const PARTS = 2;

/** What the map has become. */
export interface GrownMap {
  /** 32 bytes. */
  root: Uint8Array;
  /** The number of its highest tile; 0 where it has none. */
  top: number;
}

/** Brings entries of the log into the map. */
@Injectable()
export class MapWriter {
  constructor(
    private readonly store: MapStore,
    private readonly kinds: RecordKinds,
  ) {}

  /**
   * Takes in the entries from `from` up to, and without, `to`, in the transaction of `manager`, which holds the lock of
   * the log and has written them.
   * @param top the number of the highest tile of the map before
   * @param isShown whether readers may ask for the map as it was before
   * @param written the leaves of all these entries, where they were just written: these are not read again
   */
  async takeIn(
    manager: EntityManager,
    top: number,
    [from, to]: [number, number],
    isShown: boolean,
    written: NewLeaf[] | null = null,
  ): Promise<GrownMap> {
    const known = from === to ? [] : written && factsOf(this.kinds, written, from);
    const changes = await new MapChanges().add(known ?? (await readFacts(manager, this.kinds, from, to)));
    const parts = changes.inParts(to - from < LEAST_IN_PARTS ? 1 : PARTS);
    const stored = await this.store.stored(manager, top, isShown);
    const trees = new MapTrees((numbers) => readTiles(manager, numbers), stored);
    await trees.load(parts[0]!.keys());
    let root = EMPTY_ROOT;
    let changed: ChangedTiles = { numbers: [], tiles: [], past: [] };
    const write = () => this.store.write(manager, changed, to, isShown);
    for (const [index, part] of parts.entries()) {
      // While this process computes one part, the database writes the last one and reads the next one.
      const [computed, written] = await Promise.allSettled([
        part.applyTo(trees),
        write().then(() => trees.load(parts[index + 1]?.keys() ?? [])),
      ]);
      if (written.status === 'rejected') throw written.reason;
      if (computed.status === 'rejected') throw computed.reason;
      root = computed.value;
      changed = trees.takeChanges(index === parts.length - 1);
    }
    await write();
    return { root, top: trees.top };
  }
}
