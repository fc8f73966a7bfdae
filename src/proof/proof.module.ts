import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofChainModule } from '../proof-chain/proof-chain.module.js';
import { LinkRecorder } from './link-recorder.js';
import { ProofController } from './proof.controller.js';
import { ProofQueries } from './look-up/proof.queries.js';
import { ProofService } from './proof.service.js';
import { ProofStore } from './proof.store.js';
import { RestoreKeyController } from './restore-key.controller.js';
import { LookedUp } from './look-up/looked-up.js';
import { SearchUpkeep } from './look-up/search-upkeep.js';
import { ShownBindings } from './look-up/shown-bindings.js';

@Module({
  imports: [EventsModule, LedgerModule, PlatformModule, ProofChainModule],
  controllers: [ProofController, RestoreKeyController],
  providers: [ProofService, LinkRecorder, LookedUp, ProofQueries, ProofStore, SearchUpkeep, ShownBindings],
  exports: [LookedUp, ProofQueries, ProofService, ProofStore, SearchUpkeep, ShownBindings],
})
export class ProofModule {}
