/**
 * A monitor: follows a log, recomputes its tree, fetches the content of every entry, checks every signature and order,
 * and tells what is watched. Holds one hash for each level of the tree and one signature for each Avatar.
 */
import { type SignedLink, type SignedPatch, type Verification, verifyLink, verifyPatch } from '@signet/verify';
import {
  type Checkpoint,
  decodeBase64,
  encodeBase64,
  encodeHex,
  equalBytes,
  isEntryOf,
  leafHash,
  type LogEntry,
  type Policy,
  readCheckpoint,
  readEntry,
  readPolicy,
  TILE_WIDTH,
  TreeFrontier,
} from '@signet/verify/log';
import type { FeedLink } from '../answers.js';
import { isNotLoggedYet } from '../errors.js';
import { pause, Transport } from '../transport.js';
import { type CosignedSize, problemOfTime } from './entry-times.js';
import { FeedAhead } from './feed-ahead.js';
import { type FeedPatch, LogReader } from './log-reader.js';
import {
  type Alarm,
  alarm,
  isAboutLog,
  type MonitorEvent,
  type MonitorOptions,
  type MonitorState,
  newMonitorState,
  rewritten,
} from './monitor-events.js';
import { problemOfStandstill } from './standstill.js';
import { type JudgedHead, judgeHead, policyOfKey, problemOfAge, readCosignedHead, relate } from './one-history.js';

const INTERVAL_MS = 5_000;
const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 500;
const WITNESS_SECONDS = 3600;
/** Entries of 40 bundles, some ten seconds of checking. */
const STEP = 40 * TILE_WIDTH;

/**
 * Follows one log. `state` may be stored after each event of type `checkpoint`, and after those of type `progress` that
 * say so.
 */
export class LogMonitor {
  readonly state: MonitorState;
  private readonly reader: LogReader;
  private readonly patienceMs: number;
  private readonly links: FeedAhead<FeedLink>;
  private readonly patches: FeedAhead<FeedPatch>;
  private policy: Policy | null;
  private hasToldOfWitnesses = false;
  private toldStandstill: string | null = null;
  /** What witnesses have signed, as the last look found it. */
  private cosigned: CosignedSize | undefined;

  constructor(private readonly options: MonitorOptions) {
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.state = structuredClone(options.state ?? newMonitorState());
    this.reader = new LogReader(new Transport(options), options.signal, this.patienceMs);
    this.links = new FeedAhead((after) => this.reader.links(after));
    this.patches = new FeedAhead((after) => this.reader.patches(after));
    this.policy = options.policy === undefined ? null : readPolicy(options.policy);
  }

  /**
   * What there is to tell, until it has caught up (`once`) or the signal is aborted. After an alarm about the log
   * itself (two histories) it ends: nothing that such a log says can be added to what was seen.
   * @throws SignetError if the server cannot be reached, or does not serve a log
   */
  async *follow(): AsyncGenerator<MonitorEvent, void> {
    const { once = false, intervalMs = INTERVAL_MS, signal } = this.options;
    for (;;) {
      for await (const event of this.look()) {
        if (event.type === 'alarm') this.state.alarms++;
        yield event;
        if (event.type === 'alarm' && isAboutLog(event.code)) return;
      }
      if (once) return;
      await pause(intervalMs, signal);
    }
  }

  private async *look(): AsyncGenerator<MonitorEvent, void> {
    const standstill = await problemOfStandstill(this.reader, this.patienceMs, this.options.signal);
    if (standstill !== null && this.toldStandstill === null) yield alarm('standstill', standstill);
    this.toldStandstill = standstill;
    const note = await this.readNote();
    if (note === null) return;
    const head = judgeHead(note, await this.trust());
    const problem = await this.judge(head);
    // That witnesses are missing is told once, until they are there again.
    if (problem && (problem.code !== 'witnesses' || !this.hasToldOfWitnesses)) yield problem;
    this.hasToldOfWitnesses = problem?.code === 'witnesses';
    if (head.state === 'malformed' || (problem && isAboutLog(problem.code))) return;
    const { origin, size, root } = head.checkpoint;
    const frontier = new TreeFrontier(
      this.state.size,
      this.state.frontier.map((hash) => decodeBase64(hash)!),
    );
    const notes = this.notes(note);
    const { stepEntries = STEP } = this.options;
    let findings: MonitorEvent[] = [];
    let nextStep = frontier.size + stepEntries;
    for await (const [index, bytes] of this.entries(frontier.size, size)) {
      frontier.add(leafHash(bytes));
      findings.push(...(await this.checkEntry(index, bytes)));
      const done = frontier.size;
      const isStep = done === nextStep && done < size;
      if (isStep) {
        // What was found counts only if it is in the log that signed the checkpoint.
        if (!(await this.reader.isContinued({ size: done, root: frontier.root() }, head.checkpoint))) {
          yield rewritten(size, notes);
          return;
        }
        yield* findings;
        findings = [];
        nextStep += stepEntries;
        this.keep(note, frontier);
      }
      if (isStep || done % TILE_WIDTH === 0 || done === size) yield { type: 'progress', done, size, canStore: isStep };
    }
    if (!equalBytes(frontier.root(), root)) {
      yield rewritten(size, notes);
      return;
    }
    yield* findings;
    this.keep(note, frontier);
    yield { type: 'checkpoint', origin, size, root: encodeHex(root), alarms: this.state.alarms };
  }

