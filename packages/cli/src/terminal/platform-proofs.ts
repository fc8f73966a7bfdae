/** What platforms have signed of the bindings in a file: `evidence.proof`, by its type. */
import type { BindingResting } from '@signet/sdk';
import type { ChainVerification, ExportedBinding, ExportFile, Step, Verification } from '@signet/verify';
import { verifyExportProofs } from '@signet/verify/atproto';
import { ROOT_KEYS, verifyExportDnssec } from '@signet/verify/dnssec';
import { type RootKeyFlags, rootKeysIn } from '../trust.js';
import { wordInChain } from './resting.js';

/** What came of the proof of one binding. */
export interface ProvedBinding extends Verification {
  binding: ExportedBinding;
}

/** Those of all bindings that have one. One of an unknown type, and one of an end, is not checkable. */
export async function platformProofs(file: ExportFile, flags: RootKeyFlags): Promise<ProvedBinding[]> {
  const rootKeys = [...ROOT_KEYS, ...rootKeysIn(flags)];
  const known = [...(await verifyExportProofs(file)), ...verifyExportDnssec(file, { rootKeys })];
  const checked = new Set(known.map(({ binding }) => binding));
  const others = file.bindings.filter((one) => one.evidence?.proof !== undefined && !checked.has(one));
  const ended = file.bindings.filter((one) => one.evidence?.gone_proof !== undefined);
  return [
    ...known,
    ...others.map((one) =>
      openProof(one, 'What the platform has signed is of a kind that this version does not know.'),
    ),
    ...ended.map((one) => openProof(one, 'What the platform has signed of its end is not checked here.')),
  ];
}

/** What did not hold of a proof, or could not be checked, with the binding in front. */
export function openSteps({ binding, steps }: ProvedBinding): Step[] {
  const open = steps.filter(({ state }) => state !== 'ok');
  return open.map((step) => ({ ...step, detail: `${binding.platform} ${binding.identity}: ${step.detail}` }));
}

/** On what a binding in a file rests: the platform, where what it signed was checked whole. */
export function wordInFile(
  chain: ChainVerification,
  binding: ExportedBinding,
  proofs: ProvedBinding[],
): BindingResting['identity'] | undefined {
  const word = wordInChain(chain, binding);
  const isProved = proofs.some((one) => isSameBinding(one.binding, binding) && one.complete);
  return word === 'server' && isProved ? 'platform' : word;
}

/** Whether two are of the same account. */
export function isSameBinding(one: ExportedBinding, other: ExportedBinding): boolean {
  return one.platform === other.platform && one.identity === other.identity;
}

function openProof(binding: ExportedBinding, detail: string): ProvedBinding {
  return { binding, ok: true, complete: false, steps: [{ name: 'platform_proof', state: 'not_checkable', detail }] };
}
