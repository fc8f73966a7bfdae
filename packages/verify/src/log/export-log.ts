/**
 * The proofs of the log that an export carries (docs/export.md): that what its Avatar signed is in the log of the
 * server, and which witnesses have seen that. The signatures of the Avatar are the business of export-file.ts.
 */
import { jsonOf } from '../files/text-file.js';
import type { WithEd25519 } from '../keys/curves.js';
import { encodeHex } from '../text/encoding.js';
import { isErased } from '../chains/erased.js';
import type { ExportFile } from '../chains/export-file.js';
import { inWords } from '../text/counted.js';
import { isObject } from '../text/signed-text.js';
import {
  checked,
  failed,
  notCheckable,
  ok,
  show,
  type Step,
  verificationOf,
  type Verification,
  withoutThrowing,
} from '../steps.js';
import type { Checkpoint } from './checkpoint.js';
import { checkExportComplete } from './export-complete.js';
import { ENTRY_KINDS, type EntryKind, type NamedRecord, wordOf, wordsOf } from '../chains/record-kind.js';
import { checkJudgedProof, type LogProofVerification, NO_WITNESSES } from './log-proof.js';
import { type CheckpointVerdict, judgeCheckpoint, logOnlyPolicy, type Policy } from './policy.js';
import { readLogKey } from './verifier-key.js';

/** Who is believed. */
export interface ExportLogContext {
  /** The logs that are accepted, and whose cosignatures are asked for; when absent, the key that the file names. */
  policy?: Policy | undefined;
  /** UNIX seconds; with it, cosignatures from the future do not count. */
  now?: number | undefined;
  /** The kinds of records that the file has lists of, if not of those that came later; `ENTRY_KINDS` when absent. */
  kinds?: readonly EntryKind[] | undefined;
}

/** What an export says of the log, once its shape is known. */
type Logged = Pick<ExportFile, 'avatar'> & {
  log: NonNullable<ExportFile['log']> & { [proofs: string]: { [uuid: string]: string } | undefined };
} & { [list: string]: unknown };

/** A record of the file. */
interface Item {
  name: string;
  uuid: string;
  record: NamedRecord;
  isErased: boolean;
}

/** What came of the proofs of an item: that of its entry, and of an erased one that of its erasure. */
interface Proven {
  item: Item;
  own: LogProofVerification | null;
  erasure: LogProofVerification | null;
}

/**
 * Checks the proofs of an export; `file` is its text or what its JSON says, and may be anything. Steps: `logged` (each
 * record has a proof, each erased one a second one of its erasure, all hold, and the entries stand in the order of the
 * file; not checkable where the file carries no proofs or where one is missing), `log_key` (not checkable where only
 * the file says whose log it is), `log_history` where two checkpoints contradict each other, `witnesses`, `complete`
 * (not checkable where the file does not carry what the map says), and each step of a proof that failed, with the name
 * of its record. `verifyExport` checks the rest. Never throws,
 * whatever it is given.
 */
export function verifyExportLog(file: unknown, context: ExportLogContext & WithEd25519 = {}): Verification {
  return withoutThrowing(() => checkExportLog(file, context), {});
}

