/** What the server says of a binding: when it looked, and what it saw. */
import type { Check, ProofRecord } from '@signet/sdk';
import { WALLET_PLATFORMS } from '@signet/verify';

/** What the server says of a binding. */
type Said = Omit<ProofRecord, 'resting'>;

/** In which state a binding is, by the word of the server. */
export type ServerState = 'valid' | 'stale' | 'gone' | 'invalid' | 'hidden';

/**
 * A server rechecks every 3 days by default; what it has not looked at for three times that is not shown as seen
 * lately.
 */
const LATELY_SECONDS = 9 * 24 * 3600;
/**
 * Where operators pay for each look, a server looks every 60 days by default at what nobody asks for (asking makes it
 * look soon), give or take a tenth; and two looks may be missing here too.
 */
const RARELY_CHECKED = ['twitter'];
const RARELY_SECONDS = (66 + 6) * 24 * 3600;

/** `history` is newest first, and may be unknown. */
export function serverState(proof: Said | null, history: Check[] = [], now = Date.now() / 1000): ServerState {
  if (!proof) return 'hidden';
  if (!proof.is_valid) return goneSince(history) === null ? 'invalid' : 'gone';
  if (goneSince(history) !== null) return 'gone';
  const isAgeing = !WALLET_PLATFORMS.includes(proof.platform);
  return isAgeing && Number(proof.last_checked_at) < now - latelySeconds(proof, history) ? 'stale' : 'valid';
}

/** A newest look without an answer was due, and did not move the time of the last check. */
function latelySeconds({ platform }: Said, [newest]: Check[]): number {
  const isAnswered = newest === undefined || newest.outcome === 'valid' || newest.outcome === 'gone';
  return RARELY_CHECKED.includes(platform) && isAnswered ? RARELY_SECONDS : LATELY_SECONDS;
}

/** When the platform first said that it is gone, if it has not said otherwise since; UNIX seconds. */
export function goneSince(history: Check[]): string | null {
  let since: string | null = null;
  for (const { outcome, checked_at } of history) {
    if (outcome === 'valid') break;
    if (outcome === 'gone') since = checked_at;
  }
  return since;
}
