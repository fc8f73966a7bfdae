import { Module } from '@nestjs/common';
import { EventBell } from './event-bell.js';
import { EventDelivery } from './event-delivery.js';
import { EventLog } from './event-log.js';
import { EventRelay } from './event-relay.js';
import { EventRetention } from './event-retention.js';
import { EventStore } from './event-store.js';
import { ParkedEvents } from './parked-events.js';

@Module({
  providers: [EventStore, EventRelay, EventDelivery, EventLog, EventBell, EventRetention, ParkedEvents],
  exports: [EventStore, EventRelay, EventLog, EventBell, ParkedEvents],
})
export class EventsModule {}
