/** What platforms have signed of the bindings in a file: of each that it was there, or that it is there no more. */
import type { ChainVerification, ExportedBinding, ExportFile, Step, Verification } from '@signet/verify';
import { verifyExportProofs } from '@signet/verify/atproto';
import { ROOT_KEYS, verifyExportDnssec } from '@signet/verify/dnssec';
import { type RootKeyFlags, rootKeysIn } from '../trust.js';
import { restingInChain, type ShownResting } from './resting.js';

/** What came of one proof of a binding. */
export interface ProvedBinding extends Verification {
  binding: ExportedBinding;
  /** Of what: of the post or record, or of its end. */
  of: 'post' | 'end';
}

/** Those of all bindings that have one. One of an unknown type is not checkable. */
export async function platformProofs(file: ExportFile, flags: RootKeyFlags): Promise<ProvedBinding[]> {
  const rootKeys = [...ROOT_KEYS, ...rootKeysIn(flags)];
  const zones = verifyExportDnssec(file, { rootKeys }).map((one) => ({ ...one, of: 'post' as const }));
  const known: ProvedBinding[] = [...(await verifyExportProofs(file)), ...zones];
  const isKnown = (binding: ExportedBinding, what: ProvedBinding['of']) =>
    known.some((one) => one.binding === binding && one.of === what);
  const unknown = file.bindings.flatMap((binding) => {
    const { proof = null, gone_proof: end = null } = binding.evidence ?? {};
    return [
      ...(proof !== null && !isKnown(binding, 'post') ? [openProof(binding, 'post')] : []),
      ...(end !== null && !isKnown(binding, 'end') ? [openProof(binding, 'end')] : []),
    ];
  });
  return [...known, ...unknown];
}

/** What did not hold of a proof, or could not be checked, with the binding in front. */
export function openSteps({ binding, steps }: ProvedBinding): Step[] {
  const open = steps.filter(({ state }) => state !== 'ok');
  return open.map((step) => ({ ...step, detail: `${binding.platform} ${binding.identity}: ${step.detail}` }));
}

/** On what a binding in a file rests: the platform, where what it signed was checked whole. */
export function restingInFile(
  chain: ChainVerification,
  binding: ExportedBinding,
  proofs: ProvedBinding[],
): ShownResting | undefined {
  const resting = restingInChain(chain, binding);
  const isProved = proofs.some((one) => one.of === 'post' && isSameBinding(one.binding, binding) && one.complete);
  return resting?.identity === 'server' && isProved ? { ...resting, identity: 'platform' } : resting;
}

/** Whether two are of the same account. */
export function isSameBinding(one: ExportedBinding, other: ExportedBinding): boolean {
  return one.platform === other.platform && one.identity === other.identity;
}

function openProof(binding: ExportedBinding, of: ProvedBinding['of']): ProvedBinding {
  const name = of === 'end' ? 'platform_end' : 'platform_proof';
  const detail = 'What the platform has signed is of a kind that this version does not know.';
  return { binding, of, ok: true, complete: false, steps: [{ name, state: 'not_checkable', detail }] };
}
