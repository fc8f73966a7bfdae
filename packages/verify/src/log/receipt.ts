/**
 * Receipts: what a server answers to a write that it has recorded, signed by the key of its log. A receipt promises
 * that the record will be in the log, exactly so, until a deadline. It is a signed note (C2SP signed-note) whose first
 * line names its format, and is no origin; a checkpoint has a number in its second line, where a receipt has the word
 * `log`: so neither can be read as the other.
 */
import type { WithEd25519 } from '../keys/curves.js';
import { isErased } from '../chains/erased.js';
import { CLOCK_SPREAD_SECONDS } from '../text/constants.js';
import { avatarIn } from '../chains/link.js';
import {
  checked,
  failed,
  notCheckable,
  ok,
  show,
  type Step,
  type Verification,
  verificationOf,
  withoutThrowing,
} from '../steps.js';
import { namedIn, type RecordContext } from '../chains/named-records.js';
import { ENTRY_KINDS, type EntryKind } from '../chains/record-kind.js';
import { type LogEntry, recordedHash } from './entry.js';
import { checkJudgedProof, type LogProofContext, type LogProofVerification } from './log-proof.js';
import { isSignedBy, readNote, type SignedNote } from './note.js';
import { type CheckpointVerdict, isQuorumMet, judgeCheckpoint } from './policy.js';
import { isKeyName } from './verifier-key.js';

/** What a receipt says. */
export interface Receipt {
  /** The origin of the log in which the record will be. */
  log: string;
  /** As in entries: `link`, `kv` or the kind of another record. */
  kind: string;
  /** Compressed key. */
  avatar: string;
  uuid: string;
  /** Hex SHA-256 of the canonical JSON of the record without its number: see `recordedHash`. */
  hash: string;
  /** UNIX seconds at which the server says that it is recorded. */
  time: number;
  /** UNIX seconds until which it will be in the log. */
  deadline: number;
}

/** What a receipt is held against, and who is believed. */
export interface ReceiptContext extends LogProofContext {
  /** The proof file of the record; without it nothing is said of the log. */
  proof?: string | undefined;
}

/** What came of a receipt. */
export interface ReceiptVerification extends Verification {
  /** What it says; null where it cannot be read. Only of worth if `ok`. */
  receipt: Receipt | null;
  /** The entry of the proof, or null. Only of worth if `ok`. */
  entry: LogEntry | null;
}

