/** Erasures of texts: what the log says of them, held against what the feeds show. */
import { isErased } from '@signet/verify';
import { isEntryBefore, isEntryOf, wordOf } from '@signet/verify/internal/log';
import { type LogEntry, type Policy, verifyLogProof } from '@signet/verify/log';
import { SignetError } from '../../errors.js';
import { pause } from '../../transport.js';
import type { LogReader } from '../log-reader.js';
import { type AnyRecord, type FollowedKind, kindNamed, named } from '../record-kinds.js';
import { type Alarm, alarm, type MonitorState } from './monitor-events.js';

const LOOK_AGAIN_MS = 250;
/** Erased records without an entry of which there is an alarm at one look; the first says that the log is behind. */
const MAX_ALARMS = 100;

/**
 * What is wrong with an entry that says that a record was erased: the feed has to show exactly what the entry is about,
 * and that has to name the hash, the action and the key of the identity which the log had of the record before. Caches
 * may show the text for a moment.
 */
export async function problemOfErasure(
  reader: LogReader,
  kind: FollowedKind,
  entry: LogEntry,
  { policy, patienceMs }: { policy: Policy; patienceMs: number },
): Promise<{ problem: string | null; record: AnyRecord | null }> {
  for (const endsAt = Date.now() + patienceMs; ;) {
    const record = await reader.record(kind, entry.id);
    const isLast = Date.now() >= endsAt;
    if (!record) return { problem: null, record };
    if (!isErased(record)) {
      if (isLast) return { problem: 'The log says that the text was erased, and the server shows it.', record };
    } else if (!isEntryOf(entry, named(kind, record)) || !kind.verify(record).ok) {
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
  kinds: readonly FollowedKind[],
  state: MonitorState,
  { policy, patienceMs, signal }: { policy: Policy; patienceMs: number; signal?: AbortSignal | undefined },
): Promise<Alarm[]> {
  const alarms: Alarm[] = [];
  const endsAt = Date.now() + patienceMs;
  for (const [name, isTold] of Object.entries(state.erased ?? {})) {
    if (isTold || alarms.length === MAX_ALARMS) continue;
    const [word, id] = name.split(' ') as [string, string];
    const kind = kindNamed(word, kinds);
    if (!kind) continue;
    while (!(await isErasureLogged(reader, kind, Number(id), policy))) {
      if (Date.now() >= endsAt) {
        state.erased![name] = true;
        const message = `The server hides the text of the ${wordOf(kind.entry)} ${id}: no entry says that it was erased.`;
        alarms.push(alarm('erasure_not_logged', message));
        break;
      }
      await pause(LOOK_AGAIN_MS, signal);
    }
  }
  return alarms;
}

/** Whether a record, or what is left of it, is the one that was logged. */
export function isRecordOf(entry: LogEntry, kind: FollowedKind, record: AnyRecord): boolean {
  return (isErased(record) ? isEntryBefore : isEntryOf)(entry, named(kind, record));
}

/** Whether the log proves that it has the erasure which the feed shows; its entry is behind what was read. */
async function isErasureLogged(reader: LogReader, kind: FollowedKind, id: number, policy: Policy): Promise<boolean> {
  const record = await reader.record(kind, id);
  return record !== null && isErased(record) && isTombstoneLogged(reader, kind, record, policy);
}

async function isTombstoneLogged(
  reader: LogReader,
  kind: FollowedKind,
  record: AnyRecord,
  policy: Policy,
): Promise<boolean> {
  const proof = await reader.proof({ kind: `erased_${kind.entry.name}`, id: record.id }).catch(nullForSignetError);
  return proof !== null && verifyLogProof(proof, { ...named(kind, record), policy: { ...policy, quorum: null } }).ok;
}

/** Whether the entry of the record itself holds the hash that the tombstone names. */
async function isOfLogged(
  reader: LogReader,
  kind: FollowedKind,
  id: number,
  record: AnyRecord,
  policy: Policy,
): Promise<boolean> {
  const proof = await reader.proof({ kind: kind.entry.name, id }).catch(nullForSignetError);
  if (proof === null) return false;
  const context = { ...named(kind, record), about: 'record' as const, policy: { ...policy, quorum: null } };
  return verifyLogProof(proof, context).ok;
}

function nullForSignetError(error: unknown): null {
  if (error instanceof SignetError) return null;
  throw error;
}
