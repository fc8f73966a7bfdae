import { Module } from '@nestjs/common';
import { EventStore } from './event-store.js';

@Module({ providers: [EventStore], exports: [EventStore] })
export class EventsModule {}
