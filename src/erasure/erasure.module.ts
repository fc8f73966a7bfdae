import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { ErasureRests } from './erasure-rests.js';

/** What erasures leave to the servers. */
@Module({ imports: [EventsModule], providers: [ErasureRests] })
export class ErasureModule {}
