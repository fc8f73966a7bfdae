import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { EventWakeUp } from './event-wake-up.js';
import { EventDelivery } from './event-delivery.js';
import { EventGauges } from './event-gauges.js';
import { EventListeners } from './event-listeners.js';
import { EventLog } from './event-log.js';
import { EventRelay } from './event-relay.js';
import { EventRetention } from './event-retention.js';
import { EventStore } from './event-store.js';
import { ParkedEvents } from './parked-events.js';

@Module({
  imports: [DiscoveryModule, EventEmitterModule.forRoot()],
  providers: [
    EventGauges,
    EventStore,
    EventListeners,
    EventRelay,
    EventDelivery,
    EventLog,
    EventWakeUp,
    EventRetention,
    ParkedEvents,
  ],
  exports: [EventStore, EventRelay, EventLog, EventWakeUp, ParkedEvents],
})
export class EventsModule {}
