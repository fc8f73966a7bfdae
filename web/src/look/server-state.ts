/** What the server says of a binding: when it looked, and what it saw. */
import type { Check, ProofRecord } from '@signet/sdk';
import { type BindingState, bindingState } from '@signet/verify/bindings';

/** In which state a binding is, by the word of the server; `hidden` where its list leaves it out. */
export type ServerState = BindingState | 'hidden';

/** `history` is newest first, and may be unknown. */
export function serverState(
  proof: Omit<ProofRecord, 'resting'> | null,
  history: Check[] = [],
  now = Date.now() / 1000,
): ServerState {
  return proof ? bindingState(proof, history, now) : 'hidden';
}
