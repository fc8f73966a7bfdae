/**
 * Compares the tiles of hashes that a server shows with those that its entries make. Holds eight hashes at most for
 * each level of tiles: two lists of hashes are equal where the roots over them are.
 */
import { equalBytes } from '@signet/verify/internal';
import { HASH_BYTES, type Tile, TILE_WIDTH, tilePath, TreeFrontier } from '@signet/verify/internal/log';
import { treeRoot } from '@signet/verify/log';
import { NotFoundError } from '../../errors.js';
import type { LogReader } from '../log-reader.js';
import { type Alarm, alarm } from './monitor-events.js';

/** A tile, and the root over the hashes that it has to hold. */
interface ExpectedTile extends Tile {
  root: Uint8Array;
}

/** The last tile of a level, which is not full. */
interface OpenTile {
  number: number;
  hashes: TreeFrontier;
  /** Whether a hash was added since it was compared. */
  isNew: boolean;
}

const TILES_TOGETHER = 8;

/** The tiles of a tree that grows. */
export class ServedTiles {
  private readonly open: OpenTile[] = [];
  private full: ExpectedTile[] = [];
  private readonly reported: Set<string>;

  /**
   * @param tree what was read before
   * @param reported open tiles of which there was an alarm before, as `reportedTiles` says
   * @param isNew whether the open tiles of `tree` were never compared
   */
  constructor(
    private readonly reader: Pick<LogReader, 'readTiles'>,
    tree: TreeFrontier,
    reported: readonly string[] = [],
    isNew = false,
  ) {
    this.reported = new Set(reported);
    const rest = tree.hashes;
    for (let count = tree.size; count > 0; count = Math.floor(count / TILE_WIDTH)) {
      const width = count % TILE_WIDTH;
      const ones = width.toString(2).replaceAll('0', '').length;
      const hashes = new TreeFrontier(width, rest.splice(rest.length - ones));
      this.open.push({ number: Math.floor(count / TILE_WIDTH), hashes, isNew });
    }
  }

  /** Tiles that are not full and of which there was an alarm: there is no other when they have grown. */
  get reportedTiles(): string[] {
    return this.open.map(({ number }, level) => `${level}/${number}`).filter((name) => this.reported.has(name));
  }

  /** Appends an entry by its leaf hash. */
  add(hash: Uint8Array, level = 0): void {
    const tile = (this.open[level] ??= { number: 0, hashes: new TreeFrontier(), isNew: true });
    tile.hashes.add(hash);
    tile.isNew = true;
    if (tile.hashes.size < TILE_WIDTH) return;
    const root = tile.hashes.root();
    this.full.push({ level, number: tile.number, width: TILE_WIDTH, root });
    this.open[level] = { number: tile.number + 1, hashes: new TreeFrontier(), isNew: true };
    this.add(root, level + 1);
  }

  /** Reads the tiles that were filled since the last time: an alarm for each that differs, or is not served. */
  async compareFull(): Promise<Alarm[]> {
    const tiles = this.full;
    this.full = [];
    const alarms: Alarm[] = [];
    for (let start = 0; start < tiles.length; start += TILES_TOGETHER) {
      const some = tiles.slice(start, start + TILES_TOGETHER);
      const problems = await Promise.all(some.map((tile) => this.problemOf(tile)));
      alarms.push(...problems.filter((problem) => problem !== null).map((problem) => alarm('tile', problem)));
    }
    return alarms;
  }

  /** Compares the tiles at the end of a whole tree too; `all`: also those that are not new. */
  async compare({ all }: { all: boolean }): Promise<Alarm[]> {
    for (const [level, tile] of this.open.entries()) {
      const { size: width } = tile.hashes;
      if (width > 0 && (all || tile.isNew)) {
        this.full.push({ level, number: tile.number, width, root: tile.hashes.root() });
      }
      tile.isNew = false;
    }
    return this.compareFull();
  }

  /** @throws SignetError if the server cannot be asked */
  private async problemOf(tile: ExpectedTile): Promise<string | null> {
    const name = `${tile.level}/${tile.number}`;
    if (this.reported.has(name)) return null;
    const [served] = await this.reader.readTiles([tile]).catch((error: unknown) => {
      if (error instanceof NotFoundError) return [];
      throw error;
    });
    if (served && isServed(tile, served)) return null;
    this.reported.add(name);
    return served
      ? `The ${tilePath(tile)} that the server shows is not the one that its entries make.`
      : `The log does not serve its ${tilePath(tile)}.`;
  }
}

function isServed({ width, root }: ExpectedTile, served: Uint8Array): boolean {
  if (served.length < width * HASH_BYTES) return false;
  const hashes = Array.from({ length: width }, (_, at) => served.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES));
  return equalBytes(treeRoot(hashes), root);
}
