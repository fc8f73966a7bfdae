/** How many key events an Avatar may have, and how many of them are kept for whom (docs/keys.md). */
import type { KeyFact } from './key-event.js';
import { type KeyState, rankOf } from './key-state.js';
import { MAIN_KEY } from './recovery-key.js';
import { KEY_RULES, type KeyRefusal } from './rules.js';

/** Why an event that the table allows in this state is one too many; null where it is not. */
export function refusalOfNumber(state: KeyState, event: KeyFact): KeyRefusal | null {
  if (isEnding(event)) return null;
  const { events, eventsInADay, kept } = KEY_RULES;
  const above = placesAbove(state, event);
  if (state.counted >= events - above * kept.events) return 'too_many_key_events';
  const isTooSoon = today(state, event).length >= eventsInADay - above * kept.inADay;
  return isTooSoon ? 'too_many_key_events_today' : null;
}

/** `next`, the state behind an event, with that event among those that count. */
export function counted(state: KeyState, event: KeyFact, next: KeyState): KeyState {
  if (isEnding(event)) return next;
  return { ...next, counted: state.counted + 1, recent: [...today(state, event), event.recorded_at] };
}

/** Whether an event only ends what another one began, which is never refused for its number. */
function isEnding({ action }: KeyFact): boolean {
  return action === 'key.veto' || action === 'key.thaw' || action === 'key.revoke';
}

/**
 * The places in the order of power above that of who signs: the highest is that of both keys together, and the main key
 * alone has the last one, however many keys are committed.
 */
function placesAbove(state: KeyState, { action, signer, cosigner }: KeyFact): number {
  if (cosigner !== null && action !== 'key.add') return 0;
  return 1 + (signer === MAIN_KEY ? KEY_RULES.recoveryKeys.most : rankOf(state, signer));
}

function today({ recent }: KeyState, { recorded_at: at }: KeyFact): number[] {
  return recent.filter((time) => time > at - KEY_RULES.day);
}
