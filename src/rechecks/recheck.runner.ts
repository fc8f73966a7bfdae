import { setTimeout as wait } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import type { DatabaseClock } from '../database/database-clock.js';
import { isConnectionLost } from '../database/pg-errors.js';
import { chunksOf, groupsOf } from '../domain/lists.js';
import type { CheckBudget } from '../platform/platform-checks.js';
import type { PlatformVerifier, Verdict } from '@signet/look';
import { PacedChecks } from '../platform/paced-checks.js';
import { PlatformService } from '../platform/platform.service.js';
import type { Pace, RecheckOutcome } from '@signet/look/internal';
import { noTotals, RecheckTally, type RecheckTotals } from './recheck-tally.js';
import { type ClaimedProof, DueRechecks } from './due-rechecks.js';
import { RecheckVerdicts } from './recheck-verdicts.js';

/**
 * For so long a claimed proof is this server's; after that another one may have it, because this one must have died.
 */
export const LEASE_MS = 10 * 60_000;
/** No check begins later than this after the claim, so that its answer can be written before the lease ends. */
const LAST_START_MS = LEASE_MS / 2;
/** Proofs of one platform in memory at a time; a few KiB each. */
const MAX_CLAIM = 500;
/**
 * The part of a platform's budget that rechecks may use. The other half is for people who bind at this moment, and for
 * windows of the web client that begin at another time than ours.
 */
const BUDGET_SHARE = 0.5;
/** Milliseconds up to which waiting is better than giving proofs back. */
const PATIENCE_MS = 2_000;
/** Milliseconds of pause for a platform that keeps failing. */
const UNAVAILABLE_PAUSE_MS = 30_000;
/** Milliseconds for the proofs of one host that a user chose; then the rest of them is given back. */
const GROUP_MS = 30_000;
/** Checks in a row without an answer after which a host that a user chose gets a pause. */
const GROUP_FAILURES = 2;
const SILENT_HOST_PAUSE_MS = 60_000;

/** One round over the due proofs of one platform. */
interface Round {
  platform: string;
  verifier: PlatformVerifier;
  clock: DatabaseClock;
  budget: CheckBudget;
  pace: Pace;
  totals: RecheckTotals;
  /** Why the round ends early: the database is away. What is claimed then waits for the end of its lease. */
  failure: unknown;
  /** Hosts that had their share of this round and still have due proofs. */
  served: Set<string>;
}

/** The claimed proofs of one budget, which are checked one after the other. */
interface ProofGroup {
  budgetKey: string;
  proofs: ClaimedProof[];
  endsAtMs: number;
  /** Checks in a row without a result. */
  failures: number;
}

/**
 * Checks the due proofs of one platform: takes a batch with a lease, asks, writes the outcome, until nothing is due or
 * the budget is used up.
 */
