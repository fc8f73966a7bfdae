/** Paths and bytes of tiles and of entry bundles (C2SP tlog-tiles 0.1). */
import { isSize } from './tree.js';

/** Hashes or entries of a full tile. */
export const TILE_WIDTH = 256;

const MAX_LEVEL = 63;

/** What one entry may have: its length is a uint16. */
export const MAX_ENTRY_BYTES = 65_535;

/** A tile of hashes. */
export interface Tile {
  /** 0 for leaf hashes, 1 for hashes over 256 of them, and so on, up to 63. */
  level: number;
  /** Zero-based. */
  number: number;
  /** 1 to 256; a tile with fewer than 256 hashes is partial. */
  width: number;
}

/** What a path names: a tile of hashes, or a bundle of entries, which has the number of the tile of level 0. */
export interface TilePath {
  level: number | 'entries';
  number: number;
  /** 256 where absent. */
  width?: number;
}

/**
 * `tile/0/x001/234/067` or `tile/entries/x001/234/067.p/5`, relative to the prefix of the log.
 */
export function tilePath({ level, number, width = TILE_WIDTH }: TilePath): string {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)!;
  const path = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

// The level, groups of three digits of which all but the last follow an x, and the width of a partial tile.
const PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Reads a path strictly, so that a tile has one path; null for anything else. */
export function parseTilePath(path: string): Required<TilePath> | null {
  const [, name, digits, partial] = PATH.exec(path) ?? [];
  if (name === undefined || digits === undefined) return null;
  const level: TilePath['level'] = name === 'entries' ? name : Number(name);
  const tile = { level, number: Number(digits.replace(/[x/]/g, '')), width: Number(partial ?? TILE_WIDTH) };
  const isValid = isSize(tile.number) && (level === 'entries' || level <= MAX_LEVEL);
  return isValid && tilePath(tile) === path ? tile : null;
}

/** All tiles of a tree, the partial ones included, level by level. */
export function tilesOf(size: number): Tile[] {
  return newTiles(0, size);
}

/** The tiles of a tree that a smaller one did not have: what a growing log has to serve in addition. */
export function newTiles(oldSize: number, size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0, old = oldSize, count = size; count > 0; level++) {
    if (count > old) {
      for (let number = Math.floor(old / TILE_WIDTH); number * TILE_WIDTH < count; number++) {
        tiles.push({ level, number, width: Math.min(TILE_WIDTH, count - number * TILE_WIDTH) });
      }
    }
    old = Math.floor(old / TILE_WIDTH);
    count = Math.floor(count / TILE_WIDTH);
  }
  return tiles;
}

/** How many hashes (or entries) a tile has in a tree of this size; 0 if it is not there yet. */
export function tileWidth(level: number | 'entries', number: number, size: number): number {
  const count = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level));
  return Math.max(0, Math.min(TILE_WIDTH, count - number * TILE_WIDTH));
}

/**
 * Entries one after the other, each behind its length as a big-endian uint16.
 * @throws RangeError if an entry has more than 65,535 bytes
 */
export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bundle = new Uint8Array(entries.reduce((total, entry) => total + 2 + entry.length, 0));
  let end = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY_BYTES) throw new RangeError(`An entry has at most ${MAX_ENTRY_BYTES} bytes.`);
    bundle.set([entry.length >> 8, entry.length & 0xff], end);
    bundle.set(entry, end + 2);
    end += 2 + entry.length;
  }
  return bundle;
}

/** The entries of a bundle, or null if it ends within one. */
export function decodeBundle(bundle: Uint8Array): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  for (let start = 0; start < bundle.length;) {
    if (start + 2 > bundle.length) return null;
    const end = start + 2 + bundle[start]! * 256 + bundle[start + 1]!;
    if (end > bundle.length) return null;
    entries.push(bundle.slice(start + 2, end));
    start = end;
  }
  return entries;
}
