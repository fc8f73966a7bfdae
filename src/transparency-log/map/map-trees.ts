import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { digitOf, isLeaf, type MapLeaf, MapTile, type Slot, slotAt } from './map-tile.js';

/** The name of the tree that is the map itself; the trees of holders are named by the keys of their identities, hex. */
export const MAP_TREE = '';

/** Where a tile stands. */
export interface TilePlace {
  /** `MAP_TREE`, or 64 hex digits. */
  tree: string;
  /** Hex digits that all its keys begin with. */
  path: string;
}

/** A key, and the tree in which it is looked for. */
export interface TreeKey {
  tree: string;
  key: Uint8Array;
}

/** Reads the bytes of tiles, in the order asked for; null for each that is not there. */
export type ReadMapTiles = (tiles: TilePlace[]) => Promise<(Buffer | null)[]>;

/** What becomes of a tile. */
export interface ChangedTile {
  place: TilePlace;
  /** Null: it is gone. */
  bytes: Buffer | null;
  /** Whether there was one before. */
  wasThere: boolean;
}

/** What becomes of a key: another value, or none. */
export type KeyChange = [key: Uint8Array, leaf: MapLeaf | null];

/**
 * A tile as it was read or has become, with those below it that were asked for. It is held as bytes: a batch reads
 * thousands of tiles, and what lives long as objects is copied by each collection of garbage.
 */
class HeldTile {
  /** Null: the tree does not have it. */
  bytes: Buffer | null = null;
  isRead = false;
  /** Whether there was one when it was read. */
  wasThere = false;
  /** Whether it has changed since it was read or taken. */
  isChanged = false;
  readonly below: (HeldTile | undefined)[] = [];

  constructor(readonly place: TilePlace) {}

  get depth(): number {
    return this.place.path.length;
  }

  /** The tile below a slot, which may not be there yet. */
  child(digit: number): HeldTile {
    const { tree, path } = this.place;
    return (this.below[digit] ??= new HeldTile({ tree, path: path + digit.toString(16) }));
  }

  /** What stands behind a digit. */
  slot(digit: number): Slot {
    return this.bytes && slotAt(this.bytes, digit);
  }

  /** This tile as an object that may be changed; empty where the tree does not have it. */
  open(): MapTile {
    return this.bytes ? MapTile.decode(this.bytes) : MapTile.empty();
  }

  /** Takes what it has become. @returns the root of its subtree */
  become(tile: MapTile, isThere: boolean): Uint8Array {
    this.isChanged = true;
    this.bytes = isThere ? tile.encode() : null;
    return tile.root();
  }

  /** Adds this tile and those below it that have changed to `changed`. */
  take(changed: ChangedTile[]): void {
    const { place, bytes, wasThere } = this;
    if (!this.isChanged) return;
    this.isChanged = false;
    changed.push({ place, bytes, wasThere });
    this.takeBelow(changed);
  }

  takeBelow(changed: ChangedTile[]): void {
    for (const held of this.below) held?.take(changed);
  }
}

/**
 * Trees of the map while they are changed: the tiles on the ways of keys are read, then these keys are changed in
 * memory. Further ones may be read meanwhile, if they differ from these in their first digits.
 */
export class MapTrees {
  private readonly tops = new Map<string, HeldTile>();

  constructor(private readonly readTiles: ReadMapTiles) {}

  /** Reads the highest tile of the map, and all tiles on the ways of these keys, one level of all trees at a time. */
  async load(keys: TreeKey[]): Promise<void> {
    let level = new Map([[this.topOf(MAP_TREE), [] as Uint8Array[]]]);
    for (const { tree, key } of keys) addTo(level, this.topOf(tree), key);
    while (level.size > 0) {
      const unread = [...level.keys()].filter(({ isRead }) => !isRead);
      const found = await this.readTiles(unread.map(({ place }) => place));
      for (const [index, one] of unread.entries()) {
        one.bytes = found[index]!;
        one.wasThere = one.bytes !== null;
        one.isRead = true;
      }
      const next = new Map<HeldTile, Uint8Array[]>();
      for (const [one, keysOfTile] of level) {
        for (const key of keysOfTile) {
          const digit = digitOf(key, one.depth);
          const slot = one.slot(digit);
          if (slot && !isLeaf(slot)) addTo(next, one.child(digit), key);
        }
      }
      level = next;
      await yieldToRequests();
    }
  }

