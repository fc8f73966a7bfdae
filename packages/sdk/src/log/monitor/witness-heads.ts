/**
 * Reads the checkpoints that the witnesses of a policy show to anybody, and compares them with what a log shows to this
 * reader. Each witness signs one history; only a comparison of what all of them signed finds a log that shows each of
 * them another one, or that shows old heads to some of its readers.
 */
import { equalBytes } from '@signet/verify/internal';
import { originHash } from '@signet/verify/internal/log';
import { type Checkpoint, cosignatureTime, type Policy, type PolicyWitness, readCheckpoint } from '@signet/verify/log';
import { NotFoundError, SignetError } from '../../errors.js';
import { Transport } from '../../transport.js';
import type { LogReader } from '../log-reader.js';
import {
  type Alarm,
  alarm,
  type MissedHead,
  type MonitorEvent,
  type MonitorOptions,
  type MonitorState,
} from './monitor-events.js';
import { judgeHead, relate } from '../one-history.js';

const INTERVAL_MS = 60_000;
const TIMEOUT_MS = 10_000;
const MAX_NOTE_BYTES = 64 * 1024;
/** For so long a log may show a smaller head than a witness: copies of it may be old. */
const MISSED_SECONDS = 300;

/** A signed head of the log. */
interface Head {
  note: string;
  checkpoint: Checkpoint;
}

/** A head that a witness shows, signed by the log. */
type WitnessedHead = MissedHead & Head;

/** What is wrong with a witness, or with what it shows. */
interface WitnessProblem {
  witness: string;
  problem: string;
}

/**
 * Decides about a fork that tiles do not refute, since tiles may be wrong or missing: returns the alarm, or null where
 * the entries that are read next decide.
 */
type JudgeFork = (older: Checkpoint, fork: Alarm) => Alarm | null;

/** Asks all witnesses that have a URL, at most once in `witnessIntervalMs`. */
export class WitnessHeads {
  private askedAt = -Infinity;
  /** The problem of each witness that was reported last. */
  private readonly reported = new Map<string, string | null>();
  /** The event that reported that the log does not show what a witness signed; null while it shows all. */
  private reportedMissed: MonitorEvent['type'] | null = null;

  /** @param state where `missed` is kept @param reader reads the log */
  constructor(
    private readonly state: Pick<MonitorState, 'missed'>,
    private readonly options: MonitorOptions,
    private readonly reader: LogReader,
  ) {}

  /**
   * Compares what the witnesses show with `newest`, the newest head that the log shows.
   * @throws SignetError if the log cannot be asked, or the reason of the signal
   */
  async *compare(newest: Head, policy: Policy, judgeFork: JudgeFork): AsyncGenerator<MonitorEvent, void> {
    if (Date.now() - this.askedAt < (this.options.witnessIntervalMs ?? INTERVAL_MS)) return;
    this.askedAt = Date.now();
    const { origin } = newest.checkpoint;
    const { missed } = this.state;
    const known = missed && readCheckpoint(missed.note);
    const heads: WitnessedHead[] = known?.origin === origin ? [{ ...missed!, checkpoint: known }] : [];
    const answers = await Promise.all(policy.witnesses.map((witness) => this.ask(witness, origin, policy)));
    for (const answer of answers) {
      const problem = 'problem' in answer ? answer.problem : null;
      if ('checkpoint' in answer) heads.push(answer);
      if (problem !== null && this.reported.get(answer.witness) !== problem)
        yield witnessEvent(answer.witness, problem);
      this.reported.set(answer.witness, problem);
    }
    const shown = await this.shownNow(newest, heads, policy);
    yield* this.forksOf(newest, shown, heads, judgeFork);
    const ahead = heads.filter(({ checkpoint }) => checkpoint.size > shown.checkpoint.size);
    yield* this.missing(shown, ahead);
  }

