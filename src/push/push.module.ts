import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { PushController } from './push.controller.js';
import { PushListener } from './push.listener.js';
import { PushSender } from './push.sender.js';
import { PushSubscriptions } from './push-subscriptions.js';
import { PushUpkeep } from './push-upkeep.js';

/** Browsers are told of changes of an Avatar, by Web Push (RFC 8030). */
@Module({
  imports: [EventsModule, JobsModule],
  controllers: [PushController],
  providers: [PushSubscriptions, PushSender, PushListener, PushUpkeep],
  exports: [PushSender],
})
export class PushModule {}
