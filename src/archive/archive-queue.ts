import type { JobQueue } from '../jobs/job-queue.js';

/**
 * Goes on with one batch: sends it, or looks whether it has arrived. How long to wait after a failure of the network is
 * the business of the archive, so the retries here are for defects and servers that died.
 */
export const ARCHIVE_QUEUE: JobQueue<{ batchId: number }> = {
  name: 'archive',
  retries: 5,
  retryDelaySeconds: 10,
  longestDelaySeconds: 300,
  expireSeconds: 900,
};

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 600_000;

/** Milliseconds before the next try or look: a second after the first, doubled after each, ten minutes at most. */
export function delayAfter(tries: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(tries - 1, 20), LONGEST_DELAY_MS);
}
