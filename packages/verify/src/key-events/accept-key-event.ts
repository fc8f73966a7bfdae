/** Whether the rules take a key event, and what follows from it (docs/keys.md). */
import { type AppEvent, behindAppEvent, isAppEvent, refusalOfAppEvent, refusalOfAppSigners } from './app-keys.js';
import type { CommitFields, KeyFact, SucceedFields } from './key-event.js';
import {
  type CountedEvents,
  dueAt,
  type KeyState,
  type Pending,
  rankOf,
  settleKeyState,
  succeeded,
} from './key-state.js';
import { MAIN_KEY } from './recovery-key.js';
import { KEY_RULES, type KeyRefusal } from './rules.js';

/** What came of an event: the state behind it and when it is due, in UNIX seconds, or why it is refused. */
export type KeyOutcome = { refusal: null; state: KeyState; dueAt: number } | { refusal: KeyRefusal };

/** An event that may be accepted, in the state as it is when the event is recorded. */
interface Judged {
  state: KeyState;
  event: Exclude<KeyFact, AppEvent>;
  /** The place of who signed: 0 is the highest key; the main key together with that one is above it. */
  rank: number;
}

/** Above the highest key: the main key and the highest committed key together. */
const BOTH = -1;

/**
 * Judges the next event of an Avatar, which is recorded in `state` or later. The rules need no signature: `signer` and
 * `cosigner` say who signed.
 */
export function acceptKeyEvent(before: KeyState, event: KeyFact): KeyOutcome {
  const state = settleKeyState(before, event.recorded_at);
  if (isAppEvent(event)) return acceptAppEvent(state, event);
  const judged = { state, event, rank: event.cosigner === null ? rankOf(state, event.signer) : BOTH };
  const refusal = refusalOf(judged) ?? refusalOfNumber(judged);
  if (refusal) return { refusal };
  const isAtOnce = judged.rank === BOTH || isFirstCommit(judged);
  const due = dueAt(state, event, isAtOnce);
  return { refusal: null, state: counted(stateBehind(judged, due, isAtOnce), judged), dueAt: due };
}

/** Who adds or revokes a key of an app has no rank in it: whoever may sign it may do it. */
function acceptAppEvent(state: KeyState, event: AppEvent): KeyOutcome {
  const refusal = state.succession
    ? 'avatar_succeeded'
    : (refusalOfAppSigners(state, event) ?? refusalOfAppEvent(state, event));
  return refusal ? { refusal } : { refusal, state: behindAppEvent(state, event), dueAt: event.recorded_at };
}

function refusalOf(judged: Judged): KeyRefusal | null {
  const { state, event } = judged;
  if (state.succession) return 'avatar_succeeded';
  const bySigner = refusalOfSigners(judged);
  if (bySigner) return bySigner;
  switch (event.action) {
    case 'key.commit':
      return event.signer === MAIN_KEY ? refusalOfNew(judged, state.pendingCommit) : 'only_main_key';
    case 'key.succeed':
      return refusalOfRest(judged) ?? refusalOfNew(judged, state.pendingSuccession);
    case 'key.freeze':
      return refusalOfFreeze(judged);
    case 'key.thaw':
      if (!state.freeze) return 'not_frozen';
      return judged.rank <= rankOf(state, state.freeze.signer) ? null : 'key_too_low';
    case 'key.veto':
      return refusalOfVeto(judged, event.fields.event);
  }
}

function refusalOfSigners({ state, event: { signer, cosigner, action } }: Judged): KeyRefusal | null {
  const recovery = state.committed?.recovery ?? [];
  if (signer !== MAIN_KEY && !recovery.includes(signer)) return 'key_not_committed';
  if (cosigner === null) return null;
  const isBoth = signer === MAIN_KEY && cosigner === recovery[0];
  return isBoth && (action === 'key.commit' || action === 'key.succeed') ? null : 'wrong_cosigner';
}

/** One pending event of a kind, which only a higher key replaces; and nothing against what a higher key has begun. */
function refusalOfNew({ state, rank }: Judged, pending: Pending<unknown> | null): KeyRefusal | null {
  if (pending && rankOf(state, pending.signer) <= rank) return 'already_pending';
  const { freeze, pendingSuccession } = state;
  const above = [freeze, pendingSuccession].some((begun) => begun && rankOf(state, begun.signer) < rank);
  return above ? 'key_outranked' : null;
}

function refusalOfFreeze(judged: Judged): KeyRefusal | null {
  const { state, event, rank } = judged;
  if (state.freeze && rankOf(state, state.freeze.signer) <= rank) return 'already_frozen';
  const isTooEarly = event.signer === MAIN_KEY && event.recorded_at < state.mainFreezeFrom;
  return isTooEarly ? 'key_rests' : (refusalOfRest(judged) ?? refusalOfNew(judged, null));
}

function refusalOfRest({ state, event, rank }: Judged): KeyRefusal | null {
  const until = Object.hasOwn(state.resting, event.signer) ? state.resting[event.signer]! : 0;
  return rank !== BOTH && event.recorded_at < until ? 'key_rests' : null;
}

