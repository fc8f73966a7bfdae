import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { Release } from '../../concurrency/slots.js';
import type { ShareName } from '../../bounds/bounds.js';
import { isDataException } from '../pg-errors.js';
import { poolOf } from './pool-of.js';
import type { PoolShares } from './pool-shares.js';
import { hiddenParameter, readRowsNow } from './prepared.js';

/** Keys that one statement answers at most; more are asked by several statements at once. */
const MAX_KEYS = 64;

/** A key with more rows than this is asked alone the next time. */
const GATHERED_ROWS = 100;
/** Keys that are known to have many rows; those that were not asked for the longest are forgotten. */
const MAX_LARGE_KEYS = 1000;

/** What a lookup is for one key. */
export interface KeyedQuery {
  /** Columns of a key, in order, with their types: `{ avatar: 'text' }`. */
  key: Record<string, string>;
  tables: readonly string[];
  /**
   * A select for one key, whose columns stand in it as `key.avatar`. Where it answers several rows, they are in no
   * order.
   */
  sql: string;
}

/**
 * A lookup by key that a busy server makes thousands of times a second. Keys share one statement if they are asked for
 * in the same turn of the event loop, or while all connections of the share are in use: the round trip to the database
 * is the largest cost of such a request. Every statement starts after its requests arrived, so it sees everything that
 * was acknowledged before. Only the names of keys with many rows are remembered.
 *
 * Callers that share a statement wait for all of it. Keys with many rows last time are therefore asked by statements of
 * their own, within the share of large reads.
 */
export class GatheredRead<Row extends object> {
  private readonly loader: DataLoader<unknown[], Row[]>;
  private readonly text: string;
  private readonly tables: readonly string[];
  private readonly largeKeys = new LRUCache<string, true>({ max: MAX_LARGE_KEYS });
  /** Of the batch that is sent next: its connection, or why it gets none. */
  private next: Release | Error | undefined;

  constructor(
    private readonly source: DataSource,
    { key, tables, sql }: KeyedQuery,
    private readonly share: ShareName = 'reads',
  ) {
    this.tables = tables;
    const arrays = Object.values(key).map((type, index) => hiddenParameter(index + 1, `${type}[]`));
    this.text = `
      select key.number::int as "keyNumber", found.*
      from unnest(${arrays.join(', ')}) with ordinality as key(${Object.keys(key).join(', ')}, number)
      cross join lateral (${sql}) as found`;
    this.loader = new DataLoader((keys) => this.load(keys), {
      cache: false,
      maxBatchSize: MAX_KEYS,
      // After all sockets that had something to say in this turn were read. Until it is sent a batch takes more keys.
      batchScheduleFn: (send) => setImmediate(() => void this.sendWithinShare(send)),
    });
  }

  /**
   * The rows of one key, whose values stand in the order of the query's columns.
   * @throws the driver's own error; TooManyWaitError, TableLockedError
   */
  async rows(...key: unknown[]): Promise<Row[]> {
    if (this.largeKeys.size > 0 && this.largeKeys.has(nameOf(key))) return this.rowsAlone(...key);
    const rows = await this.loader.load(key);
    this.remember(key, rows.length);
    return rows;
  }

  /** Reads the rows of one key by a statement of its own, for a key that is known to cost much. @throws as `rows` */
  async rowsAlone(...key: unknown[]): Promise<Row[]> {
    const rows = await this.shares.run('large_reads', this.tables, () => this.askAlone(key));
    this.remember(key, rows.length);
    return rows;
  }

  private get shares(): PoolShares {
    return poolOf(this.source).shares;
  }

  private remember(key: unknown[], rows: number): void {
    if (rows <= GATHERED_ROWS && this.largeKeys.size === 0) return;
    if (rows > GATHERED_ROWS) this.largeKeys.set(nameOf(key), true);
    else this.largeKeys.delete(nameOf(key));
  }

  /** Never throws. `send` calls `load` before it returns. */
  private async sendWithinShare(send: () => void): Promise<void> {
    this.next = await this.shares.take(this.share).catch((error: Error) => error);
    send();
  }

  /** @throws as `rows`, for all keys */
  private async load(keys: readonly unknown[][]): Promise<(Row[] | Error)[]> {
    const connection = this.next!;
    if (connection instanceof Error) {
      this.shares.countRefused(this.share, keys.length - 1);
      throw connection;
    }
    try {
      return await this.shares.runTaken(this.tables, () => this.loadNow(keys));
    } finally {
      connection();
    }
  }

  private async loadNow(keys: readonly unknown[][]): Promise<(Row[] | Error)[]> {
    try {
      return await this.ask(keys);
    } catch (error) {
      // A value that the database cannot take fails the call that sent it, and no other.
      if (keys.length === 1 || !isDataException(error)) throw error;
      const outcomes: (Row[] | Error)[] = [];
      for (const key of keys) outcomes.push(await this.askAlone(key).catch((failure: Error) => failure));
      return outcomes;
    }
  }

  private async askAlone(key: unknown[]): Promise<Row[]> {
    return (await this.ask([key]))[0]!;
  }

  private async ask(keys: readonly unknown[][]): Promise<Row[][]> {
    const columns = keys[0]!.map((_, column) => keys.map((key) => key[column]));
    const found = keys.map((): Row[] => []);
    const rows = await readRowsNow<Row & { keyNumber: number }>(this.source, this.text, columns);
    for (const row of rows) found[row.keyNumber - 1]!.push(row);
    return found;
  }
}

/** Short, because keys may have 12 KiB. */
function nameOf(key: unknown[]): string {
  return createHash('sha1').update(JSON.stringify(key)).digest('base64');
}
