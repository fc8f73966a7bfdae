/** Whether an export leaves out what its Avatar signed, by the answer of the map that it carries (docs/export.md). */
import { isErased } from '../chains/erased.js';
import { checkMapAnswer } from '../map/map-answer.js';
import type { AvatarState } from '../map/map-values.js';
import { failed, notCheckable, ok, type Step } from '../steps.js';
import type { Checkpoint } from './checkpoint.js';
import type { LogProofVerification } from './log-proof.js';
import type { CheckpointVerdict, Policy } from './policy.js';

/** A link or patch of the file, with what came of its proof; null where it carries none. */
export interface ProvenItem {
  record: unknown;
  result: LogProofVerification | null;
}

/**
 * The step `complete`: the map has no more links and patches than the file, and the newest that it counts are those of
 * the file. Not checkable where the file lacks a proof of one of these. What is newer than the map may be left out.
 */
export function checkExportComplete(
  { avatar, map, links, patches }: { avatar: string; map: unknown; links: ProvenItem[]; patches: ProvenItem[] },
  policy: Policy,
  judge: (checkpoint: Checkpoint) => CheckpointVerdict,
): Step {
  const result = checkMapAnswer(map, { avatar }, policy, judge);
  const failure = result.steps.find(({ state }) => state === 'failed');
  if (failure) return failed('complete', `Its map proves nothing. ${failure.detail}`);
  const { size } = result.entry!;
  const none = { link: null, links: 0, patch: null, patches: 0 };
  const { link, links: linkCount, patch, patches: patchCount } = (result.value as AvatarState | null) ?? none;
  const steps = [
    checkRecords('links', links, { count: linkCount, newest: link, size }),
    checkRecords('patches', patches, { count: patchCount, newest: patch, size }),
  ];
  const good = `Nothing is left out: ${linkCount} links and ${patchCount} patches, by the map of ${size} entries.`;
  const worst = steps.find(({ state }) => state === 'failed') ?? steps.find(({ state }) => state !== 'ok');
  return worst ?? ok('complete', good);
}

function checkRecords(
  what: string,
  items: ProvenItem[],
  { count, newest, size }: { count: number; newest: number | null; size: number },
): Step {
  const missing = count - items.length;
  if (missing > 0) return failed('complete', `Of ${count} ${what}, ${missing} are left out, the newest among them.`);
  const last = count > 0 ? items[count - 1]! : null;
  const next = items[count];
  if (next && indexOf(next) !== null && indexOf(next)! < size) {
    return failed('complete', `It has more ${what} than the map, which counts ${count}.`);
  }
  // The proof of an erased record is that of its erasure: that their number is right has to do.
  if (!last || isErased(last.record as object)) return ok('complete', `All ${what} are there.`);
  const index = indexOf(last);
  if (index === null) return notCheckable('complete', `The newest of its ${what} that the map counts has no proof.`);
  const bad = `The newest of its ${what} is entry ${index} of the log, and the map says ${newest}.`;
  return index === newest ? ok('complete', `All ${what} are there.`) : failed('complete', bad);
}

function indexOf({ record, result }: ProvenItem): number | null {
  return result?.ok && !isErased(record as object) ? result.index : null;
}
