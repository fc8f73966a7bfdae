import type { Verification } from '@signet/verify';
import { InvalidRequestError } from '@signet/look';
import { PayloadExpiredError } from '../domain/domain-errors.js';

/**
 * Refuses what every reader would refuse, or would have to doubt the time of: a 201 promises that the record verifies
 * (docs/design/decisions.md 3). Steps that no server can make, such as that of a contract wallet, stay open.
 * @throws PayloadExpiredError for a time before that of the head, which a server of an older version may issue while
 *   its clock is behind; InvalidRequestError (`does_not_verify`) for any step that failed
 */
export function assertVerifies({ steps }: Verification): void {
  const bad = steps.find(({ name, state }) => state === 'failed' || (name === 'time' && state !== 'ok'));
  if (!bad) return;
  if (bad.name === 'time') {
    throw new PayloadExpiredError('created_at lies long before that of the link before it; ask for a new payload.');
  }
  throw new InvalidRequestError(`It is not recorded, because nobody could verify it: ${bad.detail}`, 'does_not_verify');
}
