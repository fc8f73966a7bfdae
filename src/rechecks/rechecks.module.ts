import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { DueRechecks } from './due-rechecks.js';
import { LookedUpRechecks } from './looked-up-rechecks.js';
import { RecheckTally } from './recheck-tally.js';
import { RecheckVerdicts } from './recheck-verdicts.js';
import { RecheckRunner } from './recheck.runner.js';
import { RecheckScheduler } from './recheck.scheduler.js';
import { RecheckService } from './recheck.service.js';

@Module({
  imports: [EventsModule, PlatformModule, ProofModule],
  providers: [
    DueRechecks,
    LookedUpRechecks,
    RecheckVerdicts,
    RecheckTally,
    RecheckRunner,
    RecheckService,
    RecheckScheduler,
  ],
  exports: [RecheckService],
})
export class RechecksModule {}
