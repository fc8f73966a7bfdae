import { setTimeout as wait } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { type CheckBudget, checkBudgetOf } from '../platform/check-budget.js';
import type { Verdict } from '../platform/platform-verifier.js';
import { PlatformService } from '../platform/platform.service.js';
import type { CheckOutcome } from '../proof/proof-check.entity.js';
import { isDefect, outcomeOf, type RecheckOutcome } from './recheck-outcome.js';
import { type Pace, RecheckPace } from './recheck-pace.js';
import { HOUR_MS } from './recheck-schedule.js';
import { RecheckTally } from './recheck-tally.js';
import { type ClaimedProof, RecheckStore } from './recheck.store.js';

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
/** A wait that is not worth giving proofs back for. */
const PATIENCE_MS = 2_000;
/** How long a platform is left alone for which this server lacks something, or which keeps failing. */
const MISCONFIGURED_PAUSE_MS = 10 * 60_000;
const INTERRUPTED_PAUSE_MS = 30_000;

/** How many rechecks ended how. */
export type RecheckTotals = Record<CheckOutcome | 'superseded' | 'postponed', number>;

export function noTotals(): RecheckTotals {
  return { valid: 0, gone: 0, unavailable: 0, misconfigured: 0, superseded: 0, postponed: 0 };
}

/** The time that was given, going on as the clock does. */
export type Clock = () => Date;

/** One round over the due proofs of one platform. */
interface Round {
  platform: string;
  clock: Clock;
  budget: CheckBudget;
  pace: Pace;
  totals: RecheckTotals;
  /** An error of the database; what is claimed then waits for the end of its lease. */
  failure: unknown;
}

/**
 * Checks the due proofs of one platform: takes a batch with a lease, asks, writes the outcome, until nothing is due or
 * the budget is used up.
 */