  /** All entries so far belong to the tree of the checkpoint. */
  private keep(note: string, { size, hashes }: TreeFrontier): void {
    Object.assign(this.state, { note, size, frontier: hashes.map(encodeBase64) });
    if (this.cosigned) this.state.cosigned = this.cosigned;
  }

  /** The newest checkpoint that is not smaller than the last; a smaller one after a while; null while there is none. */
  private async readNote(): Promise<string | null> {
    const least = readCheckpoint(this.state.note)?.size ?? 0;
    for (const endsAt = Date.now() + this.patienceMs; ;) {
      const note = await this.reader.checkpoint().catch((error: unknown) => {
        if (isNotLoggedYet(error)) return null;
        throw error;
      });
      const size = note === null ? 0 : (readCheckpoint(note)?.size ?? Infinity);
      if (size >= least || Date.now() >= endsAt) return note;
      await pause(LOOK_AGAIN_MS, this.options.signal);
    }
  }

  /** What is wrong with a checkpoint itself; null if nothing is. */
  private async judge(head: JudgedHead): Promise<Alarm | null> {
    if (head.state === 'malformed') return alarm('log_signature', 'It is not a checkpoint.');
    const { checkpoint } = head;
    const known = readCheckpoint(this.state.note);
    const notes = this.notes(head.note);
    if (known && known.origin !== checkpoint.origin) {
      return alarm('origin_changed', `The log was ${known.origin} and is ${checkpoint.origin} now.`, notes);
    }
    if (head.state === 'unsigned') {
      return alarm('log_signature', `No key that is accepted for ${checkpoint.origin} signed the checkpoint.`);
    }
    if (known && checkpoint.size < known.size) {
      return alarm('rollback', `The log had ${known.size} entries, and shows ${checkpoint.size} now.`, notes);
    }
    if (known && (await relate(known, checkpoint, this.reader)) !== 'one_history') {
      const message =
        checkpoint.size === known.size
          ? `The log has signed two trees of ${known.size} entries.`
          : `The log of ${checkpoint.size} entries does not continue that of ${known.size}.`;
      return alarm('fork', message, notes);
    }
    this.take(head);
    if (head.state === 'accepted' && this.problemOfAge(head.cosignedAt) === null) return null;
    return this.judgeCosigned(checkpoint, head.note);
  }

  /**
   * Witnesses sign less often than the log does, so the newest checkpoint may lack them, or have been signed long ago:
   * then there has to be one which enough of them signed lately, and which the newest continues.
   */
  private async judgeCosigned(newest: Checkpoint, newestNote: string): Promise<Alarm | null> {
    const head = await readCosignedHead(this.reader, await this.trust());
    if (head?.state !== 'accepted' || head.checkpoint.origin !== newest.origin) {
      return alarm('witnesses', 'Too few witnesses of the policy signed the checkpoint.');
    }
    const cosigned = head.checkpoint;
    if ((await relate(cosigned, newest, this.reader)) !== 'one_history') {
      const message = `The log shows ${newest.size} entries, and ${cosigned.size} to its witnesses, of another history.`;
      return alarm('fork', message, { remembered: head.note, shown: newestNote });
    }
    this.take(head);
    const problem = this.problemOfAge(head.cosignedAt);
    return problem === null ? null : alarm('witnesses', problem);
  }

  /** Remembers how much witnesses have signed, and when. */
  private take(head: JudgedHead): void {
    if (head.state !== 'accepted' || head.cosignedAt === null) return;
    this.cosigned = { size: head.checkpoint.size, at: head.cosignedAt };
  }

