/** Answers held against the log of their server, for clients with `verify: 'log'`. */
import { isErased, type Verification } from '@signet/verify';
import {
  type Checkpoint,
  logOnlyPolicy,
  namedIn,
  type RecordContext,
  type MapQuestion,
  type MapVerification,
  type Policy,
  readCheckpoint,
  readPolicy,
  readLogKey,
  verifyLogProof,
  verifyMapAnswer,
} from '@signet/verify/log';
import { demand, orderChecker, refuse } from '../checks.js';
import { isNotLoggedYet, LogForkError } from '../errors.js';
import { pause, type Transport } from '../transport.js';
import { type HeadStore, MemoryHeadStore, type StoredHead } from './head-store.js';
import { LogReader } from './log-reader.js';
import type { ReceiptStore } from './receipt-store.js';
import { type JudgedHead, judgeHead, problemOfAge, readCosignedHead, relate } from './one-history.js';

/** Which keys a client trusts about a log, and where it remembers what it saw. */
export interface LogOptions {
  /**
   * The verifier key of the log, `<origin>+<id>+<Base64>`. Without it and without a policy, the key that the server
   * reports first is remembered, and no other is trusted afterwards.
   */
  logKey?: string | undefined;
  /** The text of a policy (C2SP tlog-policy): keys of logs, and the witnesses that have to sign. */
  policy?: string | undefined;
  /**
   * How long ago the witnesses of the policy may have signed the checkpoint that answers are proved by, seconds; 86,400
   * (a day) when absent. An older one is refused: a server could show one reader an old state for ever. `Infinity` asks
   * for no age. Without a policy that asks for witnesses no signed time is known, and nothing is refused for its age.
   */
  witnessSeconds?: number | undefined;
  /** Where heads are remembered; in memory when absent. */
  heads?: HeadStore | undefined;
  /** Where receipts of writes are kept for `checkReceipts`; they are not kept when absent. */
  receipts?: ReceiptStore | undefined;
  /** Whether a write without a receipt is a `VerificationError`, which says that it was recorded; not when absent. */
  demandReceipt?: boolean | undefined;
  /** For how long a record that is not in the log yet is waited for, milliseconds; 10,000 when absent. */
  logWaitMs?: number | undefined;
}

/** What the map says, proved under a tree head that continues what was seen of the log before. */
export interface CheckedMap extends Pick<MapVerification, 'value' | 'holders' | 'holder'> {
  origin: string;
  /** How many entries the statement is about. What is newer is not in it. */
  size: number;
  /** UNIX seconds at which enough witnesses had signed; null without a policy that asks for witnesses. */
  cosignedAt: number | null;
}

/** Where a record that is proved stands in the log. */
export interface ProvenEntries {
  /** The entry that was made of the record itself. */
  own: number;
  /** The entry of its erasure, or the same as `own` where it was not erased. */
  newest: number;
}

const WAIT_MS = 10_000;
const WITNESS_SECONDS = 86_400;
const LOOK_MS = 500;
/** Others may store heads meanwhile; each time what they stored is merged first. */
const MAX_ATTEMPTS = 10;

/** Asks for proofs and remembers heads. One for each client. */
export class LogChecker {
  private readonly heads: HeadStore;
  private readonly waitMs: number;
  /** The last two notes of different sizes that were shown to be one history. */
  private comparedNotes = '';

  constructor(
    private readonly transport: Transport,
    private readonly options: LogOptions,
  ) {
    this.heads = options.heads ?? new MemoryHeadStore();
    this.waitMs = options.logWaitMs ?? WAIT_MS;
  }

