import { equalBytes } from '@signet/verify/internal';
import { isQuorumMet } from '@signet/verify/internal/log';
import { encodeHex, isSignedBy, readCheckpoint } from '@signet/verify/log';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleFlight } from '../../../concurrency/single-flight.js';
import { Environment } from '../../../config/environment.js';
import { LogIdentities } from '../heads/log-identity.js';
import { LogPolicy, type LogWitness } from './log-policy.js';
import { LogRefusedError } from '../heads/log-errors.js';
import { LogStatus } from '../heads/log-status.js';
import { HeadStore } from '../heads/head-store.js';
import { LogStore } from '../heads/log-store.js';
import { TreeStore } from '../../tree/tree-store.js';
import type { SignedHead } from '../heads/signed-head.js';
import { WitnessClient } from './witness-client.js';
import { type WitnessState, WitnessStore } from './witness-store.js';

const TICK_MS = 1000;
/** How often witnesses are asked again while a server that has just started waits for them. */
const RECALL_MS = 5000;

/** What a checkpoint that a witness shows says of the tree in the database. */
type Shown = 'fits' | 'nothing' | 'another history';

/**
 * Asks the witnesses of the policy at an interval of their own, each by one server at a time, and stores what they
 * sign. What they remember is the memory of this log outside of its database: a checkpoint with the signature of this
 * log, which its tree does not have, ends its signing.
 */
