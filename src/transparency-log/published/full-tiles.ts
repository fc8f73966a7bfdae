import { type TilePath, tilePath, TILE_WIDTH, tileWidth } from '@signet/verify/internal/log';
import { LRUCache } from 'lru-cache';
import { totalmem } from 'node:os';
import { SingleFlight } from '../../concurrency/single-flight.js';
import type { Environment } from '../../config/environment.js';
import { TreeStore } from '../tree/tree-store.js';
import { type TileFile, tileFile, zippedFile } from './tile-file.js';

/** A level of hashes, or the bundles of entries. */
type Level = TilePath['level'];

/** Files that one statement reads: a client that asks for one reads on, as an audit does. Some 0.3 MB. */
const READ_AHEAD: { entries: number; hashes: number } = { entries: 4, hashes: 32 };

const MOST_BYTES = 512 * 1024 * 1024;
const PART_OF_MEMORY = 1 / 8;

/** Full tiles and full bundles of one log, which never change: from memory, or a few at a time from the database. */
export class FullTiles {
  /** By their paths; those that were not asked for the longest are forgotten. */
  private readonly files: LRUCache<string, TileFile>;
  private readonly loads = new Map<string, Promise<Map<string, TileFile>>>();
  private readonly zips = new SingleFlight<TileFile>();

  constructor(
    private readonly store: TreeStore,
    /** The log that they belong to. */
    readonly origin: string,
    /** Bytes of files that are kept in memory. */
    maxBytes: number,
  ) {
    this.files = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }) => body.length });
  }

  /**
   * @param size entries of a tree in which the file is full
   * @throws RangeError if it is not stored
   */
  async read(level: Level, number: number, size: number): Promise<TileFile> {
    const name = tilePath({ level, number });
    const known = this.files.get(name);
    if (known) return known;
    const loaded = await (this.loads.get(name) ?? this.load(level, number, size));
    const file = loaded.get(name);
    if (!file) throw new RangeError(`The file ${number} of level ${level} is not stored.`);
    return file;
  }

  /** A full bundle, compressed once and kept like the others. @throws RangeError as `read` */
  async readZipped(number: number, size: number): Promise<TileFile> {
    const name = `${tilePath({ level: 'entries', number })}.gzip`;
    const zip = async (): Promise<TileFile> => {
      const file = await zippedFile(await this.read('entries', number, size));
      this.files.set(name, file);
      return file;
    };
    return this.files.get(name) ?? this.zips.join(zip, name);
  }

  /** Those that others ask for at the same moment are read once. */
  private load(level: Level, first: number, size: number): Promise<Map<string, TileFile>> {
    const ahead = level === 'entries' ? READ_AHEAD.entries : READ_AHEAD.hashes;
    const numbers = [first];
    for (let next = first + 1; next < first + ahead && this.isToRead(level, next, size); next++) numbers.push(next);
    const load = this.readNow(level, numbers).finally(() => {
      for (const number of numbers) this.loads.delete(tilePath({ level, number }));
    });
    for (const number of numbers) this.loads.set(tilePath({ level, number }), load);
    return load;
  }

  private isToRead(level: Level, number: number, size: number): boolean {
    const name = tilePath({ level, number });
    const isKnown = this.files.has(name) || this.loads.has(name);
    return !isKnown && tileWidth(level, number, size) === TILE_WIDTH;
  }

  private async readNow(level: Level, numbers: number[]): Promise<Map<string, TileFile>> {
    const bodies =
      level === 'entries'
        ? await this.store.bundles(numbers[0]!, numbers.length)
        : await this.store.readTiles(numbers.map((number) => ({ level, number, width: TILE_WIDTH })));
    const files = new Map(
      numbers.map((number, place): [string, TileFile] => {
        const path = { level, number };
        return [tilePath(path), tileFile(this.origin, path, bodies[place]!)];
      }),
    );
    for (const [name, file] of files) this.files.set(name, file);
    return files;
  }
}

/**
 * Bytes of files of the log that this process keeps.
 * @param memory bytes that all processes of this server may have
 */
export function cacheBytes(
  { LOG_CACHE_BYTES, WORKERS }: Pick<Environment, 'LOG_CACHE_BYTES' | 'WORKERS'>,
  memory = availableMemory(),
): number {
  const ofServer = LOG_CACHE_BYTES ?? Math.min(MOST_BYTES, memory * PART_OF_MEMORY);
  return Math.floor(ofServer / WORKERS);
}

function availableMemory(): number {
  // Of a container; without a limit it is 0, or more than there is.
  return Math.min(process.constrainedMemory() || Infinity, totalmem());
}
