import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { KvModule } from '../kv/kv.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ProofChainModule } from '../proof-chain/proof-chain.module.js';
import { KeyChain } from './key-chain.js';
import { KeyDeadlines } from './due/key-deadlines.js';
import { KeyRecorder } from './key-recorder.js';
import { OwnersContentReader } from './judging/owners-content.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';

/** Recovery keys and succession (docs/keys.md). */
@Module({
  imports: [EventsModule, JobsModule, LedgerModule, ProofChainModule, KvModule],
  controllers: [KeysController],
  providers: [KeysService, KeyChain, KeyRecorder, KeyDeadlines, OwnersContentReader],
})
export class KeysModule {}
