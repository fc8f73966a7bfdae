import { Global, Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { RECEIPTS } from '../ledger/receipts.js';
import { LogFilesController } from './tiles/log-files.controller.js';
import { FormerStates } from './heads/former-states.js';
import { LogHeads } from './heads/log-heads.js';
import { LogIdentities } from './log-identity.js';
import { LogPlaces } from './heads/log-place.js';
import { LogPolicy } from './witnesses/log-policy.js';
import { LogReport } from './log-report.js';
import { LogSequencer } from './log-sequencer.js';
import { LogStatus } from './log-status.js';
import { LogStore } from './log-store.js';
import { LogTree } from './tiles/log-tree.js';
import { LogWriter } from './log-writer.js';
import { LogController } from './log.controller.js';
import { LogReceipts } from './log-receipts.js';
import { LogMap } from './map/log-map.js';
import { MapStore } from './map/map-store.js';
import { HeadStore } from './heads/head-store.js';
import { MapWriter } from './map/map-writer.js';
import { PlatformModule } from '../platform/platform.module.js';
import { PublishedCheckpoint } from './heads/published-checkpoint.js';
import { WitnessClient } from './witnesses/witness-client.js';
import { WitnessRounds } from './witnesses/witness-rounds.js';
import { WitnessStore } from './witnesses/witness-store.js';

/**
 * The transparency log over all records (docs/log.md). With LOG=off it is not loaded.
 * - Who writes: `LogSequencer`, one server at a time under the lock of the log, has `LogWriter` add what the feeds of
 *   `RecordKinds` have (`records/`) to the tree of `LogStore`, and `MapWriter` bring it into the map (`map/`).
 *   `FormerStates` forgets what nobody is answered by any more. Beside these only commands write (`log-command.ts`).
 * - Who signs: `LogIdentities` has the key. `LogWriter` signs a tree head, which `HeadStore` keeps, in the transaction
 *   that made it, once `LogHeads` (`heads/`) and the witnesses (`witnesses/`) contradict nothing of it; `LogReceipts`
 *   signs promises.
 * - Who reads: `PublishedCheckpoint` says which tree head is shown. `LogTree` (`tiles/`) serves tiles and proofs up to
 *   it, `LogMap` what the map has, `LogReport` how things stand; `LogStatus` is what this server last saw.
 * - Who checks: `LogCheck` computes all of it anew from the records (`npm run log -- check`).
 */
// For receipts in the answers to writes, which modules below it give, and for health checks.
@Global()
@Module({
  imports: [EventsModule, PlatformModule],
  controllers: [LogController, LogFilesController],
  providers: [
    FormerStates,
    HeadStore,
    LogHeads,
    LogIdentities,
    LogMap,
    LogReceipts,
    LogReport,
    LogSequencer,
    LogStatus,
    LogStore,
    LogTree,
    LogWriter,
    LogPlaces,
    LogPolicy,
    MapStore,
    MapWriter,
    PublishedCheckpoint,
    WitnessClient,
    WitnessRounds,
    WitnessStore,
    { provide: RECEIPTS, useExisting: LogReceipts },
  ],
  exports: [LogStatus, RECEIPTS],
})
export class LogModule {}
