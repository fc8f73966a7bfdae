import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { Metrics } from './metrics.js';
import { ServedAs } from '../../http/server/served-as.js';

/**
 * Choice: on the port of the service and without a password, because the numbers name no person and no key; METRICS=off
 * takes the route away, and a proxy in front can keep it inside (docs/operations.md).
 */
@ApiTags('Operation')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @ServedAs('metrics')
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  @ApiOperation({ summary: 'Numbers for Prometheus' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'Text exposition format.', schema: { type: 'string' } })
  getMetrics(): Promise<string> {
    return this.metrics.expose();
  }
}
