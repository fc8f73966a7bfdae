import { encodeHex, equalBytes, isSignedBy, readCheckpoint, rootFromTiles } from '@signet/verify/log';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import { sha256 } from '../crypto/hashing.js';
import { LogIdentities } from './log-identity.js';
import { LogPolicy, type LogWitness } from './log-policy.js';
import { LogStatus } from './log-status.js';
import { LogStore, type SignedHead } from './log-store.js';
import { WitnessClient } from './witness-client.js';
import { type WitnessState, WitnessStore } from './witness-store.js';

const TICK_MS = 1000;

/**
 * Asks the witnesses of the policy at an interval of their own, each by one server at a time, and stores what they
 * sign. What they remember is the memory of this log outside of its database: a checkpoint with the signature of this
 * log, which its tree does not have, ends its signing.
 */
@Injectable()
export class WitnessRounds implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Witnesses');
  private readonly rounds = new SingleFlight();
  private readonly said = new Map<string, string>();
  private isStopped = false;

  constructor(
    private readonly environment: Environment,
    private readonly policy: LogPolicy,
    private readonly identities: LogIdentities,
    private readonly store: LogStore,
    private readonly status: LogStatus,
    private readonly client: WitnessClient,
    private readonly memory: WitnessStore,
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
    await this.rounds
      .join(() => this.askAll(isForced))
      .catch((error: unknown) => this.logger.warn(`the witnesses were not asked: ${(error as Error).message}`));
  }

  private async askAll(isForced: boolean): Promise<void> {
    const { origin } = await this.identities.current();
    const seconds = this.environment.LOG_WITNESS_SECONDS;
    if (!(await this.store.newestHead())) return;
    const due = await this.memory.claim(origin, this.policy.witnesses, seconds, isForced);
    // All are shown the same tree head, however fast the log grows: a quorum has to sign one. It is read behind the
    // claim, so that none of them has signed a newer one.
    const head = (await this.store.newestHead())!;
    await Promise.all(due.map((state) => this.ask(origin, head, this.witnessOf(state), state)));
  }

  private witnessOf({ verifierKey }: WitnessState): LogWitness {
    return this.policy.witnesses.find((witness) => witness.verifierKey === verifierKey)!;
  }

  private async ask(origin: string, head: SignedHead, witness: LogWitness, { size }: WitnessState): Promise<void> {
    try {
      const outcome = await this.client.ask(witness, size, head);
      if (outcome.kind === 'cosigned') {
        await this.memory.addCosignature(origin, witness, head.size, outcome.line, outcome.at);
        this.say(witness, '');
        return;
      }
      await this.tell(origin, witness, outcome.problem);
      if (outcome.kind === 'contradicted') await this.lookForAnotherHistory(origin, witness);
    } catch (error) {
      await this.tell(origin, witness, (error as Error).message).catch(() => {});
    }
  }

  /**
   * A witness can say what it likes; what it shows with the signature of this log is evidence. Then nothing is signed
   * any more.
   */
  private async lookForAnotherHistory(origin: string, witness: LogWitness): Promise<void> {
    const note = await this.client.lastSigned(witness, origin);
    const shown = note === null ? null : readCheckpoint(note);
    const { key } = await this.identities.current();
    if (!shown || shown.origin !== origin || !isSignedBy(shown.note, key)) return;
    const head = await this.store.newestHead();
    const own = head && shown.size <= head.size ? await this.rootOf(shown.size) : null;
    if (own && equalBytes(own, shown.root)) return;
    const reason = `The witness ${witness.name} shows a tree head of ${shown.size} entries with the root ${encodeHex(shown.root)}, signed by this log, which the database does not have.`;
    await this.store.refuse(reason);
    this.status.refuse(reason);
    this.logger.error({ message: reason, note });
  }

  private rootOf(size: number): Promise<Uint8Array> {
    return rootFromTiles(size, (tiles) => this.store.readTiles(tiles), sha256);
  }

  private async tell(origin: string, witness: LogWitness, problem: string): Promise<void> {
    this.say(witness, problem);
    await this.memory.addProblem(origin, witness, problem);
  }

  /** Each change of what a witness does is one line. */
  private say({ name }: LogWitness, problem: string): void {
    if ((this.said.get(name) ?? '') === problem) return;
    this.said.set(name, problem);
    if (problem === '') this.logger.log(`the witness ${name} signs again`);
    else this.logger.warn(`the witness ${name} did not sign: ${problem}`);
  }
}
