import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { KvEntry } from './kv-entry.entity.js';
import { KvFeed } from './kv-feed.js';
import { KvIdentity } from './kv-identity.js';
import { KvPatch } from './patches/kv-patch.entity.js';
import { KvRecorder } from './patches/kv-recorder.js';
import { KvController } from './kv.controller.js';
import { KvQueries } from './kv.queries.js';
import { KvService } from './kv.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([KvPatch, KvEntry]), EventsModule, LedgerModule, PlatformModule, ProofModule],
  controllers: [KvController],
  providers: [KvService, KvQueries, KvRecorder, KvFeed, KvIdentity],
  exports: [KvService, KvFeed],
})
export class KvModule {}
