import { Global, Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { RECEIPTS } from '../ledger/receipts.js';
import { WITNESSED_CLOCK } from '../keys/witnessed-clock.js';
import { WITNESSES_CLOCK } from './signing/recorded-times.js';
import { LogFilesController } from './published/log-files.controller.js';
import { FormerStates } from './former-states.js';
import { LogHeads } from './signing/heads/log-heads.js';
import { LogIdentities } from './signing/heads/log-identity.js';
import { LogPlaces } from './signing/heads/log-place.js';
import { LogPolicy } from './signing/witnesses/log-policy.js';
import { LogReport } from './published/log-report.js';
import { LogSequencer } from './log-sequencer.js';
import { LogStatus } from './signing/heads/log-status.js';
import { LogStore } from './signing/heads/log-store.js';
import { LogTree } from './published/log-tree.js';
import { LogWriter } from './log-writer.js';
import { LogController } from './published/log.controller.js';
import { LogReceipts } from './signing/log-receipts.js';
import { LogSigner } from './signing/log-signer.js';
import { LogMap } from './published/log-map.js';
import { MapStore } from './tree/map/map-store.js';
import { HeadStore } from './signing/heads/head-store.js';
import { MapWriter } from './tree/map/map-writer.js';
import { TreeStore } from './tree/tree-store.js';
import { PlatformModule } from '../platform/platform.module.js';
import { PublishedCheckpoint } from './published/published-checkpoint.js';
import { WitnessClient } from './signing/witnesses/witness-client.js';
import { WitnessRounds } from './signing/witnesses/witness-rounds.js';
import { WitnessStore } from './signing/witnesses/witness-store.js';

/**
 * The transparency log over all records (docs/log.md). With LOG=off it is not loaded.
 * - Who writes: `LogSequencer`, one server at a time under the lock of the log, has `LogWriter` make batches. It takes
 *   in what the feeds of `RecordKinds` have; a `GrowingTree` (`tree/`) grows the tree and its map by that. It knows no
 *   key and no clock, so it grows by the entries of a log that another server signs as well. `FormerStates` forgets
 *   what answers no reader any more. Beside these only commands write (`log-command.ts`).
 * - Who signs: `LogSigner` (`signing/`), in the transaction of the batch, where neither the database, nor what this
 *   server remembers (`signing/heads/`), nor the witnesses (`signing/witnesses/`) contradict it. `LogIdentities` has
 *   the key. `LogReceipts` signs promises.
 * - Who reads: `PublishedCheckpoint` (`published/`) says which tree head is shown. `LogTree` serves tiles and proofs up
 *   to it, `LogMap` what the map has, `LogReport` how things stand; `LogStatus` is what this server last saw.
 * - Who checks: `LogCheck` (`check/`) computes all of it anew from the records (`npm run log -- check`).
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
    LogSigner,
    LogStatus,
    LogStore,
    LogTree,
    LogWriter,
    LogPlaces,
    LogPolicy,
    MapStore,
    MapWriter,
    PublishedCheckpoint,
    TreeStore,
    WitnessClient,
    WitnessRounds,
    WitnessStore,
    { provide: RECEIPTS, useExisting: LogReceipts },
    { provide: WITNESSED_CLOCK, useValue: WITNESSES_CLOCK },
  ],
  exports: [LogMap, LogReport, LogStatus, LogTree, RECEIPTS, WITNESSED_CLOCK],
})
export class LogModule {}
