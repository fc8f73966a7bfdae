import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ConfiguredWebhooks } from './configured-webhooks.js';
import { WebhookListener } from './webhook.listener.js';
import { WebhookLog } from './webhook-log.js';
import { WebhookRules } from './webhook-rules.js';
import { WebhookSubscriptions } from './webhook-subscriptions.js';
import { WebhookSender } from './webhook.sender.js';

@Module({
  imports: [EventsModule, JobsModule, PlatformModule],
  providers: [WebhookRules, WebhookSubscriptions, ConfiguredWebhooks, WebhookLog, WebhookSender, WebhookListener],
  exports: [WebhookSubscriptions, WebhookLog, WebhookSender],
})
export class WebhookModule {}
