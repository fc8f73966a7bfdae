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

/** The highest tile of the map. */
const TOP: TilePlace = { tree: MAP_TREE, path: '' };

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

/** A tile as it was read or has become. */
interface HeldTile {
  place: TilePlace;
  tile: MapTile | null;
  /** Whether there was one before. */
  wasThere: boolean;
}

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

/**
 * Trees of the map while they are changed: the tiles on the ways of the keys that change are read first, then the
 * changes are made in memory.
 */
export class MapTrees {
  private readonly tiles = new Map<string, HeldTile>();
  private readonly changed = new Set<string>();

  constructor(private readonly readTiles: ReadMapTiles) {}

  /** Reads the highest tile of the map, and all tiles on the ways of these keys, one level of all trees at a time. */
  async load(keys: TreeKey[]): Promise<void> {
    let level = keys.map(({ tree, key }) => ({ tree, key, digits: hexOf(key), hash: null as Uint8Array | null }));
    for (let depth = 0; depth === 0 || level.length > 0; depth++) {
      const places = new Map<string, WantedTile>();
      if (depth === 0) places.set(nameOf(TOP), { ...TOP, hash: null });
      for (const { tree, digits, hash } of level) {
        const place = { tree, path: digits.slice(0, depth), hash };
        if (!this.tiles.has(nameOf(place))) places.set(nameOf(place), place);
      }
      const wanted = [...places.values()];
      const found = wanted.length > 0 ? await this.readTiles(wanted) : [];
      for (const [index, place] of wanted.entries()) {
        const tile = found[index]!;
        this.tiles.set(nameOf(place), { place, tile, wasThere: tile !== null });
      }
      level = level.flatMap((one) => {
        const slot = this.tileAt({ tree: one.tree, path: one.digits.slice(0, depth) })?.slot(digitOf(one.key, depth));
        return slot && !isLeaf(slot) ? [{ ...one, hash: slot.hash }] : [];
      });
      await yieldToRequests();
    }
  }

  /** The leaf of a key that was loaded; null if the tree does not have it. */
  leafOf({ tree, key }: TreeKey): MapLeaf | null {
    for (let depth = 0; ; depth++) {
      const slot = this.tileAt({ tree, path: hexOf(key).slice(0, depth) })?.slot(digitOf(key, depth)) ?? null;
      if (slot === null) return null;
      if (isLeaf(slot)) return Buffer.compare(slot.key, key) === 0 ? slot : null;
    }
  }

  /** Changes keys of a tree that were loaded, each once, and answers its root. Requests have their turn in between. */
  async change(tree: string, changes: KeyChange[]): Promise<Uint8Array> {
    const top = { tree, path: '' };
    const tile = this.tileAt(top) ?? MapTile.empty();
    for (const [digit, group] of groupsOf(changes, 0)) {
      tile.set(digit, this.slotAfter(tree, '', digit, tile.slot(digit), group));
      await yieldToRequests();
    }
    if (changes.length > 0) this.set(top, tile.loneLeaf() === null ? null : tile);
    return tile.root();
  }

  /** Tiles that are not as they were read. */
  changes(): ChangedTile[] {
    return [...this.changed].map((name) => {
      const { place, tile, wasThere } = this.tiles.get(name)!;
      return { place, content: tile && { root: tile.root(), bytes: tile.encode() }, wasThere };
    });
  }

  /** Changes what is below a tile. @returns what then stands in its place */
  private put(tree: string, path: string, changes: KeyChange[]): Slot {
    const place = { tree, path };
    const tile = this.tileAt(place) ?? MapTile.empty();
    for (const [digit, group] of groupsOf(changes, path.length)) {
      tile.set(digit, this.slotAfter(tree, path, digit, tile.slot(digit), group));
    }
    // A subtree with one leaf is that leaf.
    const lone = tile.loneLeaf();
    if (lone !== undefined) {
      this.set(place, null);
      return lone;
    }
    this.set(place, tile);
    return { hash: tile.root() };
  }

  private slotAfter(tree: string, path: string, digit: number, slot: Slot, changes: KeyChange[]): Slot {
    const next = path + digit.toString(16);
    if (slot !== null && !isLeaf(slot)) return this.put(tree, next, changes);
    const leaves = new Map<string, MapLeaf>(slot ? [[hexOf(slot.key), slot]] : []);
    for (const [key, leaf] of changes) {
      if (leaf) leaves.set(hexOf(key), leaf);
      else leaves.delete(hexOf(key));
    }
    if (leaves.size <= 1) return [...leaves.values()][0] ?? null;
    return this.put(
      tree,
      next,
      [...leaves.values()].map((leaf) => [leaf.key, leaf]),
    );
  }

  private tileAt(place: TilePlace): MapTile | null {
    return this.tiles.get(nameOf(place))?.tile ?? null;
  }

  private set(place: TilePlace, tile: MapTile | null): void {
    const name = nameOf(place);
    this.changed.add(name);
    this.tiles.set(name, { place, tile, wasThere: this.tiles.get(name)?.wasThere ?? false });
  }
}

function groupsOf(changes: KeyChange[], depth: number): Map<number, KeyChange[]> {
  const groups = new Map<number, KeyChange[]>();
  for (const change of changes) {
    const digit = digitOf(change[0], depth);
    const group = groups.get(digit);
    if (group) group.push(change);
    else groups.set(digit, [change]);
  }
  return groups;
}

function nameOf({ tree, path }: TilePlace): string {
  return `${tree}/${path}`;
}

function hexOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex');
}
