import { type DynamicModule, Module } from '@nestjs/common';
import { ActorModule } from './actor/actor.module.js';
import { ScheduleModule } from '@nestjs/schedule';
import { AdminModule } from './admin/admin.module.js';
import { ArchiveModule } from './archive/archive.module.js';
import { BoundsModule } from './bounds/bounds.module.js';
import { BadgeModule } from './badge/badge.module.js';
import { ConfigModule } from './config/config.module.js';
import { Environment } from './config/environment.js';
import type { OpenDatabase } from './database/database.js';
import { DatabaseModule } from './database/database.module.js';
import { DialectModule } from './nextid/dialect.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { EventsModule } from './events/events.module.js';
import { KeysModule } from './keys/keys.module.js';
import { KvModule } from './kv/kv.module.js';
import { LogModule } from './transparency-log/log.module.js';
import { HidingModule } from './hiding/hiding.module.js';
import { EventStreamModule } from './event-stream/event-stream.module.js';
import { WebhookModule } from './webhooks/webhook.module.js';
import { PushModule } from './push/push.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { ProofChainModule } from './proof-chain/proof-chain.module.js';
import { ProofModule } from './proof/proof.module.js';
import { ObserverModule } from './observer/observer.module.js';
import type { RecordKinds } from './ledger/record-kind.js';
import { RECORD_KINDS } from './records/record-kinds.js';
import { RecordsModule } from './records/records.module.js';
import { ResolveModule } from './resolve/resolve.module.js';
import { RechecksModule } from './rechecks/rechecks.module.js';
import { UpgradeModule } from './upgrade/upgrade.module.js';
import { WitnessModule } from './witness/witness.module.js';
import type { WebTransport } from '@signet/look/node';
import { PlatformUseModule } from './outbound/platform-use.module.js';
import { WebModule } from './outbound/web.module.js';

@Module({})
export class AppModule {
  /**
   * @param transport replaces all outgoing connections; only tests and demos give one
   * @param kinds of records; only tests give others
   */
  static forRoot(
    environment: Environment,
    database: OpenDatabase,
    transport?: WebTransport,
    kinds: RecordKinds = RECORD_KINDS,
  ): DynamicModule {
    // One object for both modules that import it: Nest makes a module anew for each object.
    const archive = ArchiveModule.forRoot(environment);
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(environment),
        BoundsModule,
        DatabaseModule.forRoot(database),
        WebModule.forRoot(transport),
        PlatformUseModule,
        ScheduleModule.forRoot(),
        EventsModule,
        ActorModule,
        PlatformModule,
        ProofChainModule,
        ProofModule,
        HidingModule,
        FeedsModule,
        BadgeModule,
        ResolveModule,
        RechecksModule,
        KvModule,
        KeysModule,
        RecordsModule.forRoot(kinds),
        ...(environment.LOG ? [LogModule] : []),
        DialectModule.forRoot(environment),
        archive,
        UpgradeModule,
        EventStreamModule,
        WebhookModule,
        PushModule,
        ErasureModule,
        WitnessModule.forRoot(environment),
        ObserverModule.forRoot(environment),
        ...(environment.ADMIN_TOKEN === undefined ? [] : [{ module: AdminModule, imports: [archive] }]),
        OperationsModule.forRoot(environment),
      ],
    };
  }
}
