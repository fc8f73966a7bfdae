/** Parts of the rules of key events for servers and clients. Without a promise: all of it may change in any version. */
import type { WithCurves } from '../keys/curves.js';
import { nobleCurves } from '../keys/noble-curves.js';
import type { AppPatch } from '../chains/patch.js';
import * as signers from '../key-events/patch-signers.js';
import * as recovery from '../key-events/recovery-key.js';
import type { Step } from '../steps.js';

export { KeyReplay } from '../key-events/accept-key-event.js';
export type { AppKeyRefusal, AppWrite } from '../key-events/app-keys.js';
export { isAppKey, isOrigin, problemOfAppSignature } from '../key-events/app-key.js';
export { keyRecords, stepsOfHolds } from '../chains/export-keys.js';
export { appKeyIn, isScope, liveAppKeys, refusalOfWrite } from '../key-events/app-keys.js';
export { KeyChainChecker, refusalOfNames } from '../key-events/check-key-event.js';
export { problemOfStatement } from '../key-events/key-event.js';
export { rankOf, settleKeyState } from '../key-events/key-state.js';
export { isRecoveryKey } from '../key-events/recovery-key.js';
export { keyRuleOf } from '../key-events/rules.js';
export { heldUntil, HOLD_TOLERANCE_SECONDS } from '../key-events/holds.js';
export type { KeysBehind } from '../key-events/patch-signers.js';
export type { Assertion, AssertionContext } from '../key-events/webauthn.js';
export { problemOfAssertion, readAssertion, writeAssertion } from '../key-events/webauthn.js';

/** The name of a key, compressed, among those that may sign for an Avatar; null where it is none of them. */
export function nameOfSigner(
  key: string,
  avatar: string,
  committed: readonly string[],
  { curves = nobleCurves }: WithCurves = {},
): ReturnType<typeof recovery.nameOfSigner> {
  return recovery.nameOfSigner(key, avatar, committed, curves.secp256k1);
}

/**
 * The step `signature` of one patch of the key of an app, for readers that follow a log and keep no key events:
 * `patchSignersOf` checks it by the events themselves. Throws for what has not the shape of a patch.
 * @param behind the state behind the last key event that was recorded before the patch
 */
export function verifyAppPatch(
  patch: AppPatch,
  behind: signers.KeysBehind,
  { curves = nobleCurves, recordedAt }: { recordedAt?: number | undefined } & WithCurves = {},
): Step {
  return signers.checkAppPatch(patch, behind, curves, recordedAt);
}
