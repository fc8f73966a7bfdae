/** What platforms have signed of the bindings in a file, checked here. Loaded where a file has such proofs. */
import type { ExportedBinding, ExportFile, ExportVerification, Step } from '@signet/verify';
import { verifyExportProofs } from '@signet/verify/atproto';
import { verifyExportDnssec } from '@signet/verify/dnssec';
import { PLATFORM_PROOF, verdictOf } from './check-file.js';

/** Of each binding of a file, by its place, what came of the proofs of its post or record, and of its end. */
export type PlatformProofs = Step[][];

/** Checks the proofs of a file. */
export async function platformProofs(file: ExportFile): Promise<PlatformProofs> {
  const zones = verifyExportDnssec(file).map((one) => ({ ...one, of: 'post' as const }));
  const known = [...(await verifyExportProofs(file)), ...zones];
  const stepOf = (binding: ExportedBinding, what: 'post' | 'end', name: Step['name']): Step => {
    const found = known.find((one) => one.binding === binding && one.of === what);
    return { ...(found ? worstOf(found.steps) : UNREAD), name };
  };
  return file.bindings.map((binding) => {
    const { proof = null, gone_proof: end = null } = binding.evidence ?? {};
    return [
      ...(proof === null ? [] : [stepOf(binding, 'post', PLATFORM_PROOF)]),
      ...(end === null ? [] : [stepOf(binding, 'end', 'platform_end')]),
    ];
  });
}

/** What came of a file and of its proofs, each at its binding and, where it is not whole, at the file. */
export function withPlatformProofs(checked: ExportVerification, proofs: PlatformProofs): ExportVerification {
  const bindings = checked.bindings.map((one, place) => ({ ...one, ...verdictOf([...one.steps, ...proofs[place]!]) }));
  const open = checked.bindings.flatMap(({ binding: { platform, identity } }, place) =>
    proofs[place]!.filter(({ state }) => state !== 'ok').map((step): Step => ({
      ...step,
      detail: `${platform} ${identity}: ${step.detail}`,
    })),
  );
  const all: Step[] = [{ name: PLATFORM_PROOF, state: 'ok', detail: 'All that platforms have signed verifies.' }];
  const others = checked.steps.filter(({ name }) => name !== PLATFORM_PROOF);
  return { ...checked, bindings, ...verdictOf([...others, ...(open.length > 0 ? open : all)]) };
}

const UNREAD: Pick<Step, 'state' | 'detail'> = {
  state: 'not_checkable',
  detail: 'What the platform has signed is of a kind that this page does not know.',
};

/** What comes of the steps of a proof. */
function worstOf(steps: readonly Step[]): Pick<Step, 'state' | 'detail'> {
  const worst = ['failed', 'not_checkable'].flatMap((state) => steps.filter((step) => step.state === state))[0];
  return { state: worst?.state ?? 'ok', detail: worst?.detail ?? '' };
}
