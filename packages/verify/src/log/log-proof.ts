/** A record together with its proof that it stands in a log. */
import type { WithEd25519 } from '../keys/curves.js';
import { isErased } from '../chains/erased.js';
import { avatarIn } from '../chains/link.js';
import { namedIn, type RecordContext } from '../chains/named-records.js';
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
import { type Checkpoint, readCheckpoint } from './checkpoint.js';
import { type LogEntry, moreOf, readEntry, recordHash, tombstoneHash } from './entry.js';
import { ENTRY_KINDS, type EntryKind, type FeedRecord } from '../chains/record-kind.js';
import { type CheckpointVerdict, judgeCheckpoint, type Policy } from './policy.js';
import { readLogProof } from './proof-file.js';
import { isIncluded, leafHash } from './tree.js';

/** What a proof is to be about, and who is believed. */
export interface LogProofContext extends RecordContext {
  /** Of an erased item: whether the entry has to be its own, or that of its erasure. Without it both are good. */
  about?: 'record' | 'erasure' | undefined;
  /** The logs that are accepted, and whose cosignatures are asked for. */
  policy: Policy;
  /** UNIX seconds; with it, cosignatures from the future do not count. */
  now?: number | undefined;
}

/** What came of a proof. */
export interface LogProofVerification extends Verification {
  /** The entry that was proven, or null. Only of worth if `ok`. */
  entry: LogEntry | null;
  /** Zero-based; null if the proof could not be read. */
  index: number | null;
  /** The head that the proof leads to, or null. Only of worth if `ok`. */
  checkpoint: Checkpoint | null;
}

/**
 * Steps: `proof` (the file can be read), `entry` (the entry is that of the item, of an erased one its own or that of
 * its erasure), `inclusion`, `log_signature`, and `witnesses`, which is not checkable where the policy asks for none.
 * Never throws, whatever it is given.
 */
export function verifyLogProof(text: string, context: LogProofContext & WithEd25519): LogProofVerification {
  return withoutThrowing(
    () => checkJudgedProof(text, context, (checkpoint) => judgeCheckpoint(checkpoint, context.policy, context)),
    { entry: null, index: null, checkpoint: null },
  );
}

/** `verifyLogProof` with a given judge of checkpoints: one that remembers saves work where proofs share one. */
export function checkJudgedProof(
  text: string,
  { policy, ...item }: LogProofContext,
  judge: (checkpoint: Checkpoint) => CheckpointVerdict,
): LogProofVerification {
  const file = readLogProof(text);
  const checkpoint = file && readCheckpoint(file.checkpoint);
  if (!file || !checkpoint) {
    const step = failed('proof', 'It is not a proof file with a checkpoint.');
    return { ...verificationOf([step]), entry: null, index: null, checkpoint: null };
  }
  const { extra, index, proof } = file;
  const { size, root } = checkpoint;
  const named = namedIn(item);
  const entry = extra && readEntry(extra, named ? [...ENTRY_KINDS, named.kind] : ENTRY_KINDS);
  const verdict = judge(checkpoint);
  const steps = [
    ok('proof', 'It is a proof file with a checkpoint.'),
    checkEntry(entry, item),
    checked(
      'inclusion',
      extra !== null && isIncluded({ leafHash: leafHash(extra), index, size, root, proof }),
      `The entry is number ${index} of ${size} in the tree of the checkpoint.`,
      'The entry does not lead to the root of the checkpoint.',
    ),
    ...signatureSteps(policy, checkpoint, verdict),
  ];
  return { ...verificationOf(steps), entry, index, checkpoint };
}

function checkEntry(entry: LogEntry | null, { about, ...item }: Omit<LogProofContext, 'policy' | 'now'>): Step {
  if (!entry) return failed('entry', 'The proof carries no entry of this service.');
  const named = namedIn(item);
  if (!named) return notCheckable('entry', 'No record is at hand to compare the entry with.');
  if (!isErased(named.item)) {
    const good = 'The entry holds the hash of what is at hand.';
    return checked('entry', isRecordOf(entry, item), good, 'The entry is that of something else.');
  }
  const isOfErasure = about === undefined ? entry.kind.startsWith('erased_') : about === 'erasure';
  if (isOfErasure) {
    const bad = 'No entry of the log says that its text was erased: the entry is that of something else.';
    return checked('entry', isErasureOf(entry, item), 'The log says that its text was erased.', bad);
  }
  const good = 'The entry is the one of what was erased, and it did what is said of it.';
  const bad = 'The entry is that of something else, or of a record that did something else.';
  return checked('entry', isRecordOf(entry, item), good, bad);
}

/**
 * True if the entry is that of this record, which may lack the number and the Avatar that feeds have; for one whose
 * text was erased, if the entry is that of its erasure.
 */
export function isEntryOf(entry: LogEntry, item: RecordContext): boolean {
  return isErased(namedIn(item)?.item) ? isErasureOf(entry, item) : isRecordOf(entry, item);
}

/**
 * True if the entry is the one that was made of this record before its text was erased: it has the hash, the key of the
 * identity and the action that what is left says.
 */
export function isEntryBefore(entry: LogEntry, item: RecordContext): boolean {
  return isErased(namedIn(item)?.item) && isRecordOf(entry, item);
}

function isRecordOf(entry: LogEntry, context: RecordContext): boolean {
  return isAbout(entry, context, (kind, record) => {
    const more = Object.entries(moreOf(kind, record));
    const isSame = more.every(([member, value]) => entry[member as keyof LogEntry] === value);
    return entry.kind === kind.name && entry.record === recordHash(kind, record) && isSame;
  });
}

function isErasureOf(entry: LogEntry, context: RecordContext): boolean {
  return isAbout(entry, context, (kind, record) => {
    const isRight = entry.kind === `erased_${kind.name}` && entry.recorded_at === record.erased?.at;
    return isRight && entry.record === tombstoneHash(kind, record);
  });
}

function isAbout(
  entry: LogEntry,
  context: RecordContext,
  isRight: (kind: EntryKind, record: FeedRecord) => boolean,
): boolean {
  try {
    const { kind, item } = namedIn(context)!;
    const owner = context.avatar ?? (item.avatar === undefined ? avatarIn(item.signature_payload) : item.avatar);
    if (owner === null) return false;
    const named = { id: entry.id, ...item, avatar: owner };
    return entry.id === named.id && entry.avatar === owner && entry.uuid === item.uuid && isRight(kind, named);
  } catch {
    return false; // a member is missing, or is nothing that JSON has
  }
}

/** Where a policy asks for no cosignatures. */
export const NO_WITNESSES = notCheckable('witnesses', 'The policy names no witnesses that would have to sign.');

/** The steps `log_signature` and `witnesses` of a checkpoint. */
export function signatureSteps(policy: Policy, { origin }: Checkpoint, verdict: CheckpointVerdict): Step[] {
  return [
    checked(
      'log_signature',
      verdict.log !== null,
      `The log ${show(origin)} signed the checkpoint.`,
      `No key that is accepted for ${show(origin)} signed the checkpoint.`,
    ),
    checkWitnesses(policy, verdict),
  ];
}

function checkWitnesses({ quorum }: Policy, { isQuorumMet, cosignatures }: CheckpointVerdict): Step {
  if (quorum === null) return NO_WITNESSES;
  const names = cosignatures.map(({ witness }) => witness).join(', ') || 'none';
  return checked(
    'witnesses',
    isQuorumMet,
    `Enough witnesses signed the checkpoint: ${names}.`,
    `Too few witnesses signed the checkpoint: ${names}.`,
  );
}
