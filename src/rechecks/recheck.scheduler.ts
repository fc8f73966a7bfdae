import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Environment } from '../config/environment.js';
import { type Announced, OnDomainEvent } from '../events/on-domain-event.js';
import { delayAfterChecks } from '@signet/look/internal';
import { RecheckService } from './recheck.service.js';
import { DueRechecks } from './due-rechecks.js';

/** How often this server polls for due rechecks. */
const TICK_MS = 5_000;
const REPORT_MS = 60_000;
const PULL_BACK_MS = 60_000;

/** Gives each new binding its first recheck, and drives the rechecks by the clock (docs/design/decisions.md 6). */
@Injectable()
export class RecheckScheduler {
  private readonly logger = new Logger('Rechecks');
  private reportedAtMs = -Infinity;

  constructor(
    private readonly environment: Environment,
    private readonly due: DueRechecks,
    private readonly rechecks: RecheckService,
  ) {}

  /**
   * A signature of a wallet does not age, so wallets have no schedule. `proof.revoked` needs no listener: the schedule
   * was in the row of the proof, which is gone.
   */
  @OnDomainEvent('revalidation', ['proof.bound'])
  async scheduleFirstCheck({ payload, manager }: Announced<'proof.bound'>): Promise<void> {
    if (!this.rechecks.isRechecked(payload.platform)) return;
    await this.due.scheduleFirst(
      manager,
      payload,
      delayAfterChecks(0, { steadySeconds: this.environment.RECHECK_SECONDS }),
    );
  }

  /**
   * Starts what is due and not running yet. The pass may outlast many ticks: a platform that is being checked is left
   * alone by them. `as` replaces the time of the database, for tests.
   */
  @Interval(TICK_MS)
  async tick(as?: Date): Promise<void> {
    if (!this.environment.REVALIDATION) return;
    try {
      // First: a pass claims what is due, and a short one leaves nothing to report.
      await this.report(as);
      await this.rechecks.checkDue(as);
    } catch (error) {
      this.logger.warn(`Rechecks are paused: ${(error as Error).message}`);
    }
  }

  /** After the clock was put back. */
  @Interval(PULL_BACK_MS)
  async pullBack(): Promise<void> {
    if (!this.environment.REVALIDATION) return;
    await this.rechecks.pullBack().catch((error: unknown) => {
      this.logger.warn(`What is due after the clock was put back could not be found: ${(error as Error).message}`);
    });
  }

  /** One line each minute while there is work. */
  private async report(as?: Date): Promise<void> {
    if (performance.now() - this.reportedAtMs < REPORT_MS) return;
    this.reportedAtMs = performance.now();
    const { total, platforms } = await this.rechecks.progress(as);
    const { due, done, failed, rate_per_minute: rate, estimated_seconds_left: seconds } = total;
    if (due === 0 && rate === 0) return;
    const left = seconds < 0 ? 'unknown' : `${Math.ceil(seconds / 60)} min`;
    const parts = Object.entries(platforms).map(([platform, part]) => `${platform} ${part.due}`);
    this.logger.log(
      `Rechecks: ${due} due (${parts.join(', ')}), ${done} done, ${failed} failed, ${rate} a minute, time left ${left}`,
    );
  }
}
