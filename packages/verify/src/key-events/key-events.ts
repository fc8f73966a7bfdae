/**
 * Key events: recovery keys that an Avatar names, and the Avatar that comes after it (docs/keys.md). No input, no
 * output, nothing that only Node has. Functions that verify signatures take curves as their last parameter or as the
 * option `curves`; without them they use `@noble/curves`.
 */
import * as check from './check-key-event.js';
import type { SignedKeyEvent } from './key-event.js';
import * as recovery from './recovery-key.js';
import type { Curves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';

export type { KeyOutcome } from './accept-key-event.js';
export { acceptKeyEvent } from './accept-key-event.js';
export type { KeyChainVerification, KeyEventContext } from './check-key-event.js';
export { KeyChainChecker, refusalOfNames } from './check-key-event.js';
export type {
  CommitFields,
  KeyEventFields,
  KeyFact,
  KeyStatement,
  SignedKeyEvent,
  SucceedFields,
  VetoFields,
} from './key-event.js';
export { keyEventPayload, problemOfStatement } from './key-event.js';
export type { Commitment, Freeze, KeyState, Pending, Succession } from './key-state.js';
export { NO_KEY_EVENTS, rankOf, settleKeyState } from './key-state.js';
export { keyStateAt } from './key-state-at.js';
export { isRecoveryKey, MAIN_KEY } from './recovery-key.js';
export type { KeyAction, KeyRefusal, KeyRule } from './rules.js';
export { KEY_REFUSALS, KEY_RULES, KEY_TABLE, keyRuleOf } from './rules.js';
export type { Step, StepName, StepState, Verification } from '../steps.js';

/** Checks one key event: see `checkKeyEvent` of check-key-event.ts for the steps. Never throws, for any value. */
export function verifyKeyEvent(
  item: SignedKeyEvent,
  { curves = nobleCurves, ...context }: check.KeyEventContext & { curves?: Curves | undefined } = {},
) {
  return check.checkKeyEvent(item, context, curves);
}

/** Checks all key events of an Avatar, oldest first, and answers the state that they lead to. Never throws. */
export function verifyKeyChain(
  events: SignedKeyEvent[],
  { curves = nobleCurves, avatar }: { avatar?: string | undefined; curves?: Curves | undefined } = {},
) {
  return check.checkKeyChain(events, avatar, curves);
}

/**
 * The two names under which a key can be committed: see `recoveryNamesOf` of recovery-key.ts.
 * @param key compressed, `0x` and 66 hex digits
 * @throws TypeError if the text is not such a key
 */
export function recoveryNamesOf(key: string, curves: Curves = nobleCurves) {
  return recovery.recoveryNamesOf(key, curves.secp256k1);
}

/** The name of a key, compressed, among those that may sign for an Avatar: see `nameOfSigner` of recovery-key.ts. */
export function nameOfSigner(key: string, avatar: string, committed: readonly string[], curves: Curves = nobleCurves) {
  return recovery.nameOfSigner(key, avatar, committed, curves.secp256k1);
}
