/** What platforms have signed of the bindings in a file: `evidence.proof`, by its type. */
import type { BindingResting } from '@signet/sdk';
import type { ChainVerification, ExportedBinding, ExportFile, Step, Verification } from '@signet/verify';
import { verifyExportProofs } from '@signet/verify/atproto';
import { readRootKey, ROOT_KEYS, verifyExportDnssec } from '@signet/verify/dnssec';
import type { Command } from 'commander';
import { UsageError } from '../exit.js';
import { wordInChain } from './resting.js';

/** What came of the proof of one binding. */
export interface ProvedBinding extends Verification {
  binding: ExportedBinding;
}

/** What the option of `rootKeyOption` sets. */
export interface RootKeyFlags {
  rootKey?: string[];
}

/** Adds `--root-key`. */
export function rootKeyOption(command: Command): Command {
  return command.option(
    '--root-key <record>',
    'a further key of the root of the DNS, as its DS record: "<key tag> <algorithm> 2 <SHA-256>"; may be repeated',
    (value: string, before: string[] = []) => [...before, value],
  );
}

/** Those of all bindings that have one. One of an unknown type, and one of an end, is not checkable. */
export async function platformProofs(file: ExportFile, { rootKey = [] }: RootKeyFlags): Promise<ProvedBinding[]> {
  const rootKeys = [...ROOT_KEYS, ...rootKey.map(rootKeyIn)];
  const known = [...(await verifyExportProofs(file)), ...verifyExportDnssec(file, { rootKeys })];
  const checked = new Set(known.map(({ binding }) => binding));
  const others = file.bindings.filter((one) => one.evidence?.proof !== undefined && !checked.has(one));
  const ended = file.bindings.filter((one) => one.evidence?.gone_proof !== undefined);
  return [
    ...known,
    ...others.map((one) => openProof(one, 'What the platform has signed is of a kind that this version does not know.')),
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

function rootKeyIn(text: string) {
  const key = readRootKey(text);
  if (key) return key;
  throw new UsageError(`${JSON.stringify(text)} is no key of the root: <key tag> <algorithm> 2 <SHA-256 in hex>.`);
}
