/**
 * A monitor: follows a log, recomputes its tree, fetches the content of every entry, checks every signature and order,
 * and reports what is watched. Holds one hash for each level of the tree, a signature for each Avatar, and the map:
 * some numbers for each Avatar, and the holders of each identity.
 */
import { equalBytes } from '@signet/verify/internal';
import { TILE_WIDTH, TreeFrontier } from '@signet/verify/internal/log';
import {
  type Checkpoint,
  decodeBase64,
  encodeBase64,
  encodeHex,
  leafHash,
  type Policy,
  readCheckpoint,
  readPolicy,
} from '@signet/verify/log';
import { isNotLoggedYet, SignetError } from '../../errors.js';
import { pause, Transport } from '../../transport.js';
import { Doubts } from './doubts.js';
import { EntryChecker } from './entry-checker.js';
import { problemsOfErasures } from './erasures.js';
import type { CosignedSize } from './entry-times.js';
import { LogReader } from '../log-reader.js';
import { FOLLOWED_KINDS, type FollowedKind } from '../record-kinds.js';
import {
  type Alarm,
  alarm,
  isAboutLog,
  type MonitorEvent,
  type MonitorOptions,
  type MonitorState,
  newMonitorState,
  readAgain,
  rewritten,
} from './monitor-events.js';
import { MapReplay } from './map-replay.js';
import { ServedTiles } from './served-tiles.js';
import { problemOfStandstill } from './standstill.js';
import { WitnessHeads } from './witness-heads.js';
import { problemsOfFeeds } from './unlogged.js';
import { type JudgedHead, judgeHead, policyOfKey, problemOfAge, readCosignedHead, relate } from '../one-history.js';

const INTERVAL_MS = 5_000;
const PATIENCE_MS = 10_000;
const WITNESS_SECONDS = 3600;
const LOGGED_SECONDS = 3600;
/** Entries of 40 bundles, some ten seconds of checking. */
const STEP = 40 * TILE_WIDTH;
/** Of what may be found while nothing shows that the entries are those of the log. */
const MAX_FINDINGS = 20_000;

/**
 * Follows one log. `state` may be stored after each event of type `checkpoint`, and after those of type `progress` that
 * say so.
 */
export class LogMonitor {
  readonly state: MonitorState;
  private readonly reader: LogReader;
  private readonly patienceMs: number;
  private readonly map: MapReplay;
  private readonly checker: EntryChecker;
  private readonly witnessHeads: WitnessHeads;
  private policy: Policy | null;
  private hasReportedWitnesses = false;
  private reportedStandstill: string | null = null;
  /** What witnesses have signed, as the last look found it. */
  private cosigned: CosignedSize | undefined;
  private readonly doubts: Doubts;
  /** What is told before all else. */
  private readonly first: MonitorEvent[];

  /** @param kinds the records that the log has entries of, and how their feeds show them */
  constructor(
    private readonly options: MonitorOptions,
    private readonly kinds: readonly FollowedKind[] = FOLLOWED_KINDS,
  ) {
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
    const again = options.state ? readAgain(options.state, kinds) : null;
    this.first = again ? [again.event] : [];
    this.state = structuredClone(again?.state ?? options.state ?? newMonitorState());
    this.reader = new LogReader(new Transport(options), options.signal, this.patienceMs);
    this.map = new MapReplay(this.state);
    this.doubts = new Doubts(this.state);
    this.checker = new EntryChecker(
      ...([this.state, options, this.reader, () => this.trust(), this.patienceMs, this.map, kinds] as const),
    );
    this.witnessHeads = new WitnessHeads(this.state, options, this.reader);
    this.policy = options.policy === undefined ? null : readPolicy(options.policy);
  }

