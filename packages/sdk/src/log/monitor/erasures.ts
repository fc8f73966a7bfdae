/** Erasures of texts: what the log says of them, held against what the feeds show. */
import { isErased, type SignedLink, type SignedPatch, verifyLink, verifyPatch } from '@signet/verify';
import { isEntryBefore, isEntryOf, type LogEntry, type Policy, verifyLogProof } from '@signet/verify/log';
import type { FeedLink } from '../../answers.js';
import { SignetError } from '../../errors.js';
import { pause } from '../../transport.js';
import type { FeedPatch, LogReader } from '../log-reader.js';
import { type Alarm, alarm, type MonitorState } from './monitor-events.js';

/** The kinds of records, as entries name them. */
export type RecordKind = 'link' | 'kv';

const LOOK_AGAIN_MS = 250;
/** Erased records without an entry of which there is an alarm at one look; the first says that the log is behind. */
const MAX_ALARMS = 100;

/** A record of a feed as the rules take it. */
function itemOf(record: FeedLink | FeedPatch): { link: SignedLink } | { patch: SignedPatch } {
  return 'action' in record ? { link: record as SignedLink } : { patch: record as SignedPatch };
}

/**
 * What is wrong with an entry that says that a record was erased: the feed has to show exactly what the entry is about,
 * and that has to name the hash, the action and the key of the identity which the log had of the record before. Caches
 * may show the text for a moment.
 */
export async function problemOfErasure(
  reader: LogReader,
  kind: RecordKind,
  entry: LogEntry,
  { policy, patienceMs }: { policy: Policy; patienceMs: number },
): Promise<{ problem: string | null; record: FeedLink | FeedPatch | null }> {
  for (const endsAt = Date.now() + patienceMs; ;) {
    const record = await reader.record(kind, entry.id);
    const isLast = Date.now() >= endsAt;
    if (!record) return { problem: null, record };
    if (!isErased(record)) {
      if (isLast) return { problem: 'The log says that the text was erased, and the server shows it.', record };
    } else if (!isEntryOf(entry, itemOf(record)) || !isProper(record)) {
      return { problem: 'What the server shows in place of the erased text is not what was logged.', record };
    } else if (await isOfLogged(reader, kind, entry.id, record, policy)) return { problem: null, record };
    else return { problem: 'What was erased is not what the log had under this number.', record };
    await pause(LOOK_AGAIN_MS);
  }
}

/**
 * Alarms of records that are shown as erased while the log, of which all was read, has no entry of that: their texts
 * were hidden. Keeps in `state` of which there was one.
 * @throws SignetError if the server cannot be asked
 */
export async function problemsOfErasures(
  reader: LogReader,
  state: MonitorState,
  { policy, patienceMs, signal }: { policy: Policy; patienceMs: number; signal?: AbortSignal | undefined },
): Promise<Alarm[]> {
  const alarms: Alarm[] = [];
  const endsAt = Date.now() + patienceMs;
  for (const [name, isTold] of Object.entries(state.erased ?? {})) {
    if (isTold || alarms.length === MAX_ALARMS) continue;
    const [kind, id] = name.split(' ') as [RecordKind, string];
    while (!(await isErasureLogged(reader, kind, Number(id), policy))) {
      if (Date.now() >= endsAt) {
        state.erased![name] = true;
        const what = `${kind === 'link' ? 'link' : 'patch'} ${id}`;
        alarms.push(
          alarm('erasure_not_logged', `The server hides the text of the ${what}: no entry says that it was erased.`),
        );
        break;
      }
      await pause(LOOK_AGAIN_MS, signal);
    }
  }
  return alarms;
}

/** Whether a record, or what is left of it, is the one that was logged. */
export function isRecordOf(entry: LogEntry, record: FeedLink | FeedPatch): boolean {
  return (isErased(record) ? isEntryBefore : isEntryOf)(entry, itemOf(record));
}

/** Whether the log proves that it has the erasure which the feed shows; its entry is behind what was read. */
async function isErasureLogged(reader: LogReader, kind: RecordKind, id: number, policy: Policy): Promise<boolean> {
  const record = await reader.record(kind, id);
  return record !== null && isErased(record) && isTombstoneLogged(reader, kind, record, policy);
}

async function isTombstoneLogged(
  reader: LogReader,
  kind: RecordKind,
  record: FeedLink | FeedPatch,
  policy: Policy,
): Promise<boolean> {
  const proof = await reader.proof({ kind: `erased_${kind}`, id: record.id }).catch(nullForSignetError);
  return proof !== null && verifyLogProof(proof, { ...itemOf(record), policy: { ...policy, quorum: null } }).ok;
}

/** Whether the entry of the record itself holds the hash that the tombstone names. */
async function isOfLogged(
  reader: LogReader,
  kind: RecordKind,
  id: number,
  record: FeedLink | FeedPatch,
  policy: Policy,
): Promise<boolean> {
  const proof = await reader.proof({ kind, id }).catch(nullForSignetError);
  if (proof === null) return false;
  const { ok, entry } = verifyLogProof(proof, { policy: { ...policy, quorum: null } });
  return ok && entry !== null && isEntryBefore(entry, itemOf(record));
}

/** Whether nothing but what belongs there stands in place of the text. */
function isProper(record: FeedLink | FeedPatch): boolean {
  const item = itemOf(record);
  return ('link' in item ? verifyLink(item.link) : verifyPatch(item.patch)).ok;
}

function nullForSignetError(error: unknown): null {
  if (error instanceof SignetError) return null;
  throw error;
}
