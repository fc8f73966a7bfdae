import {
  type Checkpoint,
  logOnlyPolicy,
  type Policy,
  readCheckpoint,
  readLogKey,
  readPolicy,
} from '@signet/verify/log';
import { quoted, refuse } from '../checks.js';
import { LogForkError, WrongUsageError } from '../errors.js';
import { type HeadStore, MemoryHeadStore, type StoredHead } from './head-store.js';
import type { LogOptions } from './log-options.js';
import type { LogReader } from './log-reader.js';
import { relate } from './one-history.js';

/** Others may store heads meanwhile; each time what they stored is merged first. */
const MAX_ATTEMPTS = 10;

/**
 * What a client knows of the log of its server: whose keys are trusted, and the newest head that was seen, which a head
 * of a second history does not replace.
 */
export class KnownLog {
  private readonly heads: HeadStore;
  /** The last two notes of different sizes that were shown to be one history. */
  private comparedNotes = '';

  constructor(
    private readonly baseUrl: string,
    private readonly options: LogOptions,
  ) {
    this.heads = options.heads ?? new MemoryHeadStore();
  }

  /** The newest head that was seen; null before the first. */
  async head(): Promise<Checkpoint | null> {
    return readCheckpoint((await this.heads.get(this.baseUrl))?.note ?? '');
  }

  /** The policy, and the key to remember with a head. */
  async trust(reader: LogReader): Promise<{ policy: Policy; verifierKey: string }> {
    const { policy, logKey } = this.options;
    if (policy !== undefined) return { policy: ofServer(readPolicy(policy), this.baseUrl), verifierKey: '' };
    const stored = await this.heads.get(this.baseUrl);
    const verifierKey = logKey ?? (stored?.verifierKey || (await reader.info()).verifier_key);
    const key = readLogKey(verifierKey);
    if (!key) {
      const what = verifierKey ? `${quoted(verifierKey)} is not a verifier key of a log.` : 'The server names none.';
      refuse('The key of the log', what);
    }
    return { policy: logOnlyPolicy(key), verifierKey };
  }

  /** Remembers the larger of two heads, once it is shown that it continues the other. */
  async merge(shown: Checkpoint, note: string, verifierKey: string, reader: LogReader): Promise<void> {
    const key = this.baseUrl;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const stored = await this.heads.get(key);
      if (stored && this.comparedNotes !== stored.note + note) {
        await assertOneHistory(stored, shown, note, reader);
        this.comparedNotes = stored.note + note;
      }
      const known = stored && readCheckpoint(stored.note);
      if (known && known.origin === shown.origin && known.size >= shown.size) return;
      if (await this.heads.replace(key, stored, { note, verifierKey: verifierKey || (stored?.verifierKey ?? '') })) {
        return;
      }
    }
    refuse('The log', 'Its head could not be remembered: others store heads all the time.');
  }
}

/**
 * A policy without the logs of other servers: what they say of a record is no answer about this server.
 * @throws WrongUsageError where there are several logs, and no URL says which one is that of this server
 */
function ofServer(policy: Policy, baseUrl: string): Policy {
  if (new Set(policy.logs.map(({ key }) => key.name)).size <= 1) return policy;
  const address = `${baseUrl}/log`;
  const logs = policy.logs.filter(({ url }) => url !== null && url.replace(/\/+$/, '') === address);
  if (new Set(logs.map(({ key }) => key.name)).size === 1) return { ...policy, logs };
  throw new WrongUsageError(`The policy has several logs: write ${address} behind the key of the one that is meant.`);
}

/** @throws LogForkError */
async function assertOneHistory(stored: StoredHead, shown: Checkpoint, note: string, reader: LogReader): Promise<void> {
  const known = readCheckpoint(stored.note);
  if (!known) refuse('What was remembered of the log', 'It is not a checkpoint.');
  const fork = (message: string) => new LogForkError(message, stored.note, note);
  const relation = await relate(known, shown, reader);
  if (relation === 'one_history') return;
  if (relation === 'other_log') {
    throw fork(`The log was ${JSON.stringify(known.origin)} and is ${JSON.stringify(shown.origin)} now.`);
  }
  const name = JSON.stringify(shown.origin);
  throw fork(
    shown.size < known.size
      ? `The log ${name} had ${known.size} entries, and shows ${shown.size} now, which it does not prove to be their beginning.`
      : `The log ${name} has signed two histories: ${known.size} entries, and ${shown.size} that do not continue them.`,
  );
}