  /**
   * The events of the log, until the monitor has caught up (`once`) or the signal is aborted. After an alarm about the
   * log itself (two histories) it ends: nothing that such a log says can be added to what was seen.
   * @throws SignetError if the server cannot be reached, or does not serve a log
   */
  async *follow(): AsyncGenerator<MonitorEvent, void> {
    const { once = false, intervalMs = INTERVAL_MS, signal } = this.options;
    yield* this.first.splice(0);
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
    if (standstill !== null && this.reportedStandstill === null) yield alarm('standstill', standstill);
    this.reportedStandstill = standstill;
    const note = await this.readNote();
    if (note === null) return;
    const head = judgeHead(note, await this.trust());
    const problem = await this.judge(head);
    // Missing witnesses are reported once, until they are there again.
    if (problem && (problem.code !== 'witnesses' || !this.hasReportedWitnesses)) yield problem;
    this.hasReportedWitnesses = problem?.code === 'witnesses';
    if (head.state === 'malformed' || (problem && isAboutLog(problem.code))) return;
    const doubted = (older: Checkpoint, fork: Alarm) => this.doubts.add(older, head.checkpoint, fork);
    const policy = await this.trust();
    yield* this.witnessHeads.compare(head, policy, doubted);
    this.map.begin();
    const { origin, size, root } = head.checkpoint;
    const frontier = new TreeFrontier(
      this.state.size,
      this.state.frontier.map((hash) => decodeBase64(hash)!),
    );
    try {
      if (!(yield* this.read(head.checkpoint, note, frontier))) return;
    } catch (error) {
      // Entries that cannot be had settle no doubt.
      const [doubt] = this.doubts.alarms;
      if (!doubt || !(error instanceof SignetError) || error.retryable) throw error;
      yield doubt;
      return;
    }
    const limitSeconds = this.options.loggedSeconds ?? LOGGED_SECONDS;
    const context = {
      policy,
      limitSeconds,
      patienceMs: this.patienceMs,
      signal: this.options.signal,
    };
    yield* await problemsOfFeeds(this.reader, this.kinds, this.state, context);
    yield* await problemsOfErasures(this.reader, this.kinds, this.state, context);
    yield { type: 'checkpoint', origin, size, root: encodeHex(root), alarms: this.state.alarms };
  }

  /**
   * Reads the entries up to a checkpoint. What was found in them counts only if they lead to its root, which the tiles
   * show at each step, or else the root itself at the end: then it is the tiles that are wrong.
   * @returns whether they lead to it
   */
  private async *read(newest: Checkpoint, note: string, frontier: TreeFrontier): AsyncGenerator<MonitorEvent, boolean> {
    const { stepEntries = STEP } = this.options;
    const { size } = newest;
    const notes = this.notes(note);
    const isUnfinished = frontier.size < (readCheckpoint(this.state.note)?.size ?? 0);
    const tiles = new ServedTiles(this.reader, frontier, this.state.reportedTiles, isUnfinished);
    let findings: MonitorEvent[] = [];
    let nextStep = frontier.size + stepEntries;
    let isShown = this.doubts.alarms.length === 0;
    const hasRead = frontier.size < size;
    for await (const [index, bytes] of this.reader.entriesBetween(frontier.size, size)) {
      const hash = leafHash(bytes);
      this.doubts.settle(frontier);
      frontier.add(hash);
      tiles.add(hash);
      findings.push(...(await this.checker.check(index, bytes, this.cosigned)));
      const done = frontier.size;
      const isStep = done === nextStep && done < size;
      if (isStep) {
        nextStep += stepEntries;
        findings.push(...(await tiles.compareFull()));
        isShown &&= await this.reader.isContinued({ size: done, root: frontier.root() }, newest);
        if (isShown) {
          yield* findings;
          findings = [];
          this.keep(note, frontier, tiles);
        } else if (findings.length > MAX_FINDINGS) {
          const message = `The server does not show that the first ${done} entries belong to the checkpoint of ${size}.`;
          yield alarm('history_rewritten', message, notes);
          return false;
        }
      }
      if (isStep || done % TILE_WIDTH === 0 || done === size) {
        yield { type: 'progress', done, size, canStore: isStep && isShown };
      }
    }
    this.doubts.settle(frontier);
    const unmet = this.doubts.unmet();
    if (unmet || !equalBytes(frontier.root(), newest.root)) {
      yield unmet ?? this.doubts.alarms[0] ?? rewritten(size, notes);
      return false;
    }
    yield* findings;
    const problem = hasRead ? this.map.problemOfEnd(size) : null;
    if (problem) yield problem;
    yield* await tiles.compare({ all: !isShown });
    this.keep(note, frontier, tiles);
    return true;
  }

  /** All entries so far belong to the tree of the checkpoint. */
  private keep(note: string, { size, hashes }: TreeFrontier, { reportedTiles }: ServedTiles): void {
    Object.assign(this.state, { note, size, frontier: hashes.map(encodeBase64), reportedTiles });
    this.map.keep();
    if (this.cosigned) this.state.cosigned = this.cosigned;
  }

  /** The newest checkpoint that is not smaller than the last; a smaller one after a while; null while there is none. */
  private async readNote(): Promise<string | null> {
    try {
      return await this.reader.checkpoint(readCheckpoint(this.state.note)?.size);
    } catch (error) {
      if (isNotLoggedYet(error)) return null;
      throw error;
    }
  }

  /** What is wrong with a checkpoint itself; null if nothing is. */
  private async judge(head: JudgedHead): Promise<Alarm | null> {
    this.doubts.begin();
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
      const fork = this.doubts.add(known, checkpoint, alarm('fork', message, notes));
      if (fork) return fork;
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
      const notes = { remembered: head.note, shown: newestNote };
      const fork = this.doubts.add(cosigned, newest, alarm('fork', message, notes));
      if (fork) return fork;
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
}