function checkExportLog(
  file: unknown,
  { policy, now, kinds = ENTRY_KINDS, curves }: ExportLogContext & WithEd25519,
): Verification {
  const known = jsonOf(file);
  if (!hasRecords(known, kinds)) {
    const lists = inWords(kinds.filter(isAlwaysThere).map(wordsOf));
    return verificationOf([failed('logged', `It is not an export with ${lists}.`)]);
  }
  if (known.log === undefined) {
    return verificationOf([notCheckable('logged', 'It carries no proofs that it is in a log.')]);
  }
  if (!hasLog(known, kinds)) return verificationOf([failed('logged', 'Its log lacks a verifier key, or proofs.')]);
  const ownKey = policy ? null : readLogKey(known.log.verifier_key, { curves });
  const trusted = policy ?? (ownKey && logOnlyPolicy(ownKey));
  if (!trusted) return verificationOf([failed('log_key', 'Its verifier key is not one of a log.')]);

  const items = kinds.flatMap((kind) => itemsOf(known, kind));
  const judge = rememberingJudge(trusted, { now, curves });
  const all = items.map((item): Proven => {
    const context = { record: item.record, avatar: known.avatar, policy: trusted };
    const check = (proof: string | undefined, about: 'record' | 'erasure') =>
      proof === undefined ? null : checkJudgedProof(proof, { ...context, about }, judge);
    const member = memberOf(item.record.kind);
    const [own, erasure] = [known.log[member], known.log.erasures].map((proofs) => proofOf(proofs ?? {}, item.uuid));
    return { item, own: check(own, 'record'), erasure: item.isErased ? check(erasure, 'erasure') : null };
  });
  const results = all.flatMap(({ own, erasure }) => [own, erasure].filter((result) => result !== null));
  const failures = all.flatMap(({ item, own, erasure }) =>
    [own, erasure].flatMap((result) => (result ? failuresOf(item.name, result) : [])),
  );
  const heads = results.flatMap(({ ok: isGood, checkpoint }) => (isGood ? [checkpoint!] : []));
  return verificationOf([
    ...failures,
    checkAll(known, kinds, all, results),
    ...(ownKey ? [notCheckable('log_key', `That ${show(ownKey.name)} has this key is the word of the file.`)] : []),
    ...checkHistory(heads),
    ...(results.length > 0 ? [summaryOfWitnesses(trusted, results)] : []),
    checkExportComplete({ ...recordsOf(known, kinds, all), heads }, trusted, judge),
  ]);
}

/** The records of the file, and what it says that the map has of them. */
function recordsOf(known: Logged, kinds: readonly EntryKind[], all: Proven[]) {
  const { avatar, log } = known;
  const records = kinds.map((kind) => {
    const items = ofKind(all, kind).map(({ item: { isErased: isGone }, own }) => {
      return { index: own?.ok ? own.index : null, isErased: isGone };
    });
    return { kind, items, hasList: known[kind.list] !== undefined };
  });
  return { avatar, map: log.map, records };
}

function ofKind(all: Proven[], kind: EntryKind): Proven[] {
  return all.filter(({ item }) => item.record.kind === kind);
}

/** The step `logged`: whether everything was shown to be in the log, in its order, and nothing else. */
function checkAll(known: Logged, kinds: readonly EntryKind[], all: Proven[], results: LogProofVerification[]): Step {
  const { log } = known;
  const held = kinds.filter(({ list }) => known[list] !== undefined);
  const [items, lists] = [held.map(wordOf), held.map(wordsOf)];
  const strangers = membersOf(kinds).map((member) =>
    nameOfNone(
      log[member],
      all.filter(({ item }) => memberOf(item.record.kind) === member),
    ),
  );
  const erased = all.filter(({ item }) => item.isErased);
  const other = [...strangers, nameOfNone(log.erasures, erased)].find((name) => name !== undefined);
  if (other !== undefined) {
    const none = items.map((item) => `a ${item}`).join(' nor ');
    return failed('logged', `It carries a proof of ${show(other)}, and neither ${none} of this name.`);
  }
  const bad = results.filter((result) => !result.ok).length;
  if (bad > 0) return failed('logged', `Proofs of the log that do not verify: ${bad} of ${results.length}.`);
  const late = kinds.map((kind) => firstOutOfOrder(ofKind(all, kind))).find((item) => item !== undefined);
  if (late) return failed('logged', `${late.name} stands in the log before one that it follows in the file.`);
  const isOpen = ({ item, own, erasure }: Proven) => own === null || (item.isErased && erasure === null);
  const missing = all.filter(isOpen).length;
  if (missing > 0) {
    return notCheckable('logged', `Of ${all.length} ${inWords(lists)}, ${missing} carry no proof of the log.`);
  }
  const origins = new Set(results.map(({ checkpoint }) => checkpoint!.origin));
  const what = all.length === 1 ? `The one ${items.join(' or ')} is` : `All ${all.length} ${inWords(lists)} are`;
  return ok('logged', `${what} in the log ${show([...origins].join(', '))}.`);
}

function nameOfNone(proofs: object | undefined, all: Proven[]): string | undefined {
  const uuids = new Set(all.map(({ item }) => item.uuid));
  return Object.keys(proofs ?? {}).find((uuid) => !uuids.has(uuid));
}

/**
 * The first record of a kind whose entry is before that of one in front of it. Signatures show the order of
 * records whose texts are there; that of erased ones only the log shows.
 */
