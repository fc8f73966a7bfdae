import { Turns } from '../../../concurrency/turns.js';
import { chunksOf } from '../../../domain/lists.js';
import { isBelow, isLeaf, type MapLeaf, type Slot } from './map-slot.js';
import { digitOf, MapTile } from './map-tile.js';
import { numberBelow } from './map-tile-layout.js';

/** Tiles that one statement reads: the driver parses its answer without giving requests a turn. */
const READ_AT_ONCE = 100;

/** A key of the map that may change; `holders`: keys in the tree of those who hold this identity that may change. */
export interface KeyToLoad {
  key: Uint8Array;
  holders?: Uint8Array[];
}

/** Reads the bytes of tiles by their numbers. */
export type ReadMapTiles = (numbers: number[]) => Promise<Map<number, Buffer>>;

/** What changes of the stored tiles. */
export interface ChangedTiles {
  /** Of tiles that are new or have changed. */
  numbers: number[];
  tiles: Buffer[];
  /** With the last changes: numbers of tiles that the map does not have any more. */
  past: number[];
}

/** What is stored of the map before it is changed. */
export interface StoredMap {
  /** The number of its highest tile; 0 where there is no map yet. */
  top: number;
  /** From this number on none is used. */
  next: number;
  /** Whether readers may ask for the map as it is: then a tile that changes is stored anew, under another number. */
  isShown: boolean;
}

/** What becomes of a key: another value, or none. */
export type KeyChange = [key: Uint8Array, leaf: MapLeaf | null];

/**
 * A tile as it was read or has become, with those below it that were asked for. It is held as bytes: a batch reads
 * thousands of tiles, and what lives long as objects is copied by each collection of garbage.
 */
class HeldTile {
  /** Null: it was not read, or the tree does not have it. */
  bytes: Buffer | null = null;
  private readonly below: (HeldTile | undefined)[] = [];

  /** @param number 0: it is not stored. @param depth hex digits in front of it */
  constructor(
    public number: number,
    readonly depth: number,
  ) {}

  /** The number of the tile below a digit; 0 if there is none. */
  numberBelow(digit: number): number {
    return this.bytes ? numberBelow(this.bytes, digit) : 0;
  }

  /** The tile below a digit, which may not be there yet. */
  child(digit: number): HeldTile {
    return (this.below[digit] ??= new HeldTile(this.numberBelow(digit), this.depth + 1));
  }

  /** This tile as an object that may be changed; empty where the tree does not have it. @throws Error if not read */
  open(): MapTile {
    if (this.bytes) return MapTile.decode(this.bytes);
    if (this.number > 0) throw new Error(`The tile ${this.number} of the map was not read.`);
    return MapTile.empty();
  }
}

/**
 * The map while it is changed: the tiles on the ways of keys are read, then these keys are changed in memory. Further
 * ones may be read meanwhile, if they differ from these in their first digits.
 */
export class MapTrees {
  private readonly map: HeldTile;
  /** The highest tiles of trees of holders, by their numbers. */
  private readonly trees = new Map<number, HeldTile>();
  private isChanged = false;
  private next: number;
  private readonly isShown: boolean;
  private numbers: number[] = [];
  private tiles: Buffer[] = [];
  private readonly past: number[] = [];
  private readonly turns = new Turns();

  constructor(
    private readonly readTiles: ReadMapTiles,
    { top, next, isShown }: StoredMap,
  ) {
    this.map = new HeldTile(top, 0);
    this.next = next;
    this.isShown = isShown;
  }

  /** The number of the highest tile of the map. */
  get top(): number {
    return this.map.number;
  }

  /**
   * Reads the highest tile of the map, and all tiles on the ways of these keys, one level at a time.
   * @throws Error if one is missing
   */
  async load(keys: KeyToLoad[]): Promise<void> {
    await this.loadWays(new Map([[this.map, keys.map(({ key }) => key)]]));
    const ways = new Map<HeldTile, Uint8Array[]>();
    for (const { key, holders } of keys) {
      const tree = holders && this.leafOf(key)?.holders;
      if (tree && isBelow(tree)) ways.set(this.treeOf(tree.number), holders);
    }
    await this.loadWays(ways);
  }

  /** The leaf of a key of the map that was loaded; null if there is none. */
  leafOf(key: Uint8Array): MapLeaf | null {
    return leafIn(this.map, key);
  }

  /** The leaf of a key that was loaded in a tree of holders; null if there is none. */
  holderOf(tree: Slot, key: Uint8Array): MapLeaf | null {
    return isBelow(tree) ? leafIn(this.treeOf(tree.number), key) : leafAt(tree, key);
  }

  /** Changes keys of a tree of holders that were loaded, each once. @returns the tree as it is then */
  async changeHolders(tree: Slot, changes: KeyChange[]): Promise<Slot> {
    const held = isBelow(tree) ? this.treeOf(tree.number) : new HeldTile(0, 0);
    return this.slotAfter(tree, held, changes);
  }

  /** Changes keys of the map that were loaded, each once. @returns its root */
  async change(changes: KeyChange[]): Promise<Uint8Array> {
    const tile = await this.changed(this.map, changes);
    if (changes.length === 0) return tile.root();
    const { bytes, root } = tile.encodeWithRoot();
    this.isChanged = true;
    this.map.bytes = bytes;
    return root;
  }

