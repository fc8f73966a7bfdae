import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofChainModule } from '../proof-chain/proof-chain.module.js';
import { CheckHistory } from './check-history.js';
import { EvidenceStore } from './evidence.store.js';
import { LinkRecorder } from './link-recorder.js';
import { ProofCheck } from './proof-check.entity.js';
import { ProofEvidence } from './proof-evidence.entity.js';
import { ProofController } from './proof.controller.js';
import { Proof } from './proof.entity.js';
import { ProofQueries } from './look-up/proof.queries.js';
import { ProofService } from './proof.service.js';
import { ProofStore } from './proof.store.js';
import { ShownBindings } from './look-up/shown-bindings.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Proof, ProofCheck, ProofEvidence]),
    EventsModule,
    LedgerModule,
    PlatformModule,
    ProofChainModule,
  ],
  controllers: [ProofController],
  providers: [ProofService, LinkRecorder, ProofQueries, ProofStore, EvidenceStore, CheckHistory, ShownBindings],
  exports: [ProofService, ProofStore, ShownBindings],
})
export class ProofModule {}
