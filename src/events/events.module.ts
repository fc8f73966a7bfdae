import { Module } from '@nestjs/common';
import { EventBell } from './event-bell.js';
import { EventDelivery } from './event-delivery.js';
import { EventLog } from './event-log.js';
import { EventRelay } from './event-relay.js';
import { EventStore } from './event-store.js';

@Module({
  providers: [EventStore, EventRelay, EventDelivery, EventLog, EventBell],
  exports: [EventStore, EventRelay, EventLog, EventBell],
})
export class EventsModule {}
