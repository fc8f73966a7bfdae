import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Subscription } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { Environment } from '../config/environment.js';
import { OPEN_DATABASE, type OpenDatabase } from '../database/database.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { EventWakeUp } from '../events/event-wake-up.js';
import { UpgradeStatus } from '../database/schema/upgrade-status.js';
import { RecordKinds } from '../ledger/record-kind.js';
import { FormerStates } from './former-states.js';
import { LogHeads } from './signing/heads/log-heads.js';
import { LogIdentities, type LogIdentity } from './signing/heads/log-identity.js';
import { LogRefusedError } from './signing/heads/log-errors.js';
import { LogStatus } from './signing/heads/log-status.js';
import { endsWithMap, isWhole, lacksRecords, type LogSnapshot } from './signing/heads/log-snapshot.js';
import { LogStore } from './signing/heads/log-store.js';
import { type BatchOutcome, LogWriter } from './log-writer.js';
import { WitnessRounds } from './signing/witnesses/witness-rounds.js';
import { WitnessStore } from './signing/witnesses/witness-store.js';

/** The least time between two tree heads, and how often each server looks by itself. */
const PERIOD_MS = 1000;
/** Records of each kind of one transaction; on the embedded engine all requests wait for it. */
const BATCH = { postgres: 1000, embedded: 200 };
/** Milliseconds that one transaction may take, so that a server that is paused does not keep the lock. */
const BATCH_MS = 20_000;
const PROGRESS_MS = 5_000;
/** Milliseconds that a start waits for the first look, behind which writes get receipts. */
const FIRST_LOOK_MS = 1_000;

/**
 * Brings committed records into the log: one server at a time, at most once a second, and at once where
 * nothing was signed for a second. Writers do not wait for it. It is woken as the readers of the event stream are, and
 * looks by itself for what no event reports.
 */
