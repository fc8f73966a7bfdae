import { totalmem } from 'node:os';
import type { Environment } from '../../config/environment.js';

const MOST_BYTES = 512 * 1024 * 1024;
const PART_OF_MEMORY = 1 / 8;

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
