import { Module } from '@nestjs/common';
import { EventWakeUp } from './event-wake-up.js';
import { EventDelivery } from './event-delivery.js';
import { EventLog } from './event-log.js';
import { EventRelay } from './event-relay.js';
import { EventRetention } from './event-retention.js';
import { EventStore } from './event-store.js';
import { ParkedEvents } from './parked-events.js';

@Module({
  providers: [EventStore, EventRelay, EventDelivery, EventLog, EventWakeUp, EventRetention, ParkedEvents],
  exports: [EventStore, EventRelay, EventLog, EventWakeUp, ParkedEvents],
})
export class EventsModule {}