  /** What a witness shows, or why that is of no use. */
  private async ask(
    { name, key, url }: PolicyWitness,
    origin: string,
    policy: Policy,
  ): Promise<WitnessedHead | WitnessProblem> {
    const failed = (problem: string) => ({ witness: name, problem });
    if (url === null) return failed('The policy has no URL of it, so what it signed is not compared.');
    try {
      const head = judgeHead(await this.read(url, origin), policy);
      if (head.state === 'malformed') return failed('What it shows is not a checkpoint.');
      const { note, checkpoint } = head;
      if (checkpoint.origin !== origin) return failed(`It shows a checkpoint of another log, ${checkpoint.origin}.`);
      if (head.state === 'unsigned') return failed('The log has not signed the checkpoint that it shows.');
      const now = Date.now() / 1000;
      return { witness: name, note, checkpoint, since: Math.min(cosignatureTime(checkpoint.note, key) ?? now, now) };
    } catch (error) {
      if (error instanceof NotFoundError) return failed('It shows no checkpoint of this log.');
      if (error instanceof SignetError) return failed(`It cannot be asked: ${error.message}`);
      throw error;
    }
  }

  private async read(baseUrl: string, origin: string): Promise<string> {
    const timeoutMs = Math.min(this.options.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS);
    const transport = new Transport({ ...this.options, baseUrl, timeoutMs, totalTimeoutMs: TIMEOUT_MS });
    const path = `/${originHash(origin)}/checkpoint`;
    const { signal } = this.options;
    return new TextDecoder().decode(await transport.bytes({ path, maxBytes: MAX_NOTE_BYTES, signal }));
  }

  /** The newest head of the log, which is read again where a witness has a larger one. */
  private async shownNow(newest: Head, heads: WitnessedHead[], policy: Policy): Promise<Head> {
    const largest = Math.max(0, ...heads.map(({ checkpoint }) => checkpoint.size));
    if (largest <= newest.checkpoint.size) return newest;
    const head = judgeHead(await this.reader.checkpoint(largest), policy);
    const isNewer =
      head.state !== 'malformed' &&
      head.state !== 'unsigned' &&
      head.checkpoint.origin === newest.checkpoint.origin &&
      head.checkpoint.size > newest.checkpoint.size;
    return isNewer ? head : newest;
  }

  private async *forksOf(
    newest: Head,
    shown: Head,
    heads: WitnessedHead[],
    judgeFork: JudgeFork,
  ): AsyncGenerator<Alarm, void> {
    const { size } = shown.checkpoint;
    if ((await relate(newest.checkpoint, shown.checkpoint, this.reader)) !== 'one_history') {
      const message = `The log of ${size} entries does not continue that of ${newest.checkpoint.size}.`;
      yield alarm('fork', message, { remembered: newest.note, shown: shown.note });
    }
    for (const { witness, note, checkpoint } of heads) {
      const other = heads.find((head) => isOtherTree(head.checkpoint, checkpoint));
      if (checkpoint.size <= size) {
        if ((await relate(checkpoint, shown.checkpoint, this.reader)) === 'one_history') continue;
        const message = `The log shows ${size} entries, and ${checkpoint.size} to the witness ${witness}, of another history.`;
        const fork = judgeFork(checkpoint, alarm('fork', message, { remembered: shown.note, shown: note }));
        if (fork) yield fork;
      } else if (other) {
        const message = `The log has signed two trees of ${checkpoint.size} entries, which ${witness} and ${other.witness} show.`;
        yield alarm('fork', message, { remembered: note, shown: other.note });
      }
    }
  }

  /** Reports a head that the log does not show, and keeps the one that is missed for the longest time. */
  private *missing(shown: Head, ahead: WitnessedHead[]): Generator<MonitorEvent, void> {
    const [oldest] = ahead.sort((one, other) => one.since - other.since);
    if (!oldest) {
      delete this.state.missed;
      this.reportedMissed = null;
      return;
    }
    const { witness, note, since, checkpoint } = oldest;
    this.state.missed = { witness, note, since };
    const { size } = shown.checkpoint;
    const age = Date.now() / 1000 - since;
    const late = `The witness ${witness} signed ${checkpoint.size} entries of the log ${Math.floor(age / 60)} minutes ago, and the log still shows ${size}.`;
    const event =
      age > MISSED_SECONDS
        ? alarm('withheld', late, { remembered: note, shown: shown.note })
        : witnessEvent(witness, `It has signed ${checkpoint.size} entries of the log, which shows ${size}.`);
    if (event.type !== this.reportedMissed) yield event;
    this.reportedMissed = event.type;
  }
}

function witnessEvent(witness: string, message: string): MonitorEvent {
  return { type: 'witness', witness, message };
}

function isOtherTree(one: Checkpoint, other: Checkpoint): boolean {
  return one.size === other.size && !equalBytes(one.root, other.root);
}
