/**
 * The state of an Avatar's keys: a function of its key events and a time, and of nothing else (docs/keys.md). No clock,
 * no job and no signature is asked here; who signed an event is a fact of it, which `check-key-event.ts` checks.
 */
import { acceptKeyEvent } from './accept-key-event.js';
import type { KeyFact } from './key-event.js';
import { type KeyState, NO_KEY_EVENTS, settleKeyState } from './key-state.js';

/**
 * The state at `now` (UNIX seconds) of the events of one Avatar, oldest first, which were recorded until then. An event
 * that the rules refuse counts for nothing: no server records one, and `verifyKeyChain` names it.
 */
export function keyStateAt(events: Iterable<KeyFact>, now: number): KeyState {
  let state = NO_KEY_EVENTS;
  for (const event of events) {
    if (event.recorded_at > now) break;
    const outcome = acceptKeyEvent(state, event);
    if (!outcome.refusal) state = outcome.state;
  }
  return settleKeyState(state, now);
}
