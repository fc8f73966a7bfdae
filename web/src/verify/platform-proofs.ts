/** What platforms have signed of the bindings in a file, checked here. Loaded where a file has such proofs. */
import type { ExportedBinding, ExportFile, ExportVerification, Step } from '@signet/verify';
import { verifyExportProofs } from '@signet/verify/atproto';
import { verifyExportDnssec } from '@signet/verify/dnssec';
import { PLATFORM_PROOF, verdictOf } from './check-file.js';

/** What came of a file and of these proofs, each at its binding and, where it is not whole, at the file. */
export async function withPlatformProofs(checked: ExportVerification, file: ExportFile): Promise<ExportVerification> {
  const proofs = await stepsByBinding(file);
  const open = [...proofs].flatMap(([{ platform, identity }, steps]): Step[] =>
    steps
      .filter(({ state }) => state !== 'ok')
      .map((step) => ({ ...step, detail: `${platform} ${identity}: ${step.detail}` })),
  );
  const all: Step[] = [{ name: PLATFORM_PROOF, state: 'ok', detail: 'All that platforms have signed verifies.' }];
  const bindings = checked.bindings.map((one) => {
    const steps = proofs.get(one.binding);
    return steps ? { ...one, ...verdictOf([...one.steps, ...steps]) } : one;
  });
  const others = checked.steps.filter(({ name }) => name !== PLATFORM_PROOF);
  return { ...checked, bindings, ...verdictOf([...others, ...(open.length > 0 ? open : all)]) };
}

/** Of each binding with proofs, what came of that of its post or record, and of that of its end. */
async function stepsByBinding(file: ExportFile): Promise<Map<ExportedBinding, Step[]>> {
  const zones = verifyExportDnssec(file).map((one) => ({ ...one, of: 'post' as const }));
  const known = [...(await verifyExportProofs(file)), ...zones];
  const stepOf = (binding: ExportedBinding, what: 'post' | 'end', name: Step['name']): Step => {
    const found = known.find((one) => one.binding === binding && one.of === what);
    return { ...(found ? worstOf(found.steps) : UNREAD), name };
  };
  return new Map(
    file.bindings.map((binding): [ExportedBinding, Step[]] => {
      const { proof = null, gone_proof: end = null } = binding.evidence ?? {};
      const steps = [
        ...(proof === null ? [] : [stepOf(binding, 'post', PLATFORM_PROOF)]),
        ...(end === null ? [] : [stepOf(binding, 'end', 'platform_end')]),
      ];
      return [binding, steps];
    }),
  );
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
