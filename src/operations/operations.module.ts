import { type DynamicModule, Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module.js';
import type { Environment } from '../config/environment.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { EventStreamModule } from '../event-stream/event-stream.module.js';
import { WebhookModule } from '../webhooks/webhook.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { BacklogMetrics } from './backlog-metrics.js';
import { BacklogQueries } from './backlog.queries.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { ProbesController } from './probes.controller.js';
import { Readiness } from './probes.js';
import { RequestLog } from './request-log.js';
import { ServedRequests } from './served-requests.js';
import { Tracing } from './tracing.js';

/** What an operator needs to run the service; it watches the other modules, and none of them imports it. */
@Module({})
export class OperationsModule {
  static forRoot({ METRICS }: Environment): DynamicModule {
    return {
      module: OperationsModule,
      imports: [ArchiveModule, JobsModule, EventStreamModule, WebhookModule, PlatformModule],
      controllers: [ProbesController, ...(METRICS ? [MetricsController] : [])],
      providers: [
        ServedRequests,
        RequestLog,
        Readiness,
        Tracing,
        ...(METRICS ? [Metrics, BacklogMetrics, BacklogQueries] : []),
      ],
    };
  }
}
