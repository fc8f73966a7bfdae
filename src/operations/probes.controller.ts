import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ErrorBody } from '../http/error-body.js';
import { Readiness } from './probes.js';

export class ProbeDto {
  @ApiProperty({
    description: 'Always `ok`; what is not well has another status.',
    enum: ['ok'],
    enumName: 'ProbeStatus',
  })
  status: 'ok';
}

/** For whoever starts, stops and routes to this process; clients of the API ask `GET /healthz`. */
@ApiTags('Operation')
@Controller()
export class ProbesController {
  constructor(private readonly readiness: Readiness) {}

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
  @ApiOkResponse({ type: ProbeDto })
  @ApiServiceUnavailableResponse({ type: ErrorBody })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ProbeDto | ErrorBody> {
    const reason = await this.readiness.unavailableReason();
    if (reason) void reply.status(HttpStatus.SERVICE_UNAVAILABLE);
    return reason ?? { status: 'ok' };
  }
}
