import { sizeText } from './disk-space.js';
import type { SqlSource } from '../database/sql-source.js';
import type { UpgradeStep } from '../database/schema/upgrade-steps.js';

/** How large a table is, as PostgreSQL estimates it; zero where it is not there. */
export interface TableSize {
  rows: number;
  /** Bytes without indexes and long values. */
  bytes: number;
}

/** Bytes of each record that the log takes in: its entry, its places in two indexes, its hashes. */
const LOG_BYTES_PER_RECORD = 900;
/** Bytes of a record that gets its number later: its row is written once more, and has entries in five indexes. */
const BYTES_PER_NUMBER = 1200;
/** What else is written meanwhile: the write-ahead log until the next checkpoint, and sorting. */
const SPARE_BYTES = 1 << 30;

/**
 * Speeds of a machine with two slow cores that serves meanwhile (docs/benchmarks.md, "Upgrade"); on a better one it is
 * faster.
 */
const SCAN_BYTES_PER_SECOND = 50_000_000;
const INDEX_ROWS_PER_SECOND = 400_000;
const BACKFILL_ROWS_PER_SECOND = 100_000;
const LOG_RECORDS_PER_SECOND = 1_500;
const SEARCH_ROWS_PER_SECOND = 2_000;
/** Bytes of a binding in the table of searches and its indexes. */
const SEARCH_BYTES_PER_ROW = 500;

/** Rows and bytes of `table`. A table that was never analyzed is estimated by its bytes. */
export async function tableSize(source: SqlSource, table: string): Promise<TableSize> {
  const [row] = (await source.query(
    `select reltuples as rows, pg_relation_size(oid) as bytes from pg_class where oid = to_regclass($1)`,
    [table],
  )) as TableSize[];
  if (!row) return { rows: 0, bytes: 0 };
  const BYTES_OF_A_ROW = 400;
  return { rows: row.rows < 0 ? Math.ceil(row.bytes / BYTES_OF_A_ROW) : row.rows, bytes: row.bytes };
}

export function secondsOfStep(step: UpgradeStep, { rows, bytes }: TableSize): number {
  if (step.kind === 'backfill') return rows / BACKFILL_ROWS_PER_SECOND;
  // A concurrent build reads the table twice.
  const scans = (2 * bytes) / SCAN_BYTES_PER_SECOND;
  return step.kind === 'index' ? scans + rows / INDEX_ROWS_PER_SECOND : scans;
}

/** Bytes that a step writes and that stay. */
export function bytesOfStep(step: UpgradeStep, { rows }: TableSize): number {
  return step.kind === 'task' ? 0 : rows * step.bytesPerRow;
}

/** What the log does when it takes in records of before, of which so many get their numbers then. */
export function logForecast(records: number, unnumbered: number): { seconds: number; bytes: number } {
  return {
    seconds: records / LOG_RECORDS_PER_SECOND,
    bytes: records * LOG_BYTES_PER_RECORD + unnumbered * BYTES_PER_NUMBER,
  };
}

/** What adding so many bindings to the table of searches takes. */
export function searchForecast(rows: number): { seconds: number; bytes: number } {
  return { seconds: rows / SEARCH_ROWS_PER_SECOND, bytes: rows * SEARCH_BYTES_PER_ROW };
}

/** Why so many bytes have no room, as a part of a sentence; null if they have. */
export function roomProblem(bytes: number, freeBytes: number): string | null {
  const needed = bytes + SPARE_BYTES;
  if (bytes === 0 || freeBytes >= needed) return null;
  return `about ${sizeText(needed)} have to be free on the disk of the database, and ${sizeText(freeBytes)} are.`;
}

/** Such as `about 4 min`. */
export function durationText(seconds: number): string {
  if (seconds < 10) return 'a few seconds';
  if (seconds < 90) return `about ${Math.round(seconds)} s`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`;
  return `about ${(seconds / 3600).toFixed(1)} h`;
}