  private problemOfAge(cosignedAt: number | null): string | null {
    return problemOfAge(cosignedAt, this.options.witnessSeconds ?? WITNESS_SECONDS, Date.now() / 1000);
  }

  private notes(shown: string): { remembered: string; shown: string } {
    return { remembered: this.state.note, shown };
  }

  private async trust(): Promise<Policy> {
    if (this.policy) return this.policy;
    const { logKey } = this.options;
    this.state.verifierKey ||= logKey ?? (await this.reader.info()).verifier_key;
    this.policy = policyOfKey(logKey ?? this.state.verifierKey);
    return this.policy;
  }

  /** Entries from `start` up to, but without, `end`, with their indices. */
  private async *entries(start: number, end: number): AsyncGenerator<[index: number, bytes: Uint8Array], void> {
    for (let index = start; index < end;) {
      const number = Math.floor(index / TILE_WIDTH);
      const first = number * TILE_WIDTH;
      const bundle = await this.reader.entries(number, Math.min(TILE_WIDTH, end - first));
      for (const bytes of bundle.slice(index - first)) yield [index++, bytes];
    }
  }

  private async checkEntry(index: number, bytes: Uint8Array): Promise<MonitorEvent[]> {
    const entry = readEntry(bytes);
    if (!entry) return [alarm('malformed_entry', `Entry ${index} is not an entry of this service.`, { index })];
    if (entry.kind === 'link') return this.checkRecord(index, entry, this.links, 'lastLinkId');
    if (entry.kind === 'kv') return this.checkRecord(index, entry, this.patches, 'lastPatchId');
    return [];
  }

  private async checkRecord(
    index: number,
    entry: LogEntry,
    feed: FeedAhead<FeedLink> | FeedAhead<FeedPatch>,
    counter: 'lastLinkId' | 'lastPatchId',
  ): Promise<MonitorEvent[]> {
    const found: MonitorEvent[] = [];
    const about = { index, entry };
    const expected = this.state[counter] + 1;
    if (entry.id !== expected) {
      found.push(alarm('order', `Entry ${index} is number ${entry.id} of its feed, and ${expected} is due.`, about));
    }
    this.state[counter] = Math.max(this.state[counter], entry.id);
    const untrue = this.problemOfTime(index, entry);
    if (untrue !== null) found.push(alarm('time', untrue, about));
    const record = await feed.take(entry.id);
    const what = `${entry.kind === 'link' ? 'link' : 'patch'} ${entry.id} (entry ${index})`;
    if (!record) return [...found, alarm('content_missing', `The server does not show the ${what}.`, about)];
    const item = entry.kind === 'link' ? { link: record as SignedLink } : { patch: record as SignedPatch };
    if (!isEntryOf(entry, item)) {
      found.push(alarm('content_changed', `What the server shows as the ${what} is not what was logged.`, about));
    }
    const failure = this.checkChain(entry, record).steps.find(({ state }) => state === 'failed');
    if (failure) found.push(alarm('signature', `The ${what} does not verify: ${failure.detail}`, about));
    if (this.isWatched(record)) found.push({ type: 'watched', ...about, record });
    return found;
  }

  private problemOfTime(index: number, entry: LogEntry): string | null {
    const member = entry.kind === 'link' ? 'lastLinkAt' : 'lastPatchAt';
    const { [member]: previous, cosigned: before } = this.state;
    this.state[member] = entry.recorded_at;
    return problemOfTime(index, entry, { previous, before, now: this.cosigned, clock: Date.now() / 1000 });
  }

  /** The record by itself, and as what follows the last one of its Avatar. */
  private checkChain({ kind, avatar }: LogEntry, record: FeedLink | FeedPatch): Verification {
    const chain = (this.state.chains[avatar] ??= {});
    const member = kind === 'link' ? 'link' : 'patch';
    const last = chain[member];
    const context = { avatar, previous: last === undefined ? null : { signature: last } };
    chain[member] = record.signature;
    return kind === 'link' ? verifyLink(record as SignedLink, context) : verifyPatch(record as SignedPatch, context);
  }

  private isWatched({ avatar, platform, identity }: FeedLink | FeedPatch): boolean {
    const { avatars = [], identities = [] } = this.options;
    const name = identity.toLowerCase();
    return (
      avatars.some((watched) => watched.toLowerCase() === avatar) ||
      identities.some((watched) => [name, `${platform}:${name}`].includes(watched.toLowerCase()))
    );
  }
}