@Injectable()
export class WitnessRounds implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Witnesses');
  private readonly rounds = new SingleFlight();
  private readonly loggedProblems = new Map<string, string>();
  /** Names of the witnesses that have said what they signed last, since this process started, of which log. */
  private answered = { origin: '', names: new Set<string>() };
  private recalledOrigin = '';
  /** What a witness has shown of a log that has nothing in the database, where it could be kept. */
  private evidence = { origin: '', reason: '' };
  private recalledAtMs = -Infinity;
  private isStopped = false;

  constructor(
    private readonly environment: Environment,
    private readonly policy: LogPolicy,
    private readonly identities: LogIdentities,
    private readonly store: LogStore,
    private readonly tree: TreeStore,
    private readonly heads: HeadStore,
    private readonly status: LogStatus,
    private readonly client: WitnessClient,
    private readonly witnessStore: WitnessStore,
  ) {}

  /** A tick that comes while the last round still runs does nothing. */
  @Interval(TICK_MS)
  tick(): void {
    if (this.isStopped || this.rounds.isRunning()) return;
    void this.round(false);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.rounds.settle();
  }

  /** Asks those that are due, or all of them. Never throws. */
  async round(isForced: boolean): Promise<void> {
    if (this.policy.witnesses.length === 0) return;
    const ask = () => this.runRound(isForced);
    // A forced round asks all, so one under way that does not is no substitute.
    await (isForced ? this.rounds.follow(ask) : this.rounds.join(ask)).catch((error: unknown) =>
      this.logger.warn(`The witnesses were not asked: ${(error as Error).message}`),
    );
  }

  /**
   * Asks all witnesses once before this server signs for the log `origin`, and waits until those that are silent could
   * not meet the policy by themselves. So each newer tree head that met the policy has a cosignature of a witness that
   * answered. A file of this server is no substitute: it may have been set back together with the database.
   * @param isNew whether nothing was ever signed by this name and key
   * @throws LogRefusedError that is not final while too few have answered
   */
  async recall(origin: string, isNew: boolean): Promise<void> {
    this.assertNoEvidence(origin);
    if (this.policy.witnesses.length === 0 || this.recalledOrigin === origin) return;
    if (performance.now() - this.recalledAtMs >= RECALL_MS) {
      this.recalledAtMs = performance.now();
      await this.round(true);
    }
    this.assertNoEvidence(origin);
    const { policy, witnesses } = this.policy;
    const answered = this.answered.origin === origin ? this.answered.names : new Set<string>();
    const silent = witnesses.map(({ name }) => name).filter((name) => !answered.has(name));
    if (!isNew && policy?.quorum && isQuorumMet(policy, new Set(silent))) {
      throw new LogRefusedError(
        'This server has just started, and signs nothing before its witnesses have said what they signed last. ' +
          `No such answer came from ${silent.join(', ')}: they must answer, or leave LOG_POLICY.`,
        false,
      );
    }
    this.recalledOrigin = origin;
  }

  /** @throws LogRefusedError */
  private assertNoEvidence(origin: string): void {
    if (this.evidence.origin === origin) throw new LogRefusedError(this.evidence.reason, false);
  }

  private async runRound(isForced: boolean): Promise<void> {
    const { origin } = await this.identities.current();
    if (this.answered.origin !== origin) this.answered = { origin, names: new Set() };
    const seconds = this.environment.LOG_WITNESS_SECONDS;
    if (!(await this.heads.newest())) {
      if (isForced) await Promise.all(this.policy.witnesses.map((witness) => this.askBeforeFirstHead(origin, witness)));
      return;
    }
    const due = await this.witnessStore.claim(origin, seconds, isForced);
    // All are shown the same tree head, however fast the log grows: a quorum has to sign one. It is read behind the
    // claim, so that none of them has signed a newer one.
    const { head } = (await this.heads.newest())!;
    await Promise.all(due.map((state) => this.ask(origin, head, state)));
  }

  private async ask(origin: string, head: SignedHead, { verifierKey, size }: WitnessState): Promise<void> {
    const witness = this.policy.witnesses.find((one) => one.verifierKey === verifierKey)!;
    try {
      const outcome = await this.client.ask(witness, size, head);
      if (outcome.kind === 'cosigned') {
        await this.witnessStore.addCosignature(origin, witness, head.size, outcome.line, outcome.at);
        this.answered.names.add(witness.name);
        this.logProblem(witness, '');
        return;
      }
      await this.recordProblem(origin, witness, outcome.problem);
      if (outcome.kind === 'unknown') this.answered.names.add(witness.name);
      if (outcome.kind === 'contradicted') await this.judge(origin, witness, outcome.claimedSize);
    } catch (error) {
      await this.recordProblem(origin, witness, (error as Error).message).catch(() => {});
    }
  }

  /** There is nothing to have signed yet, and a witness that has signed something remembers a log that is lost. */
  private async askBeforeFirstHead(origin: string, witness: LogWitness): Promise<void> {
    try {
      const note = await this.client.lastSigned(witness, origin);
      if (note === null || (await this.look(origin, witness, note)) === 'fits') this.answered.names.add(witness.name);
      else this.logProblem(witness, 'it shows a checkpoint, and this log has none yet');
    } catch (error) {
      this.logProblem(witness, (error as Error).message);
    }
  }

  /** A witness says that this log has another history. */
  private async judge(origin: string, witness: LogWitness, claimedSize: number | null): Promise<void> {
    // The claim is kept first: what follows may fail.
    const isClaimed = claimedSize !== null && claimedSize > ((await this.heads.newest())?.head.size ?? 0);
    await this.witnessStore.setClaim(origin, witness, isClaimed ? claimedSize : null);
    const note = await this.client.lastSigned(witness, origin).catch(() => null);
    const shown = note === null ? 'nothing' : await this.look(origin, witness, note);
    // What speaks against the database has been kept, and is what people read.
    if (isClaimed || shown !== 'nothing') this.answered.names.add(witness.name);
  }

  /**
   * A witness can say what it likes; what it shows with the signature of this log is evidence. Then nothing is signed
   * any more.
   */
  private async look(origin: string, witness: LogWitness, note: string): Promise<Shown> {
    const shown = readCheckpoint(note);
    const { key } = await this.identities.current();
    if (!shown || shown.origin !== origin || !isSignedBy(shown.note, key)) return 'nothing';
    const head = (await this.heads.newest())?.head ?? null;
    const own = shown.size <= (head?.size ?? 0) ? await this.tree.rootOf(shown.size) : null;
    if (own && equalBytes(own, shown.root)) return 'fits';
    const reason = `The witness ${witness.name} shows a tree head of ${shown.size} entries with the root ${encodeHex(shown.root)}, signed by this log, which the database does not have.`;
    if (!head) this.evidence = { origin, reason };
    await this.store.refuse(reason);
    this.status.refuse(reason);
    this.logger.error({ message: reason, note });
    return 'another history';
  }

  private async recordProblem(origin: string, witness: LogWitness, problem: string): Promise<void> {
    this.logProblem(witness, problem);
    await this.witnessStore.addProblem(origin, witness, problem);
  }

  /** Each change of what a witness does is one line. */
  private logProblem({ name }: LogWitness, problem: string): void {
    if ((this.loggedProblems.get(name) ?? '') === problem) return;
    this.loggedProblems.set(name, problem);
    if (problem === '') this.logger.log(`The witness ${name} signs again.`);
    else this.logger.warn(`The witness ${name} did not sign: ${problem}`);
  }
}
