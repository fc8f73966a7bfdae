import type { WorkTable } from '../jobs/work-table.js';

/** Name of the queue of batches, as operators and metrics know it. */
export const ARCHIVE_QUEUE = 'archive';

/** Between two renewals of a lease there are at most two requests; this is for everything else. */
const SPARE_MS = 3_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 600_000;

/** The rows of `archive_batch` as work. A batch is never given up: what is signed has to arrive. */
export function archiveWork(timeoutMs: number): WorkTable {
  return { queue: ARCHIVE_QUEUE, table: 'archive_batch', dueAt: 'next_at', leaseMs: 2 * timeoutMs + SPARE_MS };
}

/** Milliseconds before the next try or look: a second after the first, doubled after each, ten minutes at most. */
export function delayAfter(tries: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(tries - 1, 20), LONGEST_DELAY_MS);
}
