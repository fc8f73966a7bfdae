import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { EventsModule } from '../events/events.module.js';
import { RECEIPTS } from '../ledger/receipts.js';
import { KvModule } from '../kv/kv.module.js';
import { ProofChainModule } from '../proof-chain/proof-chain.module.js';
import { LogFilesController } from './tiles/log-files.controller.js';
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
import { MapWriter } from './map/map-writer.js';
import { PlatformModule } from '../platform/platform.module.js';
import { PublishedCheckpoint } from './heads/published-checkpoint.js';
import { WitnessClient } from './witnesses/witness-client.js';
import { WitnessRounds } from './witnesses/witness-rounds.js';
import { WitnessStore } from './witnesses/witness-store.js';

/**
 * The transparency log over all links and patches. With LOG=off there are no routes and no entries, and the sequencer
 * only numbers patches for their feed.
 */
@Module({})
export class LogModule {
  static forRoot({ LOG }: Environment): DynamicModule {
    return {
      module: LogModule,
      // For receipts in the answers to writes, which modules below it give.
      global: true,
      imports: [EventsModule, KvModule, PlatformModule, ProofChainModule],
      controllers: LOG ? [LogController, LogFilesController] : [],
      providers: [
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
        ...(LOG ? [{ provide: RECEIPTS, useExisting: LogReceipts }] : []),
      ],
      exports: [
        LogIdentities,
        LogReport,
        LogStatus,
        LogStore,
        LogTree,
        PublishedCheckpoint,
        ...(LOG ? [RECEIPTS] : []),
      ],
    };
  }
}
