/** What holds for the keys of an Avatar at a time, and what time alone makes of it (docs/keys.md). */
import type { AddFields, CommitFields, KeyFact, SucceedFields } from './key-event.js';
import { MAIN_KEY } from './recovery-key.js';
import { KEY_RULES, type KeyAction } from './rules.js';

/** Recovery keys that are in force. */
export interface Commitment extends CommitFields {
  /** The uuid of the event. */
  event: string;
}

/** What an event will do. */
export interface Pending<Fields> {
  /** The uuid of the event. */
  event: string;
  fields: Fields;
  signer: string;
  /** UNIX seconds: until then it can be vetoed, and from then on it is in force. */
  due_at: number;
}

/** A freeze that is in force. */
export interface Freeze {
  /** The uuid of the event. */
  event: string;
  signer: string;
  /** UNIX seconds of its end. */
  until: number;
}

/** The Avatar that has come after this one, for good. */
export interface Succession extends SucceedFields {
  /** The uuid of the event. */
  event: string;
  /** UNIX seconds from which on it is final. */
  at: number;
}

/** A key of an app, as the newest event that added it says. */
export interface AppKey extends AddFields {
  /** The uuid of that event. */
  event: string;
  /** The uuid of the event that revoked it; null where none has. */
  revoked: string | null;
}

/** What holds for the keys of one Avatar at one time. */
export interface KeyState {
  /** The recovery keys in force; null where none are. */
  committed: Commitment | null;
  pendingCommit: Pending<CommitFields> | null;
  pendingSuccession: Pending<SucceedFields> | null;
  freeze: Freeze | null;
  /** Whether no write of the Avatar is taken: a freeze is in force, or a succession is pending. */
  isFrozen: boolean;
  succession: Succession | null;
  /** Keys that were stopped, and the UNIX seconds until which they may neither freeze nor succeed. */
  resting: { [signer: string]: number };
  /** UNIX seconds before which the main key may not freeze again; 0 where it may. */
  mainFreezeFrom: number;
  /** How many events count for the limits; see `KEY_RULES.events`. */
  counted: number;
  /** The times of those within a day before the last one. */
  recent: readonly number[];
  /** The keys of apps by their names, with those that are revoked or expired. */
  appKeys: { readonly [key: string]: AppKey };
  /** The names of those that were neither revoked nor expired at the last event about one. */
  live: readonly string[];
}

/** An Avatar without key events. */
export const NO_KEY_EVENTS: KeyState = {
  ...{ committed: null, pendingCommit: null, pendingSuccession: null, freeze: null, isFrozen: false, succession: null },
  ...{ resting: {}, mainFreezeFrom: 0, counted: 0, recent: [], appKeys: {}, live: [] },
};

/** A state as it is at `now`, which is not before its last event: all that was due until then has happened. */
export function settleKeyState(state: KeyState, now: number): KeyState {
  if (state.succession) return state;
  const { pendingCommit, pendingSuccession, freeze } = state;
  const next = { ...state };
  if (pendingSuccession && pendingSuccession.due_at <= now) return succeeded(state, pendingSuccession);
  if (pendingCommit && pendingCommit.due_at <= now) {
    next.committed = { ...pendingCommit.fields, event: pendingCommit.event };
    next.pendingCommit = null;
  }
  if (freeze && freeze.until <= now) next.freeze = null;
  return { ...next, isFrozen: next.freeze !== null || next.pendingSuccession !== null };
}

/** The state behind a succession: nothing is pending any more, and nothing can be said any more. */
export function succeeded(
  state: KeyState,
  { event, fields, due_at }: Omit<Pending<SucceedFields>, 'signer'>,
): KeyState {
  const { pendingCommit } = state;
  const isEarlier = pendingCommit !== null && pendingCommit.due_at <= due_at;
  const committed = isEarlier ? { ...pendingCommit.fields, event: pendingCommit.event } : state.committed;
  return {
    ...{ ...state, committed, pendingCommit: null, pendingSuccession: null, freeze: null, isFrozen: false },
    succession: { ...fields, event, at: due_at },
  };
}

/**
 * The place of a key in the order of power, 0 being the highest. A key that is committed no more counts as the lowest
 * recovery key.
 */
export function rankOf({ committed }: KeyState, signer: string): number {
  const keys = committed?.recovery ?? [];
  if (signer === MAIN_KEY) return keys.length;
  const place = keys.indexOf(signer);
  return place >= 0 ? place : Math.max(0, keys.length - 1);
}

/** When an event of this action, recorded at `at`, is due in this state; see `due_at` of `SignedKeyEvent`. */
export function dueAt(state: KeyState, event: KeyFact, isAtOnce: boolean): number {
  const { recorded_at: at, signer } = event;
  const action: KeyAction = event.action;
  if (action === 'key.freeze') return at + (signer === MAIN_KEY ? KEY_RULES.freeze.main : KEY_RULES.freeze.committed);
  if (isAtOnce || (action !== 'key.commit' && action !== 'key.succeed')) return at;
  return at + (state.committed?.delay_hours ?? KEY_RULES.delayHours.usual) * 3_600;
}
