import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ErrorBody } from '../../http/error-body.js';
import { MetricsUnavailableError } from './metrics-workers.js';
import { Metrics } from './metrics.js';

/**
 * Choice: on the port of the service and without a password, because the numbers name no person and no key; METRICS=off
 * takes the route away, and a proxy in front can keep it inside (docs/operations.md).
 */
@ApiTags('Operation')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @ApiOperation({ operationId: 'getMetrics', summary: 'Numbers for Prometheus' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'Text exposition format.', schema: { type: 'string' } })
  async show(@Res({ passthrough: true }) reply: FastifyReply): Promise<string | ErrorBody> {
    try {
      const { text, contentType } = await this.metrics.expose();
      void reply.type(contentType);
      return text;
    } catch (error) {
      if (!(error instanceof MetricsUnavailableError)) throw error;
      void reply.status(503).header('Retry-After', '5');
      return { message: error.message, code: 'unavailable' };
    }
  }
}
