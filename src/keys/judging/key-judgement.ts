import { InvalidSignatureError } from '@signet/look';
import { appKeyIn, nameOfSigner, problemOfAppSignature, refusalOfNames } from '@signet/verify/internal/key-events';
import {
  acceptKeyEvent,
  KEY_REFUSALS,
  type KeyFact,
  type KeyRefusal,
  type KeyState,
  type KeyStatement,
  keyStateAt,
} from '@signet/verify/key-events';
import { serviceCurves } from '../../crypto/ecdsa.js';
import type { AvatarKey } from '../../domain/avatar-key.js';
import { ProofRejectedError } from '../../domain/domain-errors.js';

/** Who says what. */
export type SaidByKeys = KeyStatement & {
  avatar: AvatarKey;
  uuid: string;
  signature: string;
  signaturePayload: string;
  /** Compressed key that made `signature`; null where a key of an app did. */
  signerKey: string | null;
  /** The key of an app that revokes itself, `<algorithm>:0x<hex>`; else null. */
  appSigner: string | null;
  /** Compressed key that made `cosignature`; null without one, and for the key of an app that is added. */
  cosignerKey: string | null;
};

/** What a key event becomes: who signed it, when it is due (UNIX seconds), and the state behind it. */
export interface JudgedKeyEvent {
  signer: string;
  cosigner: string | null;
  dueAt: number;
  state: KeyState;
}

/**
 * What the rules say of a key event of an Avatar with these facts, which would be recorded at `at` (UNIX seconds).
 * @param links how many the Avatar has
 */
export function judgeKeyEvent(
  event: SaidByKeys,
  { facts, at, links }: { facts: KeyFact[]; at: number; links: number },
): JudgedKeyEvent | Error {
  const { avatar, action, fields, uuid, signerKey, cosignerKey } = event;
  const before = keyStateAt(facts, at);
  const misused = misuseOf(event, before);
  if (misused) return misused;
  const nameOf = (key: string) =>
    nameOfSigner(key, avatar.compressed, before.committed?.recovery ?? [], { curves: serviceCurves });
  const signer = signerKey === null ? event.appSigner : nameOf(signerKey);
  const added = event.action === 'key.add' ? event.fields.key : null;
  const cosigner = cosignerKey === null ? added : nameOf(cosignerKey);
  if (signer === null) return before.succession ? refused('avatar_succeeded') : refused('key_not_committed');
  if (cosignerKey !== null && cosigner === null) return refused('wrong_cosigner');
  const fact = { action, fields, uuid, signer, cosigner, links, recorded_at: at } as KeyFact;
  const refusal = refusalOfNames(fact, avatar.compressed, serviceCurves, before);
  if (refusal) return refused(refusal);
  const outcome = acceptKeyEvent(before, fact);
  if (outcome.refusal !== null) return refused(outcome.refusal);
  return { signer, cosigner, dueAt: outcome.dueAt, state: outcome.state };
}

/** Why the key of an app did not sign this with its origin; null where it did, or another key signed. */
function misuseOf({ appSigner, signature, signaturePayload }: SaidByKeys, state: KeyState): Error | null {
  const known = appSigner === null ? undefined : appKeyIn(state, appSigner);
  if (!known) return null;
  const { key, origin } = known;
  const problem = problemOfAppSignature(signaturePayload, { key, signature, origin }, serviceCurves);
  return problem === null ? null : new InvalidSignatureError(problem);
}

function refused(refusal: KeyRefusal): ProofRejectedError {
  return new ProofRejectedError(KEY_REFUSALS[refusal], refusal);
}