  /**
   * What has changed since it was asked for last.
   * @param isLast whether no change follows; only then the highest tile of the map is there
   */
  takeChanges(isLast: boolean): ChangedTiles {
    if (isLast && this.isChanged) this.store(this.map, this.map.bytes);
    const { numbers, tiles } = this;
    this.numbers = [];
    this.tiles = [];
    return { numbers, tiles, past: isLast ? this.past : [] };
  }

  private treeOf(number: number): HeldTile {
    const tree = this.trees.get(number) ?? new HeldTile(number, 0);
    this.trees.set(number, tree);
    return tree;
  }

  private async loadWays(ways: Map<HeldTile, Uint8Array[]>): Promise<void> {
    for (let level = ways; level.size > 0;) {
      await this.read([...level.keys()].filter(({ bytes, number }) => !bytes && number > 0));
      const next = new Map<HeldTile, Uint8Array[]>();
      for (const [one, keys] of level) {
        for (const key of keys) {
          const digit = digitOf(key, one.depth);
          if (one.numberBelow(digit) > 0) addTo(next, one.child(digit), key);
        }
      }
      level = next;
    }
  }

  private async read(unread: HeldTile[]): Promise<void> {
    for (const some of chunksOf(unread, READ_AT_ONCE)) {
      const found = await this.readTiles(some.map(({ number }) => number));
      for (const one of some) {
        one.bytes = found.get(one.number) ?? null;
        if (!one.bytes) throw new Error(`The tile ${one.number} of the map is missing; see docs/log.md.`);
      }
    }
  }

  /** A tile with what is below it changed; requests have their turn in between. */
  private async changed(held: HeldTile, changes: KeyChange[]): Promise<MapTile> {
    const tile = held.open();
    for (const [digit, group] of groupsOf(changes, held.depth)) {
      tile.set(digit, await this.slotAfter(tile.slot(digit), held.child(digit), group));
    }
    await this.turns.next();
    return tile;
  }

  /** @param held the tile that stands, or would stand, in the slot. @returns what then stands there */
  private async slotAfter(slot: Slot, held: HeldTile, changes: KeyChange[]): Promise<Slot> {
    if (isBelow(slot)) return this.close(held, await this.changed(held, changes));
    const leaves = leavesAfter(slot, changes);
    if (leaves.length <= 1) return leaves[0] ?? null;
    const pushedDown = leaves.map((leaf): KeyChange => [leaf.key, leaf]);
    return this.close(held, await this.changed(held, pushedDown));
  }

  /** Takes what a tile has become. @returns what stands in its place: a subtree with one leaf is that leaf */
  private close(held: HeldTile, tile: MapTile): Slot {
    const lone = tile.loneLeaf();
    if (lone !== undefined) {
      this.store(held, null);
      return lone;
    }
    const { bytes, root } = tile.encodeWithRoot();
    this.store(held, bytes);
    return { hash: root, number: held.number };
  }

  private store(held: HeldTile, bytes: Buffer | null): void {
    if (held.number > 0 && (this.isShown || !bytes)) {
      this.past.push(held.number);
      held.number = 0;
    }
    held.bytes = bytes;
    if (!bytes) return;
    if (held.number === 0) held.number = this.next++;
    this.numbers.push(held.number);
    this.tiles.push(bytes);
  }
}

function leafIn(tree: HeldTile, key: Uint8Array): MapLeaf | null {
  let held = tree;
  while (held.numberBelow(digitOf(key, held.depth)) > 0) held = held.child(digitOf(key, held.depth));
  return leafAt(held.open().slot(digitOf(key, held.depth)), key);
}

function leafAt(slot: Slot, key: Uint8Array): MapLeaf | null {
  return isLeaf(slot) && Buffer.compare(slot.key, key) === 0 ? slot : null;
}

/** The leaves behind a slot that has no tile below. */
function leavesAfter(slot: Slot, changes: KeyChange[]): MapLeaf[] {
  const [[key, leaf]] = changes as [KeyChange];
  // Most slots have one change, of their own leaf or of an empty slot.
  if (changes.length === 1 && (slot === null || leafAt(slot, key))) return leaf ? [leaf] : [];
  const leaves = new Map<string, MapLeaf>(isLeaf(slot) ? [[hexOf(slot.key), slot]] : []);
  for (const [key, leaf] of changes) {
    if (leaf) leaves.set(hexOf(key), leaf);
    else leaves.delete(hexOf(key));
  }
  return [...leaves.values()];
}

function addTo<Key, Value>(groups: Map<Key, Value[]>, name: Key, value: Value): void {
  const group = groups.get(name);
  if (group) group.push(value);
  else groups.set(name, [value]);
}

function groupsOf(changes: KeyChange[], depth: number): Iterable<[number, KeyChange[]]> {
  if (changes.length === 1) return [[digitOf(changes[0]![0], depth), changes]];
  const groups = new Map<number, KeyChange[]>();
  for (const change of changes) addTo(groups, digitOf(change[0], depth), change);
  return groups;
}

function hexOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('hex');
}
