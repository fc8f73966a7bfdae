/** Notices a log that signs nothing any more, by what its server says of it in `GET /v1/log`. */
import { pause } from '../../transport.js';
import type { LogReader } from '../log-reader.js';

const LOOK_AGAIN_MS = 500;

/**
 * Returns the sentence that says that a log stands still, or null: its server refuses to sign, or records wait and none
 * of them comes into the log.
 * @param patienceMs for how long records may wait while the log does not grow, milliseconds
 * @throws NoLogError where the server keeps no log; SignetError if it cannot be asked
 */
export async function problemOfStandstill(
  reader: Pick<LogReader, 'info'>,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<string | null> {
  const first = await reader.info();
  if (first.state === 'refused') return `The log signs nothing any more: ${first.problem ?? ''}`.trim();
  if (first.state === 'catching_up') return null;
  const endsAt = Date.now() + patienceMs;
  for (let last = first; (last.waiting ?? 0) > 0 && last.size === first.size; last = await reader.info()) {
    if (Date.now() >= endsAt) {
      return `${last.waiting} records wait to be logged, and the log has not grown for ${Math.round(patienceMs / 1000)} seconds.`;
    }
    await pause(LOOK_AGAIN_MS, signal);
  }
  return null;
}
