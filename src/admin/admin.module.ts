import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { PlatformUseModule } from '../outbound/platform-use.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { WebhookModule } from '../webhooks/webhook.module.js';
import { RechecksModule } from '../rechecks/rechecks.module.js';
import { ArchiveController } from './archive.controller.js';
import { CircuitsController } from './circuits.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { HidingModule } from '../hiding/hiding.module.js';
import { HidingController } from './hiding.controller.js';
import { JobsController } from './jobs.controller.js';
import { ParkedEventsController } from './parked-events.controller.js';
import { PlatformUseController } from './platform-use.controller.js';
import { RechecksController } from './rechecks.controller.js';
import { SubscriptionsController } from './webhooks/subscriptions.controller.js';

/**
 * The HTTP interface for operators. Without ADMIN_TOKEN this module is not loaded, and its routes do not exist.
 */
@Module({
  imports: [EventsModule, HidingModule, JobsModule, PlatformUseModule, ProofModule, RechecksModule, WebhookModule],
  controllers: [
    SubscriptionsController,
    DeliveriesController,
    JobsController,
    ParkedEventsController,
    RechecksController,
    PlatformUseController,
    CircuitsController,
    ArchiveController,
    HidingController,
  ],
})
export class AdminModule {}
