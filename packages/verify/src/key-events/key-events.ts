/**
 * Key events: recovery keys that an Avatar names, and the Avatar that comes after it (docs/keys.md). No input, no
 * output, nothing that only Node has. Functions that check signatures have an option `curves`; without it they use
 * `@noble/curves`.
 */
import * as check from './check-key-event.js';
import * as holds from './holds.js';
import type { SignedKeyEvent } from './key-event.js';
import type { PatchSigners } from '../chains/patch.js';
import * as signers from './patch-signers.js';
import * as recovery from './recovery-key.js';
import { NO_KEY_EVENTS } from './key-state.js';
import type { WithCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { type Verification, withoutThrowing } from '../steps.js';

export type { AppKeyAlgorithm, AppSignature } from './app-key.js';
export type { KeyOutcome } from './accept-key-event.js';
export { acceptKeyEvent, keyStateAt } from './accept-key-event.js';
export type { KeptKeyChain, KeyChainVerification, KeyEventContext } from './check-key-event.js';
export type {
  AddFields,
  CommitFields,
  KeyEventFields,
  KeyFact,
  KeyStatement,
  RevokeFields,
  SignedKeyEvent,
  SucceedFields,
  VetoFields,
} from './key-event.js';
export { keyEventPayload } from './key-event.js';
export type { AppKey, Commitment, Freeze, KeyState, Pending, Succession } from './key-state.js';
export { NO_KEY_EVENTS } from './key-state.js';
export type { HoldingEvent, RecordedWrites } from './holds.js';
export { MAIN_KEY } from './recovery-key.js';
export type { KeyAction, KeyRefusal, KeyRule } from './rules.js';
export { KEY_REFUSALS, KEY_RULES, KEY_TABLE } from './rules.js';
export type { Step, StepName, StepState, Verification } from '../steps.js';

/**
 * Checks one key event. Steps: `shape`, `avatar` where the event names one, `fields`, `canonical_text`, `signature` (of
 * `signer`), `cosignature` where there is one, `successor_signature` of a succession; `prev` where the place is known.
 * Never throws, whatever it is given.
 */
export function verifyKeyEvent(item: SignedKeyEvent, options: check.KeyEventContext & WithCurves = {}): Verification {
  return withoutThrowing(() => check.checkKeyEvent(item, options, options.curves ?? nobleCurves), {});
}

/**
 * Checks all key events of an Avatar, oldest first; `state` is what they lead to. An empty list of an Avatar that is
 * named is not checkable. Never throws, whatever it is given.
 */
export function verifyKeyChain(
  events: SignedKeyEvent[],
  options: { avatar?: string | undefined } & WithCurves = {},
): check.KeyChainVerification {
  return withoutThrowing(() => check.checkKeyChain(events, options.avatar, options.curves ?? nobleCurves), {
    avatar: '',
    events: [],
    state: NO_KEY_EVENTS,
  });
}

/**
 * Checks that nothing which an Avatar signed was recorded while its keys had stopped its writes. The step `held`
 * fails for one that was, or whose time its place among the key events contradicts; it is not checkable where a freeze
 * was over at some time and that of a record is not known. Never throws, whatever it is given.
 * @param events all key events of the Avatar, oldest first, which verify (`verifyKeyChain`)
 */
export function verifyHolds(events: readonly holds.HoldingEvent[], writes: holds.RecordedWrites): Verification {
  return withoutThrowing(() => holds.checkHolds(events, writes), {});
}

/**
 * The two names under which a key can be committed.
 * @param key compressed, `0x` and 66 hex digits
 * @throws TypeError if the text is not such a key
 */
export function recoveryNamesOf(
  key: string,
  { curves = nobleCurves }: WithCurves = {},
): ReturnType<typeof recovery.recoveryNamesOf> {
  return recovery.recoveryNamesOf(key, curves.secp256k1);
}

/**
 * The keys of apps of one Avatar, for `signers` of `verifyPatch`, `verifyPatchChain` and `PatchChainChecker`.
 * @param events all key events of the Avatar, oldest first; where they do not verify, no key may sign
 * @throws TypeError for what is no list
 */
export function patchSignersOf(
  events: readonly SignedKeyEvent[],
  { avatar, curves = nobleCurves }: { avatar?: string | undefined } & WithCurves = {},
): PatchSigners {
  return new signers.KeyEventSigners(events, avatar, curves);
}
