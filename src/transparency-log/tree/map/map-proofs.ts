import { bitOf, EMPTY_ROOT, MAP_NODE, mapLeafHash, type MapProof } from '@signet/verify/internal/map';
import { LRUCache } from 'lru-cache';
import { sha256, sha256Latin1 } from '../../../crypto/hashing.js';
import { type Below, endOf, isBelow, isLeaf, type MapLeaf, type Slot } from './map-slot.js';
import { digitOf, type MapTile } from './map-tile.js';
import { HASH_BYTES, WIDTH } from './map-tile-layout.js';

/** Steps that are kept, of some 500 bytes each: those through the highest three levels of tiles are 4,368. */
const KEPT_STEPS = 12_000;
/** Levels of a tree that a tile stands for. */
const LEVELS = 4;

/** What a tree says of a key, where that leads to the root of the tree. */
export interface FoundKey {
  /** Null where the tree does not have the key. */
  leaf: MapLeaf | null;
  /** The proof as JSON, as it is answered. */
  proof: string;
}

/** Reads the tile of a number, which stands behind `depth` hex digits, and those below it on the way of a key. */
export type ReadPath = (number: number, key: Uint8Array, depth: number) => Promise<MapTile[]>;

/** A tile on the way of a key. */
interface Place {
  number: number;
  /** The root of its subtree, ISO-8859-1: a text takes less memory than bytes, and is compared faster. */
  hash: string;
}

/** The way through a tile to one below it. */
interface Step {
  /** The root of the tile that it leads through. */
  hash: string;
  /** The hashes beside it, as in the JSON of a proof. */
  siblings: string;
  below: Place;
}

/** How far the way of a key is known. */
interface Way {
  /** The tile with which it goes on. */
  at: Place;
  /** Hex digits in front of that tile. */
  depth: number;
  siblings: string;
}

/**
 * Looks keys up in trees, and checks that what it finds leads to their roots. All proofs have the steps through the
 * highest tiles in common: they are read and hashed once, and kept as they are answered. A step counts only where its
 * tile has the hash that is looked for, whatever the database has under that number by now.
 */
export class MapProofs {
  /** By the number of a tile and the digit below it. */
  private readonly steps = new LRUCache<number, Step>({ max: KEPT_STEPS });

  constructor(private readonly readPath: ReadPath) {}

  /**
   * Looks a key of 32 bytes up in a tree.
   * @throws RangeError if a tile is missing, or what is stored does not lead to the root
   */
  async find(tree: Slot, key: Uint8Array): Promise<FoundKey> {
    if (!isBelow(tree)) return found(key, '', 0, tree, tree && endOf(tree));
    const top: Way = { at: placeOf(tree), depth: 0, siblings: '' };
    const known = this.follow(top, key);
    try {
      return await this.findBelow(known, key);
    } catch (error) {
      if (!(error instanceof RangeError) || known === top) throw error;
      // Where the map was computed anew, tiles below others with the same hash may have other numbers.
      this.steps.clear();
      return this.findBelow(top, key);
    }
  }

  /** The way of a key as far as its steps are known. */
  private follow(top: Way, key: Uint8Array): Way {
    let way = top;
    for (;;) {
      const { at, depth, siblings } = way;
      const step = this.steps.get(nameOf(at, key, depth));
      if (step?.hash !== at.hash) return way;
      way = { at: step.below, depth: depth + 1, siblings: joined(step.siblings, siblings) };
    }
  }

  /** @throws RangeError as `find` */
  private async findBelow({ at, depth, siblings }: Way, key: Uint8Array): Promise<FoundKey> {
    let [place, known] = [at, siblings];
    for (const [index, tile] of (await this.readPath(at.number, key, depth)).entries()) {
      const level = LEVELS * (depth + index);
      const path = tile.path(key, depth + index);
      const end = isLeaf(path.end) ? endOf(path.end) : null;
      const hash = isBelow(path.end) ? path.end.hash : end ? mapLeafHash(end, sha256) : EMPTY_ROOT;
      if (rootBy(key, level, path.siblings, hash) !== place.hash) {
        throw new RangeError(`The tile ${place.number} of the map is not the one that was signed.`);
      }
      const ofTile = siblingsText(path.siblings);
      known = joined(ofTile, known);
      if (!isBelow(path.end)) return found(key, known, level + path.siblings.length, path.end, end);
      const below = placeOf(path.end);
      // Most others have few keys below them.
      if (tile.hasNodes) {
        this.steps.set(nameOf(place, key, depth + index), { hash: place.hash, siblings: ofTile, below });
      }
      place = below;
    }
    throw new RangeError(`A tile of the map below tile ${at.number}, or that itself, is missing.`);
  }
}

function nameOf({ number }: Place, key: Uint8Array, depth: number): number {
  return WIDTH * number + digitOf(key, depth);
}

function placeOf({ hash, number }: Below): Place {
  return { number, hash: textOf(hash, 'latin1') };
}

/** What stands at the end of a way through `depth` levels. @throws RangeError if it has no place there */
function found(key: Uint8Array, siblings: string, depth: number, leaf: MapLeaf | null, end: MapProof['end']): FoundKey {
  if (!end) return { leaf: null, proof: `{"siblings":[${siblings}],"end":null}` };
  for (let bit = 0; bit < depth; bit++) {
    if (bitOf(end.key, bit) !== bitOf(key, bit)) throw new RangeError('A leaf of the map has another place.');
  }
  const endText = `{"key":"${textOf(end.key, 'hex')}","value_hash":"${textOf(end.valueHash, 'hex')}"}`;
  return {
    leaf: Buffer.compare(end.key, key) === 0 ? leaf : null,
    proof: `{"siblings":[${siblings}],"end":${endText}}`,
  };
}

/** What is hashed: one buffer for all. */
const pair = Buffer.alloc(1 + 2 * HASH_BYTES, MAP_NODE);

/** The root of a tile at a level of its tree, by the hashes beside a way through it and the one at its end. */
function rootBy(key: Uint8Array, level: number, siblings: Uint8Array[], end: Uint8Array): string {
  let node = textOf(end, 'latin1');
  for (let index = siblings.length - 1; index >= 0; index--) {
    const isRight = bitOf(key, level + index) === 1;
    pair.set(siblings[index]!, isRight ? 1 : 1 + HASH_BYTES);
    pair.write(node, isRight ? 1 + HASH_BYTES : 1, HASH_BYTES, 'latin1');
    node = sha256Latin1(pair);
  }
  return node;
}

/** As they stand in a proof: from the deepest up. */
function siblingsText(siblings: Uint8Array[]): string {
  let text = '';
  for (const hash of siblings) text = joined(`"${textOf(hash, 'hex')}"`, text);
  return text;
}

function joined(deeper: string, higher: string): string {
  return deeper && higher ? `${deeper},${higher}` : deeper || higher;
}

function textOf(bytes: Uint8Array, encoding: BufferEncoding): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding);
}
