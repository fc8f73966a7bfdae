/** In which state a binding is by the looks of the server, and whether the newest of them is one of late. */
import { WALLET_PLATFORMS } from '../text/constants.js';

/** What a server says of a binding. Times are UNIX seconds as text. */
export interface SaidBinding {
  platform: string;
  is_valid: boolean;
  last_checked_at: string;
}

/** One look of the server: what came of it, and when, UNIX seconds as text. */
export interface SaidCheck {
  /** `valid`, `gone`, or a word for a look without an answer, such as `unavailable`. */
  outcome: string;
  checked_at: string;
}

/**
 * In which state a binding is. `valid`: the newest look found it, and is one of late. `stale`: so it was found, and no
 * look says so lately. `gone`: it was there once, and the platform says that it is not. `invalid`: the server says that
 * it is not valid, and nothing more is known.
 */
export type BindingState = 'valid' | 'stale' | 'gone' | 'invalid';

/** A server rechecks every 3 days by default; after three times that nobody has looked lately. */
const LATELY_SECONDS = 9 * 24 * 3600;
/**
 * Where operators pay for each look, a server looks every 60 days by default at what nobody asks for (asking makes it
 * look soon), give or take a tenth; and two looks may be missing here too.
 */
const RARELY_CHECKED = ['twitter'];
const RARELY_SECONDS = (66 + 6) * 24 * 3600;

/**
 * The state of a binding, as page, badge and apps show it: by the word of the server.
 * @param history the looks of the server, newest first, where they are known (`client.proofs.history`)
 * @param now UNIX seconds
 */
export function bindingState(
  said: SaidBinding,
  history: readonly SaidCheck[] = [],
  now: number = Date.now() / 1000,
): BindingState {
  const isGone = goneSince(history) !== null;
  if (!said.is_valid) return isGone ? 'gone' : 'invalid';
  if (isGone) return 'gone';
  return isSeenLately(said, history, now) ? 'valid' : 'stale';
}

/**
 * Whether a look at a binding is one of late: nine days, and 72 on X, where operators pay for each look. The signature
 * of a wallet does not age.
 * @param now UNIX seconds
 */
export function isSeenLately(
  { platform, last_checked_at }: Pick<SaidBinding, 'platform' | 'last_checked_at'>,
  history: readonly SaidCheck[] = [],
  now: number = Date.now() / 1000,
): boolean {
  if (WALLET_PLATFORMS.includes(platform)) return true;
  return Number(last_checked_at) >= now - latelySeconds(platform, history);
}

/** When the platform first said that it is gone, if it has not said otherwise since; UNIX seconds. */
export function goneSince(history: readonly SaidCheck[]): string | null {
  let since: string | null = null;
  for (const { outcome, checked_at } of history) {
    if (outcome === 'valid') break;
    if (outcome === 'gone') since = checked_at;
  }
  return since;
}

/** A newest look without an answer was due, and did not move the time of the last check. */
function latelySeconds(platform: string, [newest]: readonly SaidCheck[]): number {
  const isAnswered = newest === undefined || newest.outcome === 'valid' || newest.outcome === 'gone';
  return RARELY_CHECKED.includes(platform) && isAnswered ? RARELY_SECONDS : LATELY_SECONDS;
}
