/** What platforms have signed of the bindings in a file, checked here. Loaded where a file has such proofs. */
import type { ExportedBinding, ExportFile, ExportVerification, Step } from '@signet/verify';
import { verifyExportProofs } from '@signet/verify/atproto';
import { verifyExportDnssec } from '@signet/verify/dnssec';
import { PLATFORM_PROOF, verdictOf } from './check-file.js';

/** What came of a file and of these proofs, each at its binding and, where it is not whole, at the file. */
export async function withPlatformProofs(checked: ExportVerification, file: ExportFile): Promise<ExportVerification> {
  const proofs = await stepsByBinding(file);
  const open = [...proofs].flatMap(([{ platform, identity }, { state, detail, ...step }]): Step[] =>
    state === 'ok' ? [] : [{ ...step, state, detail: `${platform} ${identity}: ${detail}` }],
  );
  const all: Step[] = [{ name: PLATFORM_PROOF, state: 'ok', detail: 'All that platforms have signed verifies.' }];
  const bindings = checked.bindings.map((one) => {
    const step = proofs.get(one.binding);
    return step ? { ...one, ...verdictOf([...one.steps, step]) } : one;
  });
  const others = checked.steps.filter(({ name }) => name !== PLATFORM_PROOF);
  return { ...checked, bindings, ...verdictOf([...others, ...(open.length > 0 ? open : all)]) };
}

/** Of each binding with a proof, what came of it. */
async function stepsByBinding(file: ExportFile): Promise<Map<ExportedBinding, Step>> {
  const known = [...(await verifyExportProofs(file)), ...verifyExportDnssec(file)];
  const all = file.bindings
    .filter(({ evidence }) => evidence?.proof !== undefined || evidence?.gone_proof !== undefined)
    .map((binding): [ExportedBinding, Step] => {
      const steps = known.find((one) => one.binding === binding)?.steps ?? [UNREAD];
      return [binding, worstOf(binding.evidence?.gone_proof === undefined ? steps : [...steps, ENDED])];
    });
  return new Map(all);
}

const UNREAD: Step = {
  name: PLATFORM_PROOF,
  state: 'not_checkable',
  detail: 'What the platform has signed is of a kind that this page does not know.',
};
const ENDED: Step = {
  name: PLATFORM_PROOF,
  state: 'not_checkable',
  detail: 'What the platform has signed of its end is not checked here.',
};

/** What comes of the steps of a proof, as one step. */
function worstOf(steps: readonly Step[]): Step {
  const worst = ['failed', 'not_checkable'].flatMap((state) => steps.filter((step) => step.state === state))[0];
  return { name: PLATFORM_PROOF, state: worst?.state ?? 'ok', detail: worst?.detail ?? '' };
}