function firstOutOfOrder(all: Proven[]): Item | undefined {
  const last = new Map<string, number>();
  return all.find(({ own }) => {
    if (!own) return false;
    const { origin } = own.checkpoint!;
    const previous = last.get(origin) ?? -1;
    last.set(origin, own.index!);
    return own.index! <= previous;
  })?.item;
}

/** One log has one root for each size. Both notes are signed, and together they prove what it did. */
function checkHistory(heads: Checkpoint[]): Step[] {
  const roots = new Map<string, string>();
  for (const { origin, size, root } of heads) {
    const place = `${size} ${origin}`;
    const first = roots.get(place) ?? encodeHex(root);
    if (first !== encodeHex(root)) {
      return [failed('log_history', `The log ${show(origin)} has signed two different trees of ${size} entries.`)];
    }
    roots.set(place, first);
  }
  return [];
}

/** The weakest of what the proofs say of the witnesses. */
function summaryOfWitnesses(policy: Policy, results: LogProofVerification[]): Step {
  if (policy.quorum === null) return NO_WITNESSES;
  const steps = results.flatMap(({ steps: own }) => own.filter(({ name }) => name === 'witnesses'));
  const bad = results.length - steps.filter(({ state }) => state === 'ok').length;
  return checked(
    'witnesses',
    bad === 0,
    'Enough witnesses of the policy signed the checkpoint of each proof.',
    `Of ${results.length} proofs, ${bad} have a checkpoint that too few witnesses of the policy signed.`,
  );
}

/** Failures of one proof, without missing witnesses, which one step reports for all proofs. */
function failuresOf(name: string, { steps }: LogProofVerification): Step[] {
  return steps
    .filter((step) => step.state === 'failed' && step.name !== 'witnesses')
    .map((step) => ({ ...step, detail: `${name}: ${step.detail}` }));
}

/** Judges each checkpoint once: signatures take a millisecond each, and most proofs of a file share a checkpoint. */
function rememberingJudge(policy: Policy, options: { now: number | undefined } & WithEd25519) {
  const verdicts = new Map<string, CheckpointVerdict>();
  return (checkpoint: Checkpoint): CheckpointVerdict => {
    const { text, signatures } = checkpoint.note;
    const key = `${text}\n${signatures.map(({ line }) => line).join('\n')}`;
    const verdict = verdicts.get(key) ?? judgeCheckpoint(checkpoint, policy, options);
    verdicts.set(key, verdict);
    return verdict;
  };
}

function itemsOf(file: Logged, kind: EntryKind): Item[] {
  const word = wordOf(kind).charAt(0).toUpperCase() + wordOf(kind).slice(1);
  return ((file[kind.list] ?? []) as NamedRecord['item'][]).map((item, place) => {
    const record = { kind, item };
    return { name: `${word} ${place + 1}`, uuid: uuidOf(item), record, isErased: isErased(item) };
  });
}

function uuidOf(item: unknown): string {
  return isObject(item) && typeof item['uuid'] === 'string' ? item['uuid'] : '';
}

function proofOf(proofs: { [uuid: string]: string }, uuid: string): string | undefined {
  return Object.hasOwn(proofs, uuid) ? proofs[uuid] : undefined;
}

function hasRecords(file: unknown, kinds: readonly EntryKind[]): file is Omit<Logged, 'log'> & { log?: unknown } {
  if (!isObject(file) || typeof file['avatar'] !== 'string') return false;
  const isThere = (kind: EntryKind) => file[kind.list] !== undefined || isAlwaysThere(kind);
  return kinds.filter(isThere).every(({ list }) => Array.isArray(file[list]));
}

function isAlwaysThere({ exportedProofs }: EntryKind): boolean {
  return exportedProofs === undefined;
}

/** The member of `log` that has the proofs of a kind. */
function memberOf({ exportedProofs }: EntryKind): string {
  return exportedProofs ?? 'proofs';
}

function membersOf(kinds: readonly EntryKind[]): string[] {
  return [...new Set(kinds.map(memberOf))];
}

function hasLog(file: { log?: unknown }, kinds: readonly EntryKind[]): file is Logged {
  const { log } = file;
  if (!isObject(log) || typeof log['verifier_key'] !== 'string') return false;
  const areTexts = (named: unknown) =>
    isObject(named) && Object.values(named).every((proof) => typeof proof === 'string');
  const later = membersOf(kinds).filter((member) => member !== 'proofs');
  return areTexts(log['proofs']) && ['erasures', ...later].every((member) => areTexts(log[member] ?? {}));
}
