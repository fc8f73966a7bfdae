import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Environment } from '../config/environment.js';
import { EventStreamModule } from '../event-stream/event-stream.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { DeploymentGauges } from './metrics/deployment-gauges.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { Metrics } from './metrics/metrics.js';
import { ClockWatch } from './health/clock-watch.js';
import { HealthController } from './health/health.controller.js';
import { ProbesController } from './health/probes.controller.js';
import { Readiness } from './health/readiness.js';
import { RequestLog } from './request-log.js';
import { ServedRequests } from './metrics/served-requests.js';
import { TableGauges } from './metrics/table-gauges.js';
import { Tracing } from './tracing/tracing.js';

/** Probes, metrics, traces and limits for operators. This module watches the others, and none of them imports it. */
@Module({})
export class OperationsModule {
  static forRoot({ METRICS }: Environment): DynamicModule {
    return {
      module: OperationsModule,
      imports: [DiscoveryModule, EventStreamModule, PlatformModule, ProofModule],
      controllers: [HealthController, ProbesController, ...(METRICS ? [MetricsController] : [])],
      providers: [
        ServedRequests,
        RequestLog,
        Readiness,
        ClockWatch,
        Tracing,
        ...(METRICS ? [Metrics, DeploymentGauges, TableGauges] : []),
      ],
    };
  }
}
