/**
 * Whether the rules take a key event, and what follows from it (docs/keys.md). No clock, no job and no signature is
 * asked here; who signed an event is a fact of it, which `check-key-event.ts` checks.
 */
import { type AppEvent, isAppEvent, refusalOfAppEvent, refusalOfAppSigners, withAppEvent } from './app-keys.js';
import type { CommitFields, KeyFact, SucceedFields } from './key-event.js';
import { dueAt, type KeyState, NO_KEY_EVENTS, type Pending, rankOf, settleKeyState, succeeded } from './key-state.js';
import { counted, refusalOfNumber } from './limits.js';
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
  return outcomeOf(isAppEvent(event) ? { ...before, appKeys: { ...before.appKeys } } : before, event);
}

/** As `acceptKeyEvent`; the keys of apps of `before` become those behind an event that is taken. */
function outcomeOf(before: KeyState, event: KeyFact): KeyOutcome {
  const state = settleKeyState(before, event.recorded_at);
  if (isAppEvent(event)) return acceptAppEvent(state, event);
  const judged = { state, event, rank: event.cosigner === null ? rankOf(state, event.signer) : BOTH };
  const refusal = refusalOf(judged) ?? refusalOfNumber(state, event);
  if (refusal) return { refusal };
  const isAtOnce = judged.rank === BOTH || isFirstCommit(judged);
  const due = dueAt(state, event, isAtOnce);
  return { refusal: null, state: counted(state, event, stateBehind(judged, due, isAtOnce)), dueAt: due };
}

/**
 * The state at `now` (UNIX seconds) of the events of one Avatar, oldest first, which were recorded until then. An event
 * that the rules refuse counts for nothing: no server records one, and `verifyKeyChain` names it.
 */
export function keyStateAt(events: Iterable<KeyFact>, now: number): KeyState {
  const replay = new KeyReplay();
  for (const event of events) {
    if (event.recorded_at > now) break;
    replay.add(event);
  }
  return replay.at(now);
}

/** The state behind key events of one Avatar as they come, in a time that grows with their number alone. */
export class KeyReplay {
  private state: KeyState = { ...NO_KEY_EVENTS, appKeys: {} };

  /** An event that the rules refuse changes nothing. */
  add(event: KeyFact): void {
    const outcome = outcomeOf(this.state, event);
    if (outcome.refusal === null) ({ state: this.state } = outcome);
  }

  /** The state at `now`, UNIX seconds, which is not before the last event; its keys of apps hold until the next one. */
  at(now: number): KeyState {
    return settleKeyState(this.state, now);
  }
}

/** Who adds or revokes a key of an app has no rank in it: whoever may sign it may do it. */
function acceptAppEvent(state: KeyState, event: AppEvent): KeyOutcome {
  const refusal = state.succession
    ? 'avatar_succeeded'
    : (refusalOfAppSigners(state, event) ?? refusalOfAppEvent(state, event) ?? refusalOfNumber(state, event));
  if (refusal) return { refusal };
  return { refusal, state: counted(state, event, withAppEvent(state, event)), dueAt: event.recorded_at };
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
