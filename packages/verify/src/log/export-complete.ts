/** Whether an export leaves out what its Avatar signed, by the answer of the map that it carries (docs/export.md). */
import { checkMapAnswer } from '../map/map-answer.js';
import type { AvatarState } from '../map/map-values.js';
import { failed, notCheckable, ok, show, type Step } from '../steps.js';
import { equalBytes } from '../text/encoding.js';
import type { Checkpoint } from './checkpoint.js';
import type { CheckpointVerdict, Policy } from './policy.js';
import { counted, inWords } from '../text/counted.js';
import { type EntryKind, wordOf, wordsOf } from '../chains/record-kind.js';

/** What is known of a record of the file. */
export interface ProvenItem {
  /** The number of its entry; null where no proof of it verifies. */
  index: number | null;
  isErased: boolean;
}

/** What is held against the map of a file. */
interface Shown {
  /** Compressed key. */
  avatar: string;
  map: unknown;
  records: { kind: EntryKind; items: ProvenItem[]; hasList: boolean }[];
  /** The checkpoints of the proofs that verify. */
  heads: Checkpoint[];
}

/**
 * The step `complete`: nothing is left out that the log had at the time of the map. The records of the file are exactly
 * those that the map counts, erased ones included, and the map is of the log of all proofs. Not checkable where the
 * file carries no answer of the map, where a proof is of a newer tree head than the map, so that the writer could have
 * had a newer map, or where no proof shows which records are counted.
 */
export function checkExportComplete(
  { avatar, map, records: all, heads }: Shown,
  policy: Policy,
  judge: (checkpoint: Checkpoint) => CheckpointVerdict,
): Step {
  if (map === undefined) {
    return notCheckable('complete', 'It carries no answer of the map, so the newest may be left out.');
  }
  const result = checkMapAnswer(map, { avatar }, policy, judge);
  const failure = result.steps.find(({ state }) => state === 'failed');
  if (failure) return failed('complete', `Its map proves nothing. ${failure.detail}`);
  const head = result.checkpoint!;
  const { log } = judge(head);
  if (heads.some((one) => judge(one).log !== log)) {
    return failed('complete', `Its map is of the log ${show(head.origin)}, whose key is not that of its proofs.`);
  }
  if (heads.some(({ size, root }) => size === head.size && !equalBytes(root, head.root))) {
    return failed('complete', `Its map and its proofs are of two different trees of ${head.size} entries.`);
  }
  const { size, recorded_at: at } = result.entry!;
  const mapped = result.value as AvatarState | null;
  const countOf = ({ list }: EntryKind) => mapped?.[list] ?? 0;
  const unread = all.find(({ kind, hasList }) => !hasList && countOf(kind) > 0)?.kind;
  if (unread) {
    const what = counted(countOf(unread), wordOf(unread), wordsOf(unread));
    return notCheckable('complete', `Its map counts ${what}, of which a program before 0.3.0 wrote no list.`);
  }
  const records = all.filter(({ hasList }) => hasList);
  const steps = records.map(({ kind, items }) =>
    checkRecords(wordsOf(kind), items, { count: countOf(kind), newest: mapped?.[kind.item] ?? null, size }),
  );
  const bad = steps.find(({ state }) => state === 'failed');
  if (bad) return bad;
  const said = inWords(records.map(({ kind }) => counted(countOf(kind), wordOf(kind), wordsOf(kind))));
  if (heads.some((one) => one.size > head.size)) {
    const old = `Its map is older than its proofs: what the log took in after UNIX time ${at} may be left out.`;
    const lists = inWords(records.map(({ kind }) => wordsOf(kind)));
    const newer = records.reduce((sum, { kind, items }) => sum + items.length - countOf(kind), 0);
    const more = newer === 0 ? '' : `, and ${newer} of the ${lists} of the file ${newer === 1 ? 'is' : 'are'} newer`;
    return notCheckable('complete', `${old} It counts ${said}${more}.`);
  }
  const good = `Nothing is left out that the log had at UNIX time ${at}: ${said}, by its map of ${counted(size, 'entry', 'entries')}.`;
  return steps.find(({ state }) => state !== 'ok') ?? ok('complete', good);
}

function checkRecords(
  what: string,
  items: ProvenItem[],
  { count, newest, size }: { count: number; newest: number | null; size: number },
): Step {
  const missing = count - items.length;
  if (missing > 0) {
    const are = missing === 1 ? 'is' : 'are';
    return failed('complete', `Of ${count} ${what}, ${missing} ${are} left out, the newest among them.`);
  }
  const [mapped, others] = [items.slice(0, count), items.slice(count)];
  if (others.some(({ index }) => index !== null && index < size)) {
    return failed('complete', `It has more ${what} than the map, which counts ${count}.`);
  }
  if (mapped.some(({ index }) => index !== null && index >= size)) {
    return failed('complete', `One of the first ${count} of its ${what} is newer than the map.`);
  }
  const last = mapped.at(-1)?.index;
  if (typeof last === 'number' && last !== newest) {
    return failed('complete', `The newest of its ${what} is entry ${last} of the log, and the map says ${newest}.`);
  }
  if (last === null) {
    return notCheckable('complete', `The newest of its ${what} that the map counts has no proof.`);
  }
  // Signatures show the order of those whose texts are there. Beside an erased one, only proofs show which are counted.
  if (mapped.some(({ isErased }) => isErased) && mapped.some(({ index }) => index === null)) {
    return notCheckable(
      'complete',
      `Some of its ${what} are erased, and no proof shows that the map counts all of them.`,
    );
  }
  if (others.some(({ index }) => index === null)) {
    return notCheckable('complete', `No proof shows that those of its ${what} are newer which the map does not count.`);
  }
  return ok('complete', `All ${what} are there.`);
}