  /**
   * Demands the proof that a record is in the log, and that the log continues what was seen of it before. Of one
   * whose text was erased that its erasure is in the log, too, and that it did what is left of it says: see `indexOf`.
   * A policy that asks for cosignatures is met by proofs that the witnesses have seen: a new record is waited for.
   * @returns the numbers of its entries, from 0
   * @throws VerificationError if there is no such proof; LogForkError with both notes if there are two histories;
   *   NotFoundError (`not_yet_logged`) or SignetError (`log_catching_up`) if it is not in the log in time;
   *   NoLogError where the server keeps no log
   */
  async prove(item: RecordContext, signal?: AbortSignal): Promise<ProvenEntries> {
    const reader = new LogReader(this.transport, signal, this.waitMs);
    const { uuid } = namedIn(item)!.item;
    const endsAt = Date.now() + this.waitMs;
    let file = await this.awaited(() => reader.proof({ uuid }), signal, endsAt);
    const { policy, verifierKey } = await this.trust(reader);
    const verify = () => verifyLogProof(file, { ...item, about: 'erasure', policy, now: Date.now() / 1000 });
    let result = verify();
    while (lacksWitnessesAlone(result) && Date.now() < endsAt) {
      await pause(Math.min(LOOK_MS, Math.max(0, endsAt - Date.now())), signal);
      file = await this.awaited(() => reader.proof({ uuid }), signal, endsAt);
      result = verify();
    }
    demand(result, `The proof of ${uuid}`);
    const note = checkpointOf(file);
    this.demandAge(judgeHead(note, policy), 'The checkpoint of the proof');
    await this.merge(result.checkpoint!, note, verifierKey, reader);
    const newest = result.index!;
    return { own: isErased(namedIn(item)!.item) ? await this.indexOf(item, signal) : newest, newest };
  }

  /**
   * Demands what the map has for a question, by a tree head that is not older than what was seen of the log before.
   * @throws as `prove`; NoMapError where the server keeps no map
   */
  async map(question: MapQuestion, signal?: AbortSignal): Promise<CheckedMap> {
    const reader = new LogReader(this.transport, signal, this.waitMs);
    const { policy, verifierKey } = await this.trust(reader);
    const seen = readCheckpoint((await this.heads.get(this.transport.baseUrl))?.note ?? '');
    const endsAt = Date.now() + this.waitMs;
    for (;;) {
      const answer = await this.awaited(() => reader.map(question), signal, endsAt);
      const result = verifyMapAnswer(answer, question, { policy, now: Date.now() / 1000 });
      const { checkpoint, entry, value, holders, holder } = result;
      const isOld = result.ok && seen?.origin === checkpoint!.origin && checkpoint!.size < seen.size;
      if (!lacksWitnessesAlone(result) && !isOld) {
        demand(result, 'What the server says of the map');
        const note = checkpointOf((answer as { log_proof: string }).log_proof);
        const head = judgeHead(note, policy);
        this.demandAge(head, 'The checkpoint of the map');
        await this.merge(checkpoint!, note, verifierKey, reader);
        const cosignedAt = head.state === 'malformed' ? null : head.cosignedAt;
        return { origin: checkpoint!.origin, size: entry!.size, value, holders, holder, cosignedAt };
      }
      if (Date.now() >= endsAt) {
        demand(result, 'What the server says of the map');
        const known = `the log had ${seen!.size} before`;
        refuse('What the server says of the map', `It is that of ${checkpoint!.size} entries, and ${known}.`);
      }
      await pause(Math.min(LOOK_MS, Math.max(0, endsAt - Date.now())), signal);
    }
  }

  /**
   * The number of the entry that was made of a record, from 0; of an erased one, of the one before its erasure,
   * which has to have the action and the key of the identity that are left.
   * @throws as `prove`
   */
  async indexOf(item: RecordContext, signal?: AbortSignal): Promise<number> {
    const reader = new LogReader(this.transport, signal, this.waitMs);
    const {
      kind,
      item: { uuid },
    } = namedIn(item)!;
    const endsAt = Date.now() + this.waitMs;
    const file = await this.awaited(() => reader.proof({ uuid, kind: kind.name }), signal, endsAt);
    const { policy, verifierKey } = await this.trust(reader);
    // Of the record itself the witnesses were asked before; those of an older head say no more.
    const context = { policy: { ...policy, quorum: null }, now: Date.now() / 1000 };
    const result = verifyLogProof(file, { ...item, about: 'record', ...context });
    demand(result, `The proof of ${uuid}`);
    await this.merge(result.checkpoint!, checkpointOf(file), verifierKey, reader);
    return result.index!;
  }

  /**
   * Demands that the entry of each erased record stands in the log where that stands in its chain: between those of its
   * neighbours, and before that of `place`, if it does in the chain.
   * @param items the chain of one Avatar, or a part of it, oldest first
   * @throws as `prove`
   */
  async demandOrder(items: RecordContext[], signal: AbortSignal | undefined, place = -1): Promise<void> {
    const isGone = (at: number) => isErased(items[at] && namedIn(items[at])?.item);
    const check = orderChecker();
    for (const [at, item] of items.entries()) {
      if (at !== place && ![at - 1, at, at + 1].some(isGone)) continue;
      check(namedIn(item)!.item.uuid, await this.indexOf(item, signal));
    }
  }

