import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Subscription } from 'rxjs';
import { SingleFlight } from '../concurrency/single-flight.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { UpgradeStatus } from '../database/schema/upgrade-status.js';
import { EventWakeUp } from '../events/event-wake-up.js';
import { RecordKinds } from '../ledger/record-kind.js';
import { FormerStates } from './former-states.js';
import { LogWriter } from './log-writer.js';
import { LogRefusedError } from './signing/heads/log-errors.js';
import type { LogSnapshot } from './signing/heads/log-snapshot.js';
import { LogStatus } from './signing/heads/log-status.js';
import { LogSigner } from './signing/log-signer.js';
import { BrokenFeedError } from './tree/records/new-leaves.js';
import { endsWithMap } from './tree/tree-state.js';

/** The least time between two tree heads, and how often each server looks by itself. */
const PERIOD_MS = 1000;
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
  private subscription: Subscription | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private hasWritten = false;

  constructor(
    private readonly signer: LogSigner,
    private readonly writer: LogWriter,
    private readonly former: FormerStates,
    private readonly status: LogStatus,
    private readonly kinds: RecordKinds,
    private readonly upgrade: UpgradeStatus,
    private readonly wakeUp: EventWakeUp,
  ) {}

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
      if (error instanceof LogRefusedError || error instanceof BrokenFeedError) {
        await this.signer.refuse(error).catch(() => {});
      } else if (!this.isStopped) {
        this.logger.warn(`The log failed and will try again: ${(error as Error).message}`);
      }
    }
  }

  /** Adds what waits, batch by batch, and signs; then forgets what is past. */
  private async extend(): Promise<void> {
    const { identity, snapshot } = await this.signer.look();
    this.former.noteFound(snapshot.head?.size ?? 0);
    if (!this.isDue(snapshot)) return this.former.forget();
    for (let hasMore = true; hasMore && !this.isStopped;) {
      const outcome = await this.writer.nextBatch(identity);
      // Another server is writing.
      if (!outcome) return;
      hasMore = outcome.hasMore;
      this.hasWritten = true;
      await this.signer.settle(outcome.head);
      this.status.extended(outcome.state, outcome.head, snapshot);
      if (outcome.head) this.former.noteSigned(outcome.head.size);
      await this.former.forget();
    }
  }

  /** Whether a batch is to be made now; if soon, the timer is set. */
  private isDue(snapshot: LogSnapshot): boolean {
    const { state, head, headAgeMs, waiting } = snapshot;
    const hasWork = waiting > 0 || !state || !head || !endsWithMap(state);
    const isNeeded = hasWork || !this.hasWritten || this.signer.isInDoubt(snapshot);
    if (!isNeeded || this.isStopped) return false;
    const waitMs = PERIOD_MS - headAgeMs;
    if (waitMs <= 0 || waitMs > PERIOD_MS) return true;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.wake();
    }, waitMs);
    return false;
  }
}