function refusalOfVeto({ state, event: { signer }, rank }: Judged, uuid: string): KeyRefusal | null {
  const pending = [state.pendingCommit, state.pendingSuccession].find((one) => one?.event === uuid);
  if (!pending) return 'not_pending';
  const isOtherHolder = signer === MAIN_KEY && !state.committed;
  return isOtherHolder || rank < rankOf(state, pending.signer) ? null : 'key_too_low';
}

/**
 * Vetoes are never refused for their number, and each place has a number of its own, so that the holder of a higher key
 * cannot be worn out.
 */
function refusalOfNumber(judged: Judged): KeyRefusal | null {
  if (judged.event.action === 'key.veto') return null;
  const { events, recent } = countedOf(judged);
  if (events >= KEY_RULES.events) return 'too_many_key_events';
  return recent.length >= KEY_RULES.eventsInADay ? 'too_many_key_events_today' : null;
}

/** The place for which an event counts. The main key has the last one, however many keys are committed. */
function placeOf({ event: { signer }, rank }: Judged): number {
  if (rank === BOTH) return 0;
  return signer === MAIN_KEY ? KEY_RULES.recoveryKeys.most : rank;
}

function countedOf(judged: Judged): CountedEvents {
  const { events, recent } = judged.state.counted[placeOf(judged)] ?? { events: 0, recent: [] };
  return { events, recent: recent.filter((time) => time > judged.event.recorded_at - KEY_RULES.day) };
}

/** Before an Avatar has anything to lose; later a thief could name keys of his own in the same way. */
function isFirstCommit({ state, event }: Judged): boolean {
  return event.action === 'key.commit' && event.links === 0 && state.committed === null;
}

function stateBehind(judged: Judged, due: number, isAtOnce: boolean): KeyState {
  const { state, event } = judged;
  const { uuid, signer, recorded_at: at } = event;
  switch (event.action) {
    case 'key.commit':
      return committing(judged, { event: uuid, signer, due_at: due, fields: event.fields }, isAtOnce);
    case 'key.succeed':
      return succeeding(judged, { event: uuid, signer, due_at: due, fields: event.fields }, isAtOnce);
    case 'key.freeze': {
      const mainFreezeFrom = signer === MAIN_KEY ? due + KEY_RULES.rest : state.mainFreezeFrom;
      const freeze = { event: uuid, signer, until: due };
      return settleKeyState({ ...withoutLower(judged), freeze, mainFreezeFrom }, at);
    }
    case 'key.thaw': {
      const { signer: frozenBy } = state.freeze!;
      const isStopped = judged.rank < rankOf(state, frozenBy) || signer === MAIN_KEY;
      return settleKeyState({ ...(isStopped ? resting(state, frozenBy, at) : state), freeze: null }, at);
    }
    case 'key.veto':
      return withoutVetoed(state, event.fields.event, at);
  }
}

function committing(judged: Judged, pending: Pending<CommitFields>, isAtOnce: boolean): KeyState {
  if (!isAtOnce) return { ...judged.state, pendingCommit: pending };
  const committed = { ...pending.fields, event: pending.event };
  return settleKeyState({ ...withoutLower(judged), pendingCommit: null, committed }, judged.event.recorded_at);
}

function succeeding(judged: Judged, pending: Pending<SucceedFields>, isAtOnce: boolean): KeyState {
  const state = withoutLower(judged);
  if (isAtOnce) return succeeded(state, pending);
  return settleKeyState({ ...state, pendingSuccession: pending }, judged.event.recorded_at);
}

/** A state without what keys below this one have pending. */
function withoutLower({ state, rank }: Judged): KeyState {
  const isKept = (pending: Pending<unknown> | null) => pending !== null && rankOf(state, pending.signer) <= rank;
  return {
    ...state,
    pendingCommit: isKept(state.pendingCommit) ? state.pendingCommit : null,
    pendingSuccession: isKept(state.pendingSuccession) ? state.pendingSuccession : null,
  };
}

function withoutVetoed(state: KeyState, uuid: string, at: number): KeyState {
  const { pendingCommit, pendingSuccession } = state;
  const isCommit = pendingCommit?.event === uuid;
  const vetoed = isCommit ? pendingCommit : pendingSuccession!;
  const next = resting(state, vetoed.signer, at);
  return settleKeyState(isCommit ? { ...next, pendingCommit: null } : { ...next, pendingSuccession: null }, at);
}

function resting(state: KeyState, signer: string, at: number): KeyState {
  return { ...state, resting: { ...state.resting, [signer]: at + KEY_RULES.rest } };
}

function counted(state: KeyState, judged: Judged): KeyState {
  const { action, recorded_at: at } = judged.event;
  if (action === 'key.veto') return state;
  const { events, recent } = countedOf(judged);
  const now: CountedEvents = { events: events + 1, recent: [...recent, at] };
  return { ...state, counted: { ...state.counted, [placeOf(judged)]: now } };
}