@Injectable()
export class RecheckRunner implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Rechecks');
  private readonly checks: PacedChecks;
  private readonly runs = new SingleFlight<RecheckTotals>();
  private isStopping = false;

  constructor(
    private readonly environment: Environment,
    private readonly platforms: PlatformService,
    private readonly due: DueRechecks,
    private readonly verdicts: RecheckVerdicts,
    private readonly tally: RecheckTally,
  ) {
    const words = { one: 'A recheck on', several: 'Rechecks on' };
    this.checks = new PacedChecks(platforms, BUDGET_SHARE, words, this.logger);
  }

  /** Those of `platforms` that are not being checked now. */
  idle(platforms: string[]): string[] {
    return this.isStopping ? [] : platforms.filter((platform) => !this.runs.isRunning(platform));
  }

  /** Checks what is due on `platform`, unless that is being done already. */
  async run(platform: string, clock: DatabaseClock): Promise<RecheckTotals> {
    if (this.idle([platform]).length === 0) return noTotals();
    return this.runs.join(() => this.checkPlatform(platform, clock), platform);
  }

  /** Lets the checks that run end, and gives the others back. The web client and the database are still open then. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.runs.settle();
  }

  private async checkPlatform(platform: string, clock: DatabaseClock): Promise<RecheckTotals> {
    const verifier = this.platforms.get(platform);
    const budget = this.platforms.checkBudget(verifier);
    const pace = this.checks.paceOf(verifier);
    const served = new Set<string>();
    const round: Round = { platform, verifier, clock, budget, pace, totals: noTotals(), failure: undefined, served };
    while (!this.isStopping && this.platforms.unavailableReason(verifier) === null) {
      const limit = this.claimLimit(round);
      if (limit === 0) break;
      await clock.sync();
      const now = clock.now();
      const lease = new Date(now.getTime() + LEASE_MS);
      const passed = budget.isPerHost ? [...served] : undefined;
      const claimed = await this.due.claimDue(now, platform, limit, lease, passed);
      await this.checkClaimed(claimed, round);
      if (round.failure) throw round.failure;
      if (claimed.length < limit) break;
    }
    return round.totals;
  }

  /** No more than the budget runs in half a lease, and no more than is left of it now. */
  private claimLimit({ platform, clock, budget, pace }: Round): number {
    const nowMs = clock.now().getTime();
    if (budget.isPerHost) return MAX_CLAIM;
    if (this.checks.pace.isPaused(platform, nowMs)) return 0;
    const isSoonRenewed = pace.seconds * 1000 <= PATIENCE_MS;
    const left = isSoonRenewed ? Infinity : this.checks.pace.left(platform, pace, nowMs);
    const inHalfLease = Math.max(1, Math.floor((pace.calls * LAST_START_MS) / 1000 / pace.seconds));
    const calls = Math.min(inHalfLease, left);
    return Math.min(MAX_CLAIM, calls * budget.checksPerRequest);
  }

  /** Several checks at once, but those of a host that a user chose one after the other. */
  private async checkClaimed(claimed: ClaimedProof[], round: Round): Promise<void> {
    const startBefore = performance.now() + LAST_START_MS;
    const groups = round.budget.isPerHost
      ? groupsOf(claimed, ({ claim }) => round.budget.budgetKey(claim.identity))
      : chunksOf(claimed, round.budget.checksPerRequest);
    const queue = groups.values();
    const worker = async () => {
      for (const proofs of queue) {
        const budgetKey = round.budget.budgetKey(proofs[0]!.claim.identity);
        const endsAtMs = performance.now() + GROUP_MS;
        await this.checkGroup({ budgetKey, proofs, endsAtMs, failures: 0 }, round, startBefore);
      }
    };
    await Promise.all(Array.from({ length: this.environment.RECHECK_CONCURRENCY }, worker));
  }

  /**
   * Never throws, so that all workers end. A host that hangs, or has more due than its share of time, gives back what
   * is left: the others must not wait for it. A group of a platform without hosts is one chunk, and never given back.
   */
  private async checkGroup(group: ProofGroup, round: Round, startBefore: number): Promise<void> {
    const chunks = chunksOf(group.proofs, round.budget.checksPerRequest);
    for (const [index, chunk] of chunks.entries()) {
      const isOver = performance.now() > group.endsAtMs;
      if (isOver || group.failures >= GROUP_FAILURES) return this.giveBack(chunks.slice(index).flat(), group, round);
      await this.checkChunk(chunk, group, round, startBefore);
    }
  }

  private async giveBack(rest: ClaimedProof[], { failures }: ProofGroup, round: Round): Promise<void> {
    const waitMs = failures >= GROUP_FAILURES ? SILENT_HOST_PAUSE_MS : 0;
    round.served.add(hostOf(rest[0]!));
    await this.whileDatabaseIsThere(round, async () => {
      await this.due.putBack(rest, new Date(round.clock.now().getTime() + waitMs));
      round.totals.postponed += rest.length;
    });
  }

  private async checkChunk(chunk: ClaimedProof[], group: ProofGroup, round: Round, startBefore: number): Promise<void> {
    await this.whileDatabaseIsThere(round, async () => {
      const dueAt = await this.waitForSlot(group.budgetKey, round, startBefore);
      if (dueAt) {
        await this.due.putBack(chunk, dueAt);
        round.totals.postponed += chunk.length;
        return;
      }
      const answers = await this.askPlatform(chunk, round.verifier);
      for (const [index, proof] of chunk.entries()) {
        const outcome = this.checks.judge(answers[index]!, round.platform, group.budgetKey, round.clock.now());
        group.failures = isAnswer(outcome) ? 0 : group.failures + 1;
        await this.record(proof, outcome, round);
      }
    });
  }

  /** Ends the round if the database is away; another error is a defect at these proofs, and the others go on. */
  private async whileDatabaseIsThere(round: Round, work: () => Promise<void>): Promise<void> {
    if (round.failure) return;
    try {
      await work();
    } catch (error) {
      if (isConnectionLost(error)) round.failure = error;
      else
        this.logger.error(`Some rechecks on ${round.platform} wait for their leases to end: ${(error as Error).stack}`);
    }
  }

  /** Waits until the budget allows a call, a short time at most. Null: go; otherwise when to try again. */
  private async waitForSlot(budgetKey: string, round: Round, startBefore: number): Promise<Date | null> {
    const { verifier, clock, pace } = round;
    for (;;) {
      const nowMs = clock.now().getTime();
      if (this.isStopping || performance.now() > startBefore) return new Date(nowMs);
      if (this.platforms.unavailableReason(verifier) !== null) return new Date(nowMs + UNAVAILABLE_PAUSE_MS);
      const waitMs = this.checks.pace.consume(budgetKey, pace, nowMs);
      if (waitMs === 0) return null;
      if (waitMs > PATIENCE_MS) return new Date(nowMs + waitMs);
      await wait(waitMs);
    }
  }

  private async askPlatform(chunk: ClaimedProof[], verifier: PlatformVerifier): Promise<(Verdict | Error)[]> {
    const claims = chunk.map(({ claim }) => claim);
    const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
    if (claims.length === 1) return [await this.platforms.verify(verifier, claims[0]!).catch(toError)];
    const answers = await this.platforms.verifyMany(verifier, claims).catch(toError);
    return answers instanceof Error ? claims.map(() => answers) : answers;
  }

  /**
   * What the database refuses to store is the failure of this one proof: it counts as not asked, so that it backs off.
   * @throws Error if the database cannot take that either
   */
  private async record(proof: ClaimedProof, outcome: RecheckOutcome, round: Round): Promise<void> {
    const { platform, clock } = round;
    try {
      this.count(outcome, await this.verdicts.record(proof, outcome, clock.now()), round);
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      this.logger.error(`The outcome of a recheck on ${platform} could not be stored: ${(error as Error).stack}`);
      this.count(UNSTORABLE, await this.verdicts.record(proof, UNSTORABLE, clock.now()), round);
    }
  }

  private count(outcome: RecheckOutcome, isRecorded: boolean, { platform, clock, totals }: Round): void {
    totals[isRecorded ? outcome.kind : 'superseded'] += 1;
    if (isRecorded) this.tally.add(platform, isAnswer(outcome), clock.now());
  }
}

/** Stands for an answer that cannot be written down. */
const UNSTORABLE: RecheckOutcome = { kind: 'unavailable', reason: 'The answer of the platform could not be stored.' };

function isAnswer({ kind }: RecheckOutcome): boolean {
  return kind === 'valid' || kind === 'gone';
}

/** The host that a user chose with the identity: `alice@social.example.com` -> `social.example.com`. */
function hostOf({ claim }: ClaimedProof): string {
  return claim.identity.slice(claim.identity.lastIndexOf('@') + 1);
}
