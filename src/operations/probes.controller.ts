import { Controller, Get, HttpStatus, Inject, Optional, Res } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ErrorBody } from '../http/error-body.js';
import { LOG_HEALTH, type LogHealth, LogHealthDto, toLogHealth } from '../http/log-health.js';
import { Readiness } from './probes.js';

export class ProbeDto {
  @ApiProperty({
    description: 'Always `ok`; what is not well has another status.',
    enum: ['ok'],
    enumName: 'ProbeStatus',
  })
  status: 'ok';
}

/** The same with details that are no reason to send requests elsewhere. */
export class ReadinessDto extends ProbeDto {
  @ApiPropertyOptional({ description: 'The transparency log; absent with LOG=off.', type: LogHealthDto })
  log?: LogHealthDto;
}

/** For whoever starts, stops and routes to this process; clients of the API ask `GET /healthz`. */
@ApiTags('Operation')
@Controller()
export class ProbesController {
  constructor(
    private readonly readiness: Readiness,
    @Optional() @Inject(LOG_HEALTH) private readonly log?: LogHealth,
  ) {}

  @Get('livez')
  @ApiOperation({ operationId: 'getLiveness', summary: 'Whether this process is alive; asks nobody' })
  @ApiOkResponse({ type: ProbeDto })
  live(): ProbeDto {
    return { status: 'ok' };
  }

  @Get('readyz')
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Whether this server can serve: the database answers and its schema is up to date',
  })
  @ApiOkResponse({ type: ReadinessDto })
  @ApiServiceUnavailableResponse({ type: ErrorBody })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessDto | ErrorBody> {
    const reason = await this.readiness.unavailableReason();
    if (reason) void reply.status(HttpStatus.SERVICE_UNAVAILABLE);
    // A log that refuses to sign is no reason to send requests elsewhere.
    return reason ?? { status: 'ok', ...toLogHealth(this.log) };
  }
}
