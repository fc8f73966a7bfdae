import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { KvFeed } from './kv-feed.js';
import { KvIdentity } from './kv-identity.js';
import { KvRecorder } from './patches/kv-recorder.js';
import { KvController } from './kv.controller.js';
import { KvQueries } from './kv.queries.js';
import { ProfileNames } from './profile-names.js';
import { KvService } from './kv.service.js';
import { PatchNumbering } from './patch-numbering.js';

@Module({
  imports: [EventsModule, LedgerModule, PlatformModule, ProofModule],
  controllers: [KvController],
  providers: [KvService, KvQueries, KvRecorder, KvFeed, KvIdentity, PatchNumbering, ProfileNames],
  exports: [KvService, KvFeed, KvIdentity, KvQueries, ProfileNames],
})
export class KvModule {}
