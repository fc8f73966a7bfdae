import { encodeBundle, type TilePath, TILE_WIDTH, tileWidth } from '@signet/verify/log';
import { LogStore } from './log-store.js';
import { TileCache } from './tile-cache.js';

/** A level of hashes, or the bundles of entries. */
type Level = TilePath['level'];

/** Files that one statement reads: whoever asks for one reads on, as an audit does. Some 0.3 MB. */
const READ_AHEAD: { entries: number; hashes: number } = { entries: 4, hashes: 32 };

/** Full tiles and full bundles of one log, which never change: from memory, or a few at a time from the database. */
export class FullTiles {
  private readonly cache = new TileCache();
  private readonly loads = new Map<string, Promise<Map<number, Uint8Array>>>();

  constructor(
    private readonly store: LogStore,
    /** The log that they belong to. */
    readonly origin: string,
  ) {}

  /** What is in memory. */
  known(level: Level, number: number): Uint8Array | undefined {
    return this.cache.get({ level, number });
  }

  /**
   * @param size entries of a tree in which the file is full
   * @throws RangeError if it is not stored
   */
  async read(level: Level, number: number, size: number): Promise<Uint8Array> {
    const loaded = await (this.loads.get(keyOf(level, number)) ?? this.load(level, number, size));
    const file = loaded.get(number);
    if (!file) throw new RangeError(`The file ${number} of level ${level} is not stored.`);
    return file;
  }

  /** Those that others ask for at the same moment are read once. */
  private load(level: Level, first: number, size: number): Promise<Map<number, Uint8Array>> {
    const ahead = level === 'entries' ? READ_AHEAD.entries : READ_AHEAD.hashes;
    const numbers = [first];
    for (let next = first + 1; next < first + ahead && this.isToRead(level, next, size); next++) numbers.push(next);
    const load = this.readNow(level, numbers).finally(() => {
      for (const number of numbers) this.loads.delete(keyOf(level, number));
    });
    for (const number of numbers) this.loads.set(keyOf(level, number), load);
    return load;
  }

  private isToRead(level: Level, number: number, size: number): boolean {
    const isKnown = this.cache.has({ level, number }) || this.loads.has(keyOf(level, number));
    return !isKnown && tileWidth(level, number, size) === TILE_WIDTH;
  }

  private async readNow(level: Level, numbers: number[]): Promise<Map<number, Uint8Array>> {
    const files =
      level === 'entries'
        ? (await this.store.bundles(numbers[0]!, numbers.length)).map((entries) => encodeBundle(entries))
        : await this.store.readTiles(numbers.map((number) => ({ level, number, width: TILE_WIDTH })));
    files.forEach((file, place) => this.cache.set({ level, number: numbers[place]! }, file));
    return new Map(files.map((file, place) => [numbers[place]!, file]));
  }
}

function keyOf(level: Level, number: number): string {
  return `${level}/${number}`;
}