@Injectable()
export class LogSequencer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Log');
  private readonly passes = new SingleFlight();
  private readonly limit: number;
  /** Of the next batch. */
  private nextLimit: number;
  private subscription: Subscription | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private hasLooked = false;
  private loggedRefusal = '';
  private progressAtMs = -Infinity;

  constructor(
    private readonly environment: Environment,
    private readonly transactions: WriteTransactions,
    private readonly store: LogStore,
    private readonly writer: LogWriter,
    private readonly heads: LogHeads,
    private readonly identities: LogIdentities,
    private readonly kinds: RecordKinds,
    private readonly upgrade: UpgradeStatus,
    private readonly status: LogStatus,
    private readonly wakeUp: EventWakeUp,
    private readonly witnesses: WitnessRounds,
    private readonly witnessStore: WitnessStore,
    private readonly former: FormerStates,
    @Inject(OPEN_DATABASE) database: OpenDatabase,
  ) {
    this.limit = this.nextLimit = BATCH[database.kind];
  }

  async onApplicationBootstrap(): Promise<void> {
    this.subscription = this.wakeUp.streamGrew.subscribe(() => this.wake());
    const firstLook = this.passes.follow(() => this.pass());
    await withTimeout(firstLook, FIRST_LOOK_MS, () => {});
  }

  /** Says that something was committed, or that it is time to look; returns at once. */
  @Interval(PERIOD_MS)
  wake(): void {
    // While a timer runs, what was committed is taken up when it ends.
    if (!this.isStopped && this.timer === undefined) void this.passes.follow(() => this.pass());
  }

  /** Lets the batch under way finish. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.subscription?.unsubscribe();
    clearTimeout(this.timer);
    await this.passes.settle();
  }

  /** Never throws. */
  private async pass(): Promise<void> {
    if (this.isStopped || this.timer !== undefined) return;
    try {
      if (await this.upgrade.areDone(this.kinds.upgradeSteps)) await this.extend();
    } catch (error) {
      if (error instanceof LogRefusedError) await this.refuse(error).catch(() => {});
      else if (!this.isStopped) this.logger.warn(`The log failed and will try again: ${(error as Error).message}`);
    }
  }

  /** Adds what waits, batch by batch, and signs. */
  private async extend(): Promise<void> {
    const identity = await this.identities.current();
    await this.heads.open(identity.origin);
    const seen = this.heads.remembered;
    const snapshot = await this.store.snapshot();
    const { state, head, change, askedAtMs } = snapshot;
    this.former.noteFound(head?.size ?? 0);
    // The key may have been replaced while this server runs.
    const isOther = state?.verifierKey !== identity.verifierKey;
    if (isOther && (await this.identities.reload()).verifierKey !== identity.verifierKey) return this.extend();
    // What witnesses remember is looked at before this server signs anything. A key that this database has just made
    // has signed nothing, so a new log need not wait for witnesses that are silent.
    const isKeyGiven = this.environment.LOG_KEY !== undefined;
    await this.witnesses.recall(identity.origin, state === null && !isKeyGiven);
    if (state === null && isKeyGiven && seen === null) throw new LogRefusedError(unknownPast(identity.origin), false);
    if (head && !isOther) await this.heads.accept({ head, change, askedAtMs }, seen);
    // What ended the signing for good is reported before what a witness only claims.
    if (!state?.refusal) await this.witnessStore.assertNoClaim(identity.origin);
    await this.heads.keepAgain();
    this.status.look(identity, snapshot);
    if (!this.isDue(snapshot)) return this.former.forget();
    for (let hasMore = true; hasMore && !this.isStopped;) {
      const limit = this.nextLimit;
      // Behind a batch that fails, as where this process is too busy to end it in time, comes a smaller one.
      this.nextLimit = Math.max(1, Math.floor(limit / 2));
      const outcome = await this.underLock((manager) => this.writer.addBatch(manager, identity, limit, new Date()));
      this.nextLimit = outcome ? Math.min(2 * limit, this.limit) : limit;
      if (!outcome) return;
      this.hasLooked = true;
      hasMore = outcome.hasMore;
      await this.noteBatch(identity, outcome, snapshot);
    }
  }

  /** Whether a batch is to be made now; if soon, the timer is set. */
  private isDue(snapshot: LogSnapshot): boolean {
    const { state, head, headAgeMs, waiting, isPlaceRecorded } = snapshot;
    const isContradicted = this.heads.contradicts(head) || lacksRecords(snapshot) || (state && !isWhole(state));
    const isInDoubt = !this.hasLooked || this.status.condition === 'refused' || isContradicted || !isPlaceRecorded;
    const hasWork = waiting > 0 || !state || !head || !endsWithMap(state) || isInDoubt;
    if (!hasWork || this.isStopped) return false;
    const waitMs = PERIOD_MS - headAgeMs;
    if (waitMs <= 0 || waitMs > PERIOD_MS) return true;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.wake();
    }, waitMs);
    return false;
  }

  /** Does `work` in a transaction that holds the lock of the log; null if another server holds it. */
  private async underLock<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result | null> {
    return this.transactions.run(async (manager) => ((await this.store.tryLock(manager)) ? work(manager) : null), {
      totalMs: BATCH_MS,
    });
  }

  private async noteBatch(identity: LogIdentity, { state, head }: BatchOutcome, before: LogSnapshot): Promise<void> {
    this.loggedRefusal = '';
    await this.store.settlePlace();
    if (head) {
      await this.heads.remember(head);
      this.former.noteSigned(head.size);
      if (!before.head)
        this.logger.log(`The log ${identity.origin} signs its first tree head, of ${head.size} entries`);
    } else if (!before.head) {
      const total = before.waiting + (before.state?.size ?? 0);
      this.status.progress = state.size / Math.max(1, state.size, total);
      this.logProgress('The log takes in what is there', 'records', state.size, total);
    }
    this.status.mapProgress = state.mapSize / Math.max(1, state.size);
    if (before.head && state.mapSize < state.size) {
      this.logProgress('The map takes in what is in the log', 'entries', state.mapSize, state.size);
    }
    this.status.extended(head);
    await this.former.forget();
  }

  private logProgress(what: string, unit: string, size: number, total: number): void {
    if (performance.now() - this.progressAtMs < PROGRESS_MS) return;
    this.progressAtMs = performance.now();
    const percent = Math.floor((100 * size) / Math.max(size, total, 1));
    this.logger.log(`${what}: ${size} of ${total} ${unit} (${percent} %)`);
  }

  private async refuse({ message, isFinal }: LogRefusedError): Promise<void> {
    this.status.refuse(message);
    if (this.loggedRefusal !== message) {
      this.logger.error(`The log signs nothing more: ${message} See docs/log.md, "What to do on an alarm".`);
    }
    this.loggedRefusal = message;
    if (isFinal) await this.store.refuse(message);
  }
}

/** Why a key that the settings give signs nothing in a database without a log. */
function unknownPast(origin: string): string {
  return (
    `This database has no log, and LOG_KEY may have signed the log ${origin} in another one. ` +
    'If that was so, put that database back, or name another LOG_ORIGIN. ' +
    'Then, or if LOG_KEY never signed a log of this name, begin it: npm run log -- new-origin "<reason>".'
  );
}
