import { Module } from '@nestjs/common';
import { ReplayBudget } from './replay-budget.js';
import { EventsModule } from '../events/events.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { EventStreamTail } from './event-stream-tail.js';
import { EventStreamController } from './event-stream.controller.js';
import { EventStreamService } from './event-stream.service.js';

@Module({
  imports: [EventsModule, PlatformModule],
  controllers: [EventStreamController],
  providers: [EventStreamService, EventStreamTail, ReplayBudget],
  exports: [EventStreamService],
})
export class EventStreamModule {}