@Injectable()
export class RecheckRunner implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Revalidation');
  private readonly pace = new RecheckPace();
  private readonly running = new Map<string, Promise<RecheckTotals>>();
  private readonly warnedAtMs = new Map<string, number>();
  private isStopping = false;

  constructor(
    private readonly environment: Environment,
    private readonly platforms: PlatformService,
    private readonly store: RecheckStore,
    private readonly tally: RecheckTally,
  ) {}

  /** Those of `platforms` that are not being checked now. */
  idle(platforms: string[]): string[] {
    return this.isStopping ? [] : platforms.filter((platform) => !this.running.has(platform));
  }

  /** Checks what is due on `platform`, unless that is being done already. */
  async run(platform: string, clock: Clock): Promise<RecheckTotals> {
    if (this.idle([platform]).length === 0) return noTotals();
    const run = this.checkPlatform(platform, clock).finally(() => this.running.delete(platform));
    this.running.set(platform, run);
    return run;
  }

  /** Lets the checks that run end, and gives the others back. The web client and the database are still open then. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled(this.running.values());
  }

  private async checkPlatform(platform: string, clock: Clock): Promise<RecheckTotals> {
    const budget = checkBudgetOf(platform, this.environment);
    const calls = Math.floor((budget.requests * BUDGET_SHARE) / budget.requestsPerCheck);
    const pace = { calls: Math.max(1, calls), seconds: budget.seconds };
    const round: Round = { platform, clock, budget, pace, totals: noTotals(), failure: undefined };
    while (!this.isStopping && this.platforms.interruption(platform) === null) {
      const limit = this.claimLimit(round);
      if (limit === 0) break;
      const now = clock();
      const claimed = await this.store.claimDue(now, platform, limit, new Date(now.getTime() + LEASE_MS));
      await this.checkClaimed(claimed, round);
      if (round.failure) throw round.failure;
      if (claimed.length < limit) break;
    }
    return round.totals;
  }

  /** No more than the budget runs in half a lease, and no more than is left of it now. */
  private claimLimit({ platform, clock, budget, pace }: Round): number {
    const nowMs = clock().getTime();
    if (budget.hasManyPayers) return MAX_CLAIM;
    if (this.pace.isPaused(platform, nowMs)) return 0;
    const isSoonRenewed = pace.seconds * 1000 <= PATIENCE_MS;
    const left = isSoonRenewed ? Infinity : this.pace.left(platform, pace, nowMs);
    const inHalfLease = Math.max(1, Math.floor((pace.calls * LAST_START_MS) / 1000 / pace.seconds));
    const calls = Math.min(inHalfLease, left);
    return Math.min(MAX_CLAIM, calls * budget.checksPerRequest);
  }

  /** Several checks at once, but those of a host that a user chose one after the other. */
  private async checkClaimed(claimed: ClaimedProof[], round: Round): Promise<void> {
    const startBefore = performance.now() + LAST_START_MS;
    const lanes = round.budget.hasManyPayers
      ? byPayer(claimed, round.budget)
      : chunksOf(claimed, round.budget.checksPerRequest);
    const queue = lanes.values();
    const worker = async () => {
      for (const lane of queue) {
        const size = round.budget.checksPerRequest;
        for (const chunk of chunksOf(lane, size)) await this.checkChunk(chunk, round, startBefore);
      }
    };
    await Promise.all(Array.from({ length: this.environment.RECHECK_CONCURRENCY }, worker));
  }

  /** Never throws, so that all workers end. */
  private async checkChunk(chunk: ClaimedProof[], round: Round, startBefore: number): Promise<void> {
    if (round.failure) return;
    try {
      const dueAt = await this.admit(chunk, round, startBefore);
      if (dueAt) {
        await this.store.putBack(chunk, dueAt);
        round.totals.postponed += chunk.length;
        return;
      }
      const answers = await this.ask(chunk, round.platform);
      for (const [index, proof] of chunk.entries()) await this.record(proof, answers[index]!, round);
    } catch (error) {
      round.failure = error;
    }
  }

  /** Waits for a turn, a short time at most. Null: go; otherwise when to try again. */
  private async admit(chunk: ClaimedProof[], round: Round, startBefore: number): Promise<Date | null> {
    const { platform, clock, budget, pace } = round;
    const payer = budget.payer(chunk[0]!.claim.identity);
    for (;;) {
      const nowMs = clock().getTime();
      if (this.isStopping || performance.now() > startBefore) return new Date(nowMs);
      if (this.platforms.interruption(platform) !== null) return new Date(nowMs + INTERRUPTED_PAUSE_MS);
      const waitMs = this.pace.take(payer, pace, nowMs);
      if (waitMs === 0) return null;
      if (waitMs > PATIENCE_MS) return new Date(nowMs + waitMs);
      await wait(waitMs);
    }
  }

  private async ask(chunk: ClaimedProof[], platform: string): Promise<(Verdict | Error)[]> {
    const claims = chunk.map(({ claim }) => claim);
    const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
    if (claims.length === 1) return [await this.platforms.verify(platform, claims[0]!).catch(toError)];
    const answers = await this.platforms.verifyMany(platform, claims).catch(toError);
    return answers instanceof Error ? claims.map(() => answers) : answers;
  }

  private async record(proof: ClaimedProof, answer: Verdict | Error, { platform, clock, budget, totals }: Round) {
    if (isDefect(answer)) this.logger.error(`a recheck on ${platform} failed: ${answer.stack}`);
    const outcome = outcomeOf(answer);
    const now = clock();
    this.heed(outcome, platform, budget.payer(proof.claim.identity), now);
    if (!(await this.store.recordVerdict(proof, outcome, now))) {
      totals.superseded += 1;
      return;
    }
    totals[outcome.kind] += 1;
    this.tally.add(platform, outcome.kind === 'valid' || outcome.kind === 'gone', now);
  }

  /**
   * What an answer means for the next checks: a platform that wants to be left alone is, and an operator hears what is
   * missing once an hour.
   */
  private heed(outcome: RecheckOutcome, platform: string, payer: string, now: Date): void {
    const nowMs = now.getTime();
    if (outcome.kind === 'unavailable' && outcome.retryAfterSeconds) {
      this.pace.pause(payer, nowMs + outcome.retryAfterSeconds * 1000, nowMs);
    }
    if (outcome.kind !== 'misconfigured') return;
    this.pace.pause(payer, nowMs + MISCONFIGURED_PAUSE_MS, nowMs);
    if (nowMs - (this.warnedAtMs.get(platform) ?? -HOUR_MS) < HOUR_MS) return;
    this.warnedAtMs.set(platform, nowMs);
    this.logger.warn(`rechecks on ${platform} cannot work: ${outcome.reason}`);
  }
}

function byPayer(claimed: ClaimedProof[], budget: CheckBudget): ClaimedProof[][] {
  const lanes = new Map<string, ClaimedProof[]>();
  for (const proof of claimed) {
    const payer = budget.payer(proof.claim.identity);
    lanes.set(payer, [...(lanes.get(payer) ?? []), proof]);
  }
  return [...lanes.values()];
}

function chunksOf<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