const FORMAT = 'signet-receipt/1';
const NAMES = ['log', 'kind', 'avatar', 'uuid', 'hash', 'time', 'deadline'] as const;
const AVATAR = /^0x0[23][0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const SECONDS = /^(0|[1-9]\d{0,15})$/;

/** The text that the log signs. */
export function receiptText(receipt: Receipt): string {
  return [FORMAT, ...NAMES.map((name) => `${name} ${receipt[name]}`), ''].join('\n');
}

/**
 * Reads a receipt of a record of these kinds strictly, in its one spelling; null for anything else. Says nothing of its
 * signatures.
 */
export function readReceipt(
  text: string,
  kinds: readonly EntryKind[] = ENTRY_KINDS,
): { receipt: Receipt; note: SignedNote } | null {
  const note = typeof text === 'string' ? readNote(text) : null;
  const values = note?.text.split('\n').slice(1, -1);
  if (!note || values?.length !== NAMES.length) return null;
  const parts = values.map((line) => line.slice(line.indexOf(' ') + 1)) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const [log, kind, avatar, uuid, hash, time, deadline] = parts;
  const isForm = isKeyName(log) && kinds.some(({ name }) => name === kind) && AVATAR.test(avatar) && UUID.test(uuid);
  if (!isForm || !HASH.test(hash) || !SECONDS.test(time) || !SECONDS.test(deadline)) return null;
  const receipt: Receipt = { log, kind, avatar, uuid, hash, time: Number(time), deadline: Number(deadline) };
  const isTime = Number.isSafeInteger(receipt.deadline) && receipt.time <= receipt.deadline;
  return isTime && receiptText(receipt) === note.text ? { receipt, note } : null;
}

/**
 * Checks a receipt, and what it promised. Steps: `receipt` (it can be read), `receipt_signature` (a log that the policy
 * accepts under this name signed it), `record` (it is about the record, as that is at hand); with a proof its steps
 * (see `verifyLogProof`), where `entry` has to be what the receipt is about; and `logged_in_time`. Never throws,
 * whatever it is given.
 */
export function verifyReceipt(text: string, context: ReceiptContext & WithEd25519): ReceiptVerification {
  return withoutThrowing(() => checkReceipt(text, context), { receipt: null, entry: null });
}

function checkReceipt(text: string, context: ReceiptContext & WithEd25519): ReceiptVerification {
  const { record: other } = context;
  const read = readReceipt(text, other ? [...ENTRY_KINDS, other.kind] : ENTRY_KINDS);
  if (!read) {
    const step = failed('receipt', 'It is not a receipt.');
    return { ...verificationOf([step]), receipt: null, entry: null };
  }
  const { receipt, note } = read;
  const { policy, now, proof, avatar, curves } = context;
  const named = namedIn(context);
  // What an erased record was is not at hand any more.
  const item = named && !isErased(named.item) ? { record: named, avatar } : { avatar };
  const isSigned = policy.logs.some(({ key }) => key.name === receipt.log && isSignedBy(note, key, { curves }));
  const steps = [
    ok('receipt', `It is a receipt of the log ${show(receipt.log)}.`),
    checked(
      'receipt_signature',
      isSigned,
      `The log ${show(receipt.log)} signed the receipt.`,
      `No key that is accepted for ${show(receipt.log)} signed the receipt.`,
    ),
    checkRecord(receipt, item),
  ];
  if (proof === undefined) {
    steps.push(notCheckable('logged_in_time', 'No proof of the log is at hand.'));
    return { ...verificationOf(steps), receipt, entry: null };
  }
  let verdict: CheckpointVerdict | undefined;
  const result = checkJudgedProof(proof, { ...item, policy }, (head) => {
    return (verdict = judgeCheckpoint(head, policy, { now, curves }));
  });
  steps.push(...result.steps.map((step) => (step.name === 'entry' ? checkEntry(receipt, result.entry, step) : step)));
  if (verdict) steps.push(checkTime(receipt, result, verdict, context));
  return { ...verificationOf(steps), receipt, entry: result.entry };
}

function checkRecord(receipt: Receipt, context: RecordContext) {
  if (!namedIn(context)) return notCheckable('record', 'No record is at hand to compare the receipt with.');
  return checked(
    'record',
    isReceiptOf(receipt, context),
    'The receipt holds the hash of what is at hand.',
    'The receipt is that of something else.',
  );
}

/** True if the receipt is that of this record, exactly as it is at hand. */
export function isReceiptOf(receipt: Receipt, context: RecordContext): boolean {
  try {
    const { kind, item } = namedIn(context)!;
    const owner = context.avatar ?? (item.avatar === undefined ? avatarIn(item.signature_payload) : item.avatar);
    const isNamed = receipt.kind === kind.name && receipt.avatar === owner && receipt.uuid === item.uuid;
    return isNamed && receipt.hash === recordedHash(kind, { ...item, avatar: owner });
  } catch {
    return false; // a member is missing, or is nothing that JSON has
  }
}

/** `step` compares the entry with the item; an entry of something else is none of this receipt. */
function checkEntry(receipt: Receipt, entry: LogEntry | null, step: Step): Step {
  const isSame = entry?.kind === receipt.kind && entry.avatar === receipt.avatar && entry.uuid === receipt.uuid;
  return isSame || step.state === 'failed' ? step : failed('entry', 'The entry is not that of the receipt.');
}

/** When an entry came into the log is known only if a reader, or witnesses, had it by then. */
function checkTime(
  receipt: Receipt,
  { checkpoint, entry }: LogProofVerification,
  { cosignatures }: CheckpointVerdict,
  { policy, now = Infinity }: ReceiptContext,
): Step {
  const { log, time, deadline } = receipt;
  if (checkpoint?.origin !== log) return failed('logged_in_time', 'It was promised for another log.');
  if (!entry || Math.abs(entry.recorded_at - time) > CLOCK_SPREAD_SECONDS) {
    return failed('logged_in_time', 'The entry says that it was recorded at another time.');
  }
  const early = new Set(cosignatures.filter((one) => one.time <= deadline).map(({ witness }) => witness));
  const isShown = now <= deadline || (policy.quorum !== null && isQuorumMet(policy, early));
  return isShown
    ? ok('logged_in_time', 'It is in the log, and the time for that has not passed, or witnesses saw it before.')
    : notCheckable('logged_in_time', 'It is in the log; nothing at hand shows since when.');
}
