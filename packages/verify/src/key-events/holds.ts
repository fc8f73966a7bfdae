/**
 * Whether links and patches were recorded while the keys of their Avatar had stopped its writes. The counts of key
 * events say which of them stand between two events, and time alone ends a freeze.
 */
import { CLOCK_SPREAD_SECONDS } from '../text/constants.js';
import { checked, failed, notCheckable, type Step, verificationOf, type Verification } from '../steps.js';
import { acceptKeyEvent } from './accept-key-event.js';
import type { KeyFact, SignedKeyEvent } from './key-event.js';
import { type KeyState, NO_KEY_EVENTS } from './key-state.js';

/**
 * Seconds by which the time of a link or patch may contradict that of a key event: the clocks of both may each be wrong
 * by what the log tolerates.
 */
export const HOLD_TOLERANCE_SECONDS = 2 * CLOCK_SPREAD_SECONDS;

/** A key event, as far as it stops writes. */
export type HoldingEvent = KeyFact & Pick<SignedKeyEvent, 'patches'>;

/** What is known of the links and patches of an Avatar. */
export interface RecordedWrites {
  /**
   * UNIX seconds at which each link was recorded, as the log says, in the order of the chain; null where that is not
   * known. `created_at` is not that time.
   */
  links: readonly (number | null)[];
  /** UNIX seconds at which each patch was recorded, as for links. */
  patches: readonly (number | null)[];
  /** UNIX seconds before which all of them were recorded: those of the reader's clock. */
  now: number;
}

/** Records of one kind between a key event and the next one. */
interface Interval {
  /** With a capital, as a sentence begins. */
  word: string;
  /** Absent before the first one. */
  event: HoldingEvent | undefined;
  next: HoldingEvent | undefined;
  /** See `heldUntil`. */
  until: number | null;
  /** The place of the first record in its chain, from 0. */
  from: number;
  times: readonly (number | null)[];
}

/**
 * The UNIX seconds until which the writes of an Avatar are stopped, for ever being `Infinity`: a succession that is
 * pending stops them until it is final, and then too. Null where they are not stopped.
 * @param state behind a key event, as that was recorded
 */
export function heldUntil({ freeze, pendingSuccession, succession }: KeyState): number | null {
  if (succession || pendingSuccession) return Infinity;
  return freeze ? freeze.until : null;
}

/** The step `held`, for key events that verify, oldest first. */
export function checkHolds(events: readonly HoldingEvent[], { now, ...lists }: RecordedWrites): Verification {
  const intervals = (['links', 'patches'] as const).flatMap((list) => intervalsOf(events, list, lists[list]));
  const problems = intervals.map((interval) => problemOf(interval, now));
  const bad = problems.find((step) => step?.state === 'failed');
  const open = problems.find((step) => step !== null);
  const good = 'No link and no patch was recorded while the keys of the Avatar had stopped its writes.';
  return verificationOf([bad ?? open ?? checked('held', true, good, '')]);
}

function intervalsOf(
  events: readonly HoldingEvent[],
  list: 'links' | 'patches',
  times: readonly (number | null)[],
): Interval[] {
  let state = NO_KEY_EVENTS;
  const word = list === 'links' ? 'Link' : 'Patch';
  return [undefined, ...events].map((event, place): Interval => {
    const outcome = event && acceptKeyEvent(state, event);
    if (outcome?.refusal === null) state = outcome.state;
    const [from, next] = [event?.[list] ?? 0, events[place]];
    return { word, event, next, until: heldUntil(state), from, times: times.slice(from, next?.[list]) };
  });
}

function problemOf({ word, event, next, until, from, times }: Interval, now: number): Step | null {
  let open: Step | null = null;
  for (const [index, time] of times.entries()) {
    const name = `${word} ${from + index + 1}`;
    if (time !== null && !isBetween(time, event, next)) {
      return failed(
        'held',
        `${name} was recorded at UNIX time ${time}, which its place among the key events contradicts.`,
      );
    }
    if (!event || until === null) continue;
    const latest = time ?? next?.recorded_at ?? now;
    if (until === Infinity || latest + HOLD_TOLERANCE_SECONDS < until) {
      return failed('held', `${name} was recorded while key event ${event.uuid} had stopped the writes of the Avatar.`);
    }
    if (time !== null) continue;
    const question = `whether key event ${event.uuid} had stopped the writes of the Avatar then`;
    open ??= notCheckable('held', `When ${name.toLowerCase()} was recorded is not known here, and so ${question}.`);
  }
  return open;
}

function isBetween(time: number, event: HoldingEvent | undefined, next: HoldingEvent | undefined): boolean {
  const isBehind = !event || time >= event.recorded_at - HOLD_TOLERANCE_SECONDS;
  return isBehind && (!next || time <= next.recorded_at + HOLD_TOLERANCE_SECONDS);
}
