import { Controller, Get, HttpStatus, Inject, Optional, Res } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { STEP_STATES, type StepState, UpgradeStatus } from '../../database/schema/upgrade-status.js';
import { ErrorBody } from '../../http/error-body.js';
import { Answers } from '../../http/answers.js';
import { FRACTION } from '../../http/validation/fields.js';
import { SearchUpkeep } from '../../proof/look-up/search-upkeep.js';
import { ServedAs } from '../../http/server/served-as.js';
import { LogHealthDto, toLogHealth } from '../../transparency-log/published/log-health.dto.js';
import { LogStatus } from '../../transparency-log/signing/heads/log-status.js';
import { ClockWatch, disagree } from './clock-watch.js';
import { Readiness } from './readiness.js';

/** Seconds after which a probe that was answered with 503 may ask again. */
const RETRY_SECONDS = 5;
/** Seconds from which on it is told that the index of searches is behind; it is filled once a second. */
const SEARCH_BEHIND_SECONDS = 30;
/** Milliseconds after which a probe is answered without the state of searches. */
const SEARCH_PATIENCE_MS = 500;

export class ProbeDto {
  @ApiProperty({
    description: 'Always `ok`; what is not well has another status.',
    enum: ['ok'],
    enumName: 'ProbeStatus',
  })
  status: 'ok';
}

/** One step of the long work of an upgrade. */
export class UpgradeStepDto {
  @ApiProperty({ description: 'Name of the step.', example: 'kv_patch_feed' })
  id: string;

  @ApiProperty({
    description: '`waiting` for the steps before it; `stuck`: it failed and is tried again, and the log says why.',
    enum: STEP_STATES,
    enumName: 'UpgradeStepState',
    example: 'running',
  })
  state: StepState;

  @ApiProperty({ ...FRACTION, description: 'How much of it is done, from 0 to 1.', example: 0.25 })
  progress: number;
}

/** The long work of an upgrade. */
export class UpgradeDto {
  @ApiProperty({ description: 'Steps that are done.', example: 3 })
  done: number;

  @ApiProperty({ description: 'The others, in their order; one is worked on at a time.', type: [UpgradeStepDto] })
  steps: UpgradeStepDto[];
}

/** Clocks that disagree. */
export class ClockDto {
  @ApiProperty({
    description:
      'Seconds by which the clock of this server is ahead of that of the database; negative where it is behind.',
    example: 400,
  })
  ahead_of_database_seconds: number;

  @ApiProperty({
    description: 'Seconds by which the newest link lies in the future, because a clock was put back.',
    example: 0,
  })
  newest_link_ahead_seconds: number;
}

/** The index of searches, where it is behind. */
export class SearchDto {
  @ApiProperty({ description: 'Bindings that are not in it yet, counted up to 10,000.', example: 4200 })
  waiting: number;

  @ApiProperty({ description: 'Seconds since the oldest of them was recorded.', example: 45 })
  lag_seconds: number;
}

/** The answer of the readiness probe, with details that are no reason to send requests to another server. */
export class ReadinessDto extends ProbeDto {
  @ApiPropertyOptional({ description: 'The transparency log; absent with LOG=off.', type: LogHealthDto })
  log?: LogHealthDto;

  @ApiPropertyOptional({
    description: 'The long work of an upgrade, which servers do while they serve; absent once all of it is done.',
    type: UpgradeDto,
  })
  upgrade?: UpgradeDto;

  @ApiPropertyOptional({
    description: 'Clocks that disagree by a minute or more, which an operator has to set right; absent otherwise.',
    type: ClockDto,
  })
  clock?: ClockDto;

  @ApiPropertyOptional({
    description:
      'The index of searches, if a binding has waited for it for half a minute; absent otherwise. Exact lookups find ' +
      'all bindings meanwhile, and searches the newest thousand of those that wait.',
    type: SearchDto,
  })
  search?: SearchDto;
}

/** Probes for supervisors and load balancers; clients of the API use `GET /healthz`. */
@ApiTags('Operation')
@Controller()
export class ProbesController {
  constructor(
    private readonly readiness: Readiness,
    private readonly upgrade: UpgradeStatus,
    private readonly clocks: ClockWatch,
    private readonly searches: SearchUpkeep,
    @Optional() @Inject(LogStatus) private readonly log: LogStatus | undefined,
  ) {}

  @Get('livez')
  @ServedAs('probes')
  @Answers(ProbeDto, 'Whether this process is alive; makes no query')
  getLiveness(): ProbeDto {
    return { status: 'ok' };
  }

  @Get('readyz')
  @ServedAs('probes')
  @Answers(ReadinessDto, 'Whether this server can serve: the database answers and its schema is up to date')
  async getReadiness(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessDto | ErrorBody> {
    const reason = await this.readiness.unavailableReason();
    if (reason) void reply.status(HttpStatus.SERVICE_UNAVAILABLE).header('Retry-After', String(RETRY_SECONDS));
    // No reason to send requests elsewhere: a log that refuses to sign, work that is left, a clock that is wrong, an
    // index that is behind.
    if (reason) return reason;
    return {
      status: 'ok',
      ...(this.log && toLogHealth(this.log)),
      ...(await this.upgradeLeft()),
      ...(await this.clockTrouble()),
      ...(await this.searchTrouble()),
    };
  }

  /** Nothing if the database does not answer. */
  private async searchTrouble(): Promise<{ search?: SearchDto }> {
    const lag = await this.searches.lagWithin(SEARCH_PATIENCE_MS);
    if (!lag || lag.lagSeconds < SEARCH_BEHIND_SECONDS) return {};
    return { search: { waiting: lag.waiting, lag_seconds: Math.floor(lag.lagSeconds) } };
  }

  private async clockTrouble(): Promise<{ clock?: ClockDto }> {
    const clocks = await this.clocks.read();
    if (!clocks || !disagree(clocks)) return {};
    const { aheadOfDatabase, newestLinkAhead } = clocks;
    const clock = { ahead_of_database_seconds: aheadOfDatabase, newest_link_ahead_seconds: newestLinkAhead };
    return { clock };
  }

  /** The unfinished steps of an upgrade; nothing if all are done or the database does not answer. */
  private async upgradeLeft(): Promise<{ upgrade?: UpgradeDto }> {
    const steps = await this.upgrade.steps().catch(() => []);
    const left = steps.filter(({ state }) => state !== 'done');
    if (left.length === 0) return {};
    return {
      upgrade: {
        done: steps.length - left.length,
        steps: left.map(({ id, state, part }) => ({ id, state, progress: Math.floor(part * 1000) / 1000 })),
      },
    };
  }
}