  /**
   * The newest checkpoint of the server, verified and merged with what was seen before. With a policy that asks for
   * cosignatures it is the newest that has them, with the time (UNIX seconds) at which they met it; null without.
   * @throws as `prove`
   */
  async checkpoint(signal?: AbortSignal): Promise<Checkpoint & { cosignedAt: number | null }> {
    const reader = new LogReader(this.transport, signal, this.waitMs);
    const { policy, verifierKey } = await this.trust(reader);
    const cosigned = policy.quorum === null ? null : await readCosignedHead(reader, policy);
    const endsAt = Date.now() + this.waitMs;
    const head = cosigned ?? judgeHead(await this.awaited(() => reader.checkpoint(), signal, endsAt), policy);
    if (head.state === 'malformed') refuse('The checkpoint', 'It is not a signed tree head.');
    const { checkpoint, note, state } = head;
    const name = JSON.stringify(checkpoint.origin);
    if (state === 'unsigned') refuse('The checkpoint', `No key that is accepted for ${name} signed it.`);
    if (state === 'lacks_witnesses') refuse('The checkpoint', 'Too few witnesses of the policy signed it.');
    this.demandAge(head, 'The checkpoint');
    await this.merge(checkpoint, note, verifierKey, reader);
    return { ...checkpoint, cosignedAt: head.cosignedAt };
  }

  /** @throws VerificationError */
  private demandAge(head: JudgedHead, what: string): void {
    const limit = this.options.witnessSeconds ?? WITNESS_SECONDS;
    const cosignedAt = head.state === 'malformed' ? null : head.cosignedAt;
    const problem = problemOfAge(cosignedAt, limit, Date.now() / 1000);
    if (problem !== null) refuse(what, problem);
  }

  /** The policy, and the key to remember with a head. */
  private async trust(reader: LogReader): Promise<{ policy: Policy; verifierKey: string }> {
    const { policy, logKey } = this.options;
    if (policy !== undefined) return { policy: ofServer(readPolicy(policy), this.transport.baseUrl), verifierKey: '' };
    const stored = await this.heads.get(this.transport.baseUrl);
    const verifierKey = logKey ?? (stored?.verifierKey || (await reader.info()).verifier_key);
    const key = readLogKey(verifierKey);
    if (!key) refuse('The key of the log', `${JSON.stringify(verifierKey)} is not a verifier key of a log.`);
    return { policy: logOnlyPolicy(key), verifierKey };
  }

  /** Remembers the larger of two heads, once it is shown that it continues the other. */
  private async merge(shown: Checkpoint, note: string, verifierKey: string, reader: LogReader): Promise<void> {
    const key = this.transport.baseUrl;
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

  /** @param endsAt until when what is not in the log yet is waited for, milliseconds of the clock */
  private async awaited<Answer>(
    read: () => Promise<Answer>,
    signal: AbortSignal | undefined,
    endsAt: number,
  ): Promise<Answer> {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (!isNotLoggedYet(error) || Date.now() >= endsAt) throw error;
        await pause(Math.min(LOOK_MS, Math.max(0, endsAt - Date.now())), signal);
      }
    }
  }
}

/**
 * A policy without the logs of other servers: what they say of a record is no answer about this server.
 * @throws TypeError where there are several logs, and no URL says which one is that of this server
 */
function ofServer(policy: Policy, baseUrl: string): Policy {
  if (new Set(policy.logs.map(({ key }) => key.name)).size <= 1) return policy;
  const address = `${baseUrl}/log`;
  const logs = policy.logs.filter(({ url }) => url !== null && url.replace(/\/+$/, '') === address);
  if (new Set(logs.map(({ key }) => key.name)).size === 1) return { ...policy, logs };
  throw new TypeError(`The policy has several logs: write ${address} behind the key of the one that is meant.`);
}

/** Nothing is wrong but that witnesses have not signed yet. */
function lacksWitnessesAlone({ steps }: Verification): boolean {
  const failed = steps.filter(({ state }) => state === 'failed');
  return failed.length === 1 && failed[0]!.name === 'witnesses';
}

/** The checkpoint of a proof file that was verified. */
function checkpointOf(file: string): string {
  return file.slice(file.indexOf('\n\n') + 2);
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
