/** Answers held against the log of their server, for clients with `verify: 'log'`. */
import { isErased, type Verification } from '@signet/verify';
import { namedIn, type RecordContext } from '@signet/verify/internal/log';
import {
  type Checkpoint,
  type MapQuestion,
  type MapVerification,
  verifyLogProof,
  verifyMapAnswer,
} from '@signet/verify/log';
import { demand, orderChecker, refuse } from '../checks.js';
import { isNotLoggedYet } from '../errors.js';
import { pause, type Transport } from '../transport.js';
import { KnownLog } from './known-log.js';
import type { LogOptions } from './log-options.js';
import { LogReader } from './log-reader.js';
import { type JudgedHead, judgeHead, problemOfAge, readCosignedHead } from './one-history.js';

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
  /** UNIX seconds: when the newest of them was recorded. */
  recordedAt: number;
}

const WAIT_MS = 10_000;
const WITNESS_SECONDS = 86_400;
const LOOK_MS = 500;

/** Asks for proofs, and holds what they lead to against what is known of the log. One for each client. */
export class LogChecker {
  private readonly waitMs: number;

  /** @param known what is known of the log; nothing when absent, but for what the options remember */
  constructor(
    private readonly transport: Transport,
    private readonly options: LogOptions,
    private readonly known = new KnownLog(transport.baseUrl, options),
  ) {
    this.waitMs = options.logWaitMs ?? WAIT_MS;
  }

  /** Asks by another transport, and knows what this one knows and finds. */
  over(transport: Transport): LogChecker {
    return new LogChecker(transport, this.options, this.known);
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
    const { policy, verifierKey } = await this.known.trust(reader);
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
    await this.known.merge(result.checkpoint!, note, verifierKey, reader);
    const newest = result.index!;
    const own = isErased(namedIn(item)!.item) ? await this.indexOf(item, signal) : newest;
    return { own, newest, recordedAt: result.entry!.recorded_at };
  }

  /**
   * Demands what the map has for a question, by a tree head that is not older than what was seen of the log before.
   * @throws as `prove`; NoMapError where the server keeps no map
   */
  async map(question: MapQuestion, signal?: AbortSignal): Promise<CheckedMap> {
    const reader = new LogReader(this.transport, signal, this.waitMs);
    const { policy, verifierKey } = await this.known.trust(reader);
    const seen = await this.known.head();
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
        await this.known.merge(checkpoint!, note, verifierKey, reader);
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
    const { policy, verifierKey } = await this.known.trust(reader);
    // Of the record itself the witnesses were asked before; those of an older head say no more.
    const context = { policy: { ...policy, quorum: null }, now: Date.now() / 1000 };
    const result = verifyLogProof(file, { ...item, about: 'record', ...context });
    demand(result, `The proof of ${uuid}`);
    await this.known.merge(result.checkpoint!, checkpointOf(file), verifierKey, reader);
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
    const { policy, verifierKey } = await this.known.trust(reader);
    const cosigned = policy.quorum === null ? null : await readCosignedHead(reader, policy);
    const endsAt = Date.now() + this.waitMs;
    const head = cosigned ?? judgeHead(await this.awaited(() => reader.checkpoint(), signal, endsAt), policy);
    if (head.state === 'malformed') refuse('The checkpoint', 'It is not a signed tree head.');
    const { checkpoint, note, state } = head;
    const name = JSON.stringify(checkpoint.origin);
    if (state === 'unsigned') refuse('The checkpoint', `No key that is accepted for ${name} signed it.`);
    if (state === 'lacks_witnesses') refuse('The checkpoint', 'Too few witnesses of the policy signed it.');
    this.demandAge(head, 'The checkpoint');
    await this.known.merge(checkpoint, note, verifierKey, reader);
    return { ...checkpoint, cosignedAt: head.cosignedAt };
  }

  /** @throws VerificationError */
  private demandAge(head: JudgedHead, what: string): void {
    const limit = this.options.witnessSeconds ?? WITNESS_SECONDS;
    const cosignedAt = head.state === 'malformed' ? null : head.cosignedAt;
    const problem = problemOfAge(cosignedAt, limit, Date.now() / 1000);
    if (problem !== null) refuse(what, problem);
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

/** Nothing is wrong but that witnesses have not signed yet. */
function lacksWitnessesAlone({ steps }: Verification): boolean {
  const failed = steps.filter(({ state }) => state === 'failed');
  return failed.length === 1 && failed[0]!.name === 'witnesses';
}

/** The checkpoint of a proof file that was verified. */
function checkpointOf(file: string): string {
  return file.slice(file.indexOf('\n\n') + 2);
}
