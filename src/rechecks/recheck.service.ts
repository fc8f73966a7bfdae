import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { DatabaseClock } from '../database/database-clock.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { InvalidRequestError, type PlatformVerifier } from '@signet/look';
import { HOUR_MS, isWallet, RECHECK_SPREAD } from '@signet/look/internal';
import { type GaugeSource, Measured, type Readings, UP_TO_LIMIT } from '../measures/measured.js';
import { intervalsOf } from '../platform/recheck-intervals.js';
import { PlatformService } from '../platform/platform.service.js';
import { noTotals, RecheckTally, type RecheckTotals, totalProgress } from './recheck-tally.js';
import type { RechecksDto, SweepRequestDto } from './recheck.dto.js';
import { RecheckRunner } from './recheck.runner.js';
import { DueRechecks, type DueSelection } from './due-rechecks.js';

const GAUGES = {
  signet_rechecks_due: [`Rechecks whose time has come, ${UP_TO_LIMIT} for each platform`, 'platform'],
  signet_recheck_overdue_seconds: ['How late the longest overdue recheck is', 'platform'],
} as const;

/** Longer than a second look at what is gone, a pause that a platform asks for, and a lease. */
const SPARE_MS = 2 * HOUR_MS;

/** Rechecks of proofs over time (docs/design/decisions.md 6). */
@Injectable()
@Measured()
export class RecheckService implements GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;
  private readonly logger = new Logger('Rechecks');

  constructor(
    private readonly dataSource: DataSource,
    private readonly platforms: PlatformService,
    private readonly dueRechecks: DueRechecks,
    private readonly runner: RecheckRunner,
    private readonly tally: RecheckTally,
    private readonly environment: Environment,
  ) {}

  /** Whether proofs of `platform` are rechecked at all: something is published there that may go away. */
  isRechecked(platform: string): boolean {
    return this.rechecked().some((verifier) => verifier.platform === platform);
  }

  /**
   * Checks all due bindings, all platforms side by side. Returns when no platform has one left that its budget allows.
   * Platforms that an earlier call still checks are skipped. At most a few hundred bindings of a platform are in
   * memory. `as` replaces the time of the database, for tests.
   */
  async checkDue(as?: Date): Promise<RecheckTotals> {
    const ready = this.rechecked().filter(
      (verifier) =>
        this.platforms.configurationProblem(verifier) === null && this.platforms.unavailableReason(verifier) === null,
    );
    const idle = this.runner.idle(ready.map(({ platform }) => platform));
    const clock = await DatabaseClock.start(this.dataSource, as);
    const due = idle.length === 0 ? [] : await this.dueRechecks.platformsWithWork(idle, clock.now());
    for (const platform of idle) if (!due.includes(platform)) this.tally.finish(platform);

    const totals = noTotals();
    await Promise.all(
      due.map(async (platform) => {
        try {
          const part = await this.runner.run(platform, clock);
          for (const kind of Object.keys(totals) as (keyof RecheckTotals)[]) totals[kind] += part[kind];
        } catch (error) {
          // What was claimed and not written is due again after the lease.
          this.logger.warn(`Rechecks on ${platform} stopped: ${(error as Error).message}`);
        }
      }),
    );
    return totals;
  }

  /**
   * Makes proofs due at once; the next tick of any server begins with them. What is being checked at this moment is
   * asked about again.
   * @returns how many proofs are due because of it.
   * @throws InvalidRequestError if nothing is selected, or what is given cannot be: an unknown platform, one without
   *   rechecks, a broken key.
   */
  async sweep(request: SweepRequestDto, as?: Date): Promise<number> {
    const { platform, identity, avatar, all_invalid: allInvalid } = request;
    if (!platform && !identity && !avatar && !allInvalid) {
      throw new InvalidRequestError('Say what to recheck: platform, identity, avatar or all_invalid.');
    }
    const selection: DueSelection = {
      platforms: this.selectPlatforms(platform, identity),
      avatar: avatar ? AvatarKey.parse(avatar) : undefined,
      onlyInvalid: allInvalid === true,
    };
    return this.dueRechecks.makeDue(selection, (await DatabaseClock.start(this.dataSource, as)).now());
  }

  /**
   * Makes rechecks due that no server would set so late: those from before the clock was put back, or RECHECK_SECONDS
   * was made shorter. Some thousands of a platform at a time. `as` replaces the time of the database, for tests.
   */
  async pullBack(as?: Date): Promise<void> {
    const now = (await DatabaseClock.start(this.dataSource, as)).now();
    for (const verifier of this.rechecked()) {
      const { steadySeconds, longestSeconds = steadySeconds } = intervalsOf(verifier, this.environment);
      const mostMs = longestSeconds * 1000 * (1 + RECHECK_SPREAD) + SPARE_MS;
      await this.dueRechecks.pullBack(verifier.platform, now, new Date(now.getTime() + mostMs));
    }
  }

  /** How far the rechecks have come, in all and for each platform on which there is or was something to do. */
  async progress(as?: Date): Promise<RechecksDto> {
    const now = (await DatabaseClock.start(this.dataSource, as)).now();
    const due = await this.dueRechecks.countDue(
      this.rechecked().map(({ platform }) => platform),
      now,
    );
    const parts = this.rechecked()
      .map(({ platform }) => [platform, this.tally.progressOf(platform, due.get(platform)!.count, now)] as const)
      .filter(([, part]) => part.due + part.done + part.failed > 0);
    return { total: totalProgress(parts.map(([, part]) => part)), platforms: Object.fromEntries(parts) };
  }

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const now = (await DatabaseClock.start(this.dataSource)).now();
    const due = [...(await this.dueRechecks.countDue(this.platforms.names(), now))];
    return {
      signet_rechecks_due: due.map(([platform, { count }]) => [{ platform }, count]),
      signet_recheck_overdue_seconds: due.map(([platform, { lateSeconds }]) => [{ platform }, lateSeconds]),
    };
  }

  private rechecked(): PlatformVerifier[] {
    return this.platforms.all().filter((verifier) => !isWallet(verifier));
  }

  private selectPlatforms(platform: string | undefined, identity: string | undefined): DueSelection['platforms'] {
    if (platform) {
      const verifier = this.platforms.get(platform);
      if (isWallet(verifier)) {
        throw new InvalidRequestError(`Proofs on ${platform} do not age and are not rechecked.`, 'not_rechecked');
      }
      return [{ platform, identity: identity ? this.platforms.canonicalIdentity(verifier, identity) : null }];
    }
    return this.rechecked()
      .map((verifier) => ({
        platform: verifier.platform,
        identity: identity ? this.platforms.findIdentity(verifier, identity) : null,
      }))
      .filter((selected) => !identity || selected.identity !== null);
  }
}