  /** The leaf of a key that was loaded; null if the tree does not have it. */
  leafOf({ tree, key }: TreeKey): MapLeaf | null {
    let held: HeldTile | undefined = this.topOf(tree);
    while (held) {
      const digit = digitOf(key, held.depth);
      const slot: Slot = held.slot(digit);
      if (slot === null) return null;
      if (isLeaf(slot)) return Buffer.compare(slot.key, key) === 0 ? slot : null;
      held = held.below[digit];
    }
    return null;
  }

  /** Changes keys of a tree that were loaded, each once, and answers its root. Requests have their turn in between. */
  async change(tree: string, changes: KeyChange[]): Promise<Uint8Array> {
    const top = this.topOf(tree);
    const tile = top.open();
    for (const [digit, group] of groupsOf(changes, 0)) {
      tile.set(digit, slotAfter(top, digit, tile.slot(digit), group));
      await yieldToRequests();
    }
    return changes.length > 0 ? top.become(tile, tile.loneLeaf() !== null) : tile.root();
  }

  /**
   * Tiles that are not as they were read, without those that were taken before.
   * @param isLast whether no change follows; only then the highest tile of the map is among them
   */
  takeChanges(isLast: boolean): ChangedTile[] {
    const changed: ChangedTile[] = [];
    for (const top of this.tops.values()) {
      if (top.place.tree === MAP_TREE && !isLast) top.takeBelow(changed);
      else top.take(changed);
    }
    return changed;
  }

  private topOf(tree: string): HeldTile {
    const top = this.tops.get(tree) ?? new HeldTile({ tree, path: '' });
    this.tops.set(tree, top);
    return top;
  }
}

/** Changes what is below a tile. @returns what then stands in its place */
function put(held: HeldTile, changes: KeyChange[]): Slot {
  const tile = held.open();
  for (const [digit, group] of groupsOf(changes, held.depth)) {
    tile.set(digit, slotAfter(held, digit, tile.slot(digit), group));
  }
  // A subtree with one leaf is that leaf.
  const lone = tile.loneLeaf();
  const hash = held.become(tile, lone === undefined);
  return lone === undefined ? { hash } : lone;
}

function slotAfter(held: HeldTile, digit: number, slot: Slot, changes: KeyChange[]): Slot {
  if (slot !== null && !isLeaf(slot)) {
    const child = held.child(digit);
    if (!child.bytes) throw new Error(`The tile "${child.place.path}" of the map is missing in the database.`);
    return put(child, changes);
  }
  const leaves = new Map<string, MapLeaf>(slot ? [[hexOf(slot.key), slot]] : []);
  for (const [key, leaf] of changes) {
    if (leaf) leaves.set(hexOf(key), leaf);
    else leaves.delete(hexOf(key));
  }
  if (leaves.size <= 1) return [...leaves.values()][0] ?? null;
  const changesBelow = [...leaves.values()].map((leaf): KeyChange => [leaf.key, leaf]);
  return put(held.child(digit), changesBelow);
}

function addTo<Key, Value>(groups: Map<Key, Value[]>, name: Key, value: Value): void {
  const group = groups.get(name);
  if (group) group.push(value);
  else groups.set(name, [value]);
}

function groupsOf(changes: KeyChange[], depth: number): Map<number, KeyChange[]> {
  const groups = new Map<number, KeyChange[]>();
  for (const change of changes) addTo(groups, digitOf(change[0], depth), change);
  return groups;
}

function hexOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('hex');
}
