/** Compares the ends of the feeds with the end of the log: what is shown has to come into the log. */
import { wordOf } from '@signet/verify/internal/log';
import { type Policy, verifyReceipt } from '@signet/verify/log';
import { SignetError } from '../../errors.js';
import { pause } from '../../transport.js';
import type { LogReader } from '../log-reader.js';
import { type AnyRecord, type FollowedKind, named } from '../record-kinds.js';
import { type Alarm, alarm, type MonitorState } from './monitor-events.js';

/** What is known when the feeds are compared. */
export interface FeedContext {
  policy: Policy;
  /** For how long a record may wait, seconds. */
  limitSeconds: number;
  /** For how long a record that is seen for the first time, and waits for longer, is awaited, milliseconds. */
  patienceMs: number;
  signal?: AbortSignal | undefined;
}

const LOOK_AGAIN_MS = 250;
/** The least that a server answers a page of. */
const RECORDS = 10;

/**
 * Alarms of records that the feeds show behind `state`, which holds all of the log, and that wait for too
 * long. One for the first of each feed: the log takes them in in their order. Keeps in `state` what waits.
 * @throws SignetError if the server cannot be asked
 */
export async function problemsOfFeeds(
  reader: LogReader,
  kinds: readonly FollowedKind[],
  state: MonitorState,
  context: FeedContext,
): Promise<Alarm[]> {
  const first = async (kind: FollowedKind) => {
    return { kind, record: (await reader.records(kind, state[`last${kind.part}Id`] ?? 0, RECORDS))[0] };
  };
  const waiting: NonNullable<MonitorState['waiting']> = {};
  const alarms: Alarm[] = [];
  for (const { kind, record } of await Promise.all(kinds.map(first))) {
    if (!record) continue;
    const { name } = kind.entry;
    const known = state.waiting?.[name];
    const isNew = known?.uuid !== record.uuid;
    const receipt = isNew ? await receiptOf(reader, kind, record, context.policy) : null;
    const now = Date.now() / 1000;
    const one = isNew ? { uuid: record.uuid, since: Math.min(now, receipt?.time ?? now), isTold: false } : known;
    const isLate = now - one.since > context.limitSeconds && !one.isTold;
    if (isLate && (isNew ? !(await isLogged(reader, record.uuid, context)) : true)) {
      one.isTold = true;
      const what = `${wordOf(kind.entry)} ${record.id} (${record.uuid})`;
      const since = new Date(one.since * 1000).toISOString();
      const message = `The server shows the ${what} since ${since} or earlier, and the log does not have it.`;
      alarms.push(alarm('not_logged', message, receipt ? { receipt: receipt.text } : {}));
    }
    waiting[name] = one;
  }
  state.waiting = waiting;
  return alarms;
}

/** When the server signed that the record was recorded; null where it says nothing, and while its log catches up. */
async function receiptOf(
  reader: LogReader,
  kind: FollowedKind,
  record: AnyRecord,
  policy: Policy,
): Promise<{ text: string; time: number } | null> {
  try {
    if ((await reader.info()).state === 'catching_up') return null;
    const text = await reader.receipt(record.uuid);
    const { ok, receipt } = verifyReceipt(text, { ...named(kind, record), policy });
    return ok && receipt ? { text, time: receipt.time } : null;
  } catch (error) {
    if (error instanceof SignetError) return null;
    throw error;
  }
}

/** Whether a record that was seen for the first time comes into the log now. */
async function isLogged(reader: LogReader, uuid: string, { patienceMs, signal }: FeedContext): Promise<boolean> {
  for (const endsAt = Date.now() + patienceMs; ;) {
    try {
      await reader.proof({ uuid });
      return true;
    } catch (error) {
      if (!(error instanceof SignetError)) throw error;
      if (Date.now() >= endsAt) return false;
    }
    await pause(LOOK_AGAIN_MS, signal);
  }
}
