import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { digitOf, isLeaf, type MapLeaf, MapTile, type Slot } from './map-tile.js';

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

/** A tile that is to be read. */
export interface WantedTile extends TilePlace {
  /** The hash by which the tile above names it; null of the highest one, and of one that is not there. */
  hash: Uint8Array | null;
}

/** Reads tiles, in the order asked for; null for each that is not there. */
export type ReadMapTiles = (tiles: WantedTile[]) => Promise<(MapTile | null)[]>;

/** What becomes of a tile. */
export interface ChangedTile {
  place: TilePlace;
  /** Null: it is gone. */
  content: { root: Uint8Array; bytes: Buffer } | null;
  /** Whether there was one before. */
  wasThere: boolean;
}

/** What becomes of a key: another value, or none. */
export type KeyChange = [key: Uint8Array, leaf: MapLeaf | null];

/** A tile as it was read or has become, with those below it that were asked for. */
class HeldTile {
  /** Null: the tree does not have it. */
  tile: MapTile | null = null;
  isChanged = false;
  /** Whether there was one before. */
  wasThere = false;
  readonly below: (HeldTile | undefined)[] = [];

  constructor(readonly wanted: WantedTile) {}

  get depth(): number {
    return this.wanted.path.length;
  }

  /** The tile below a slot. @param hash by which the slot names it; null if there is none yet */
  child(digit: number, hash: Uint8Array | null): HeldTile {
    const { tree, path } = this.wanted;
    return (this.below[digit] ??= new HeldTile({ tree, path: path + digit.toString(16), hash }));
  }

  /** This tile and all below it that were asked for. */
  *all(): Generator<HeldTile> {
    yield this;
    for (const held of this.below) if (held) yield* held.all();
  }
}

/**
 * Trees of the map while they are changed: the tiles on the ways of the keys that change are read first, then the
 * changes are made in memory.
 */
export class MapTrees {
  private readonly tops = new Map<string, HeldTile>();

  constructor(private readonly readTiles: ReadMapTiles) {}

  /**
   * Reads the highest tile of the map, and all tiles on the ways of these keys, one level of all trees at a time. To be
   * called once, before the first change.
   */
  async load(keys: TreeKey[]): Promise<void> {
    let level = new Map([[this.topOf(MAP_TREE), [] as Uint8Array[]]]);
    for (const { tree, key } of keys) addTo(level, this.topOf(tree), key);
    while (level.size > 0) {
      const wanted = [...level.keys()];
      const found = await this.readTiles(wanted.map((one) => one.wanted));
      for (const [index, one] of wanted.entries()) {
        one.tile = found[index]!;
        one.wasThere = one.tile !== null;
      }
      const next = new Map<HeldTile, Uint8Array[]>();
      for (const [one, keysOfTile] of level) {
        for (const key of keysOfTile) {
          const digit = digitOf(key, one.depth);
          const slot = one.tile?.slot(digit);
          if (slot && !isLeaf(slot)) addTo(next, one.child(digit, slot.hash), key);
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
      const slot: Slot = held.tile?.slot(digit) ?? null;
      if (slot === null) return null;
      if (isLeaf(slot)) return Buffer.compare(slot.key, key) === 0 ? slot : null;
      held = held.below[digit];
    }
    return null;
  }

  /** Changes keys of a tree that were loaded, each once, and answers its root. Requests have their turn in between. */
  async change(tree: string, changes: KeyChange[]): Promise<Uint8Array> {
    const top = this.topOf(tree);
    const tile = top.tile ?? MapTile.empty();
    for (const [digit, group] of groupsOf(changes, 0)) {
      tile.set(digit, slotAfter(top, digit, tile.slot(digit), group));
      await yieldToRequests();
    }
    if (changes.length > 0) become(top, tile.loneLeaf() === null ? null : tile);
    return tile.root();
  }

  /** Tiles that are not as they were read. */
  changes(): ChangedTile[] {
    const held = [...this.tops.values()].flatMap((top) => [...top.all()]);
    return held
      .filter(({ isChanged }) => isChanged)
      .map(({ wanted: { tree, path }, tile, wasThere }) => ({
        place: { tree, path },
        content: tile && { root: tile.root(), bytes: tile.encode() },
        wasThere,
      }));
  }

  private topOf(tree: string): HeldTile {
    const top = this.tops.get(tree) ?? new HeldTile({ tree, path: '', hash: null });
    this.tops.set(tree, top);
    return top;
  }
}

/** Changes what is below a tile. @returns what then stands in its place */
function put(held: HeldTile, changes: KeyChange[]): Slot {
  const tile = held.tile ?? MapTile.empty();
  for (const [digit, group] of groupsOf(changes, held.depth)) {
    tile.set(digit, slotAfter(held, digit, tile.slot(digit), group));
  }
  // A subtree with one leaf is that leaf.
  const lone = tile.loneLeaf();
  become(held, lone === undefined ? tile : null);
  return lone === undefined ? { hash: tile.root() } : lone;
}

function slotAfter(held: HeldTile, digit: number, slot: Slot, changes: KeyChange[]): Slot {
  if (slot !== null && !isLeaf(slot)) return put(held.child(digit, slot.hash), changes);
  const leaves = new Map<string, MapLeaf>(slot ? [[hexOf(slot.key), slot]] : []);
  for (const [key, leaf] of changes) {
    if (leaf) leaves.set(hexOf(key), leaf);
    else leaves.delete(hexOf(key));
  }
  if (leaves.size <= 1) return [...leaves.values()][0] ?? null;
  const changesBelow = [...leaves.values()].map((leaf): KeyChange => [leaf.key, leaf]);
  return put(held.child(digit, null), changesBelow);
}

function become(held: HeldTile, tile: MapTile | null): void {
  held.tile = tile;
  held.isChanged = true;
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
