import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofChainModule } from '../proof-chain/proof-chain.module.js';
import { CollectedStatements } from './collected-statements.js';
import { FeedFollower } from './feed-follower.js';
import { LookRunner } from './look-runner.js';
import { ObservedLinks } from './observed-links.js';
import { ObserverIdentity } from './observer-identity.js';
import { ObserverController, SeenKeysController } from './observer.controller.js';
import { SeenStatements } from './seen-statements.js';

/** What servers see of each other's bindings; without LOOK_AT and OBSERVERS there is no key and no work. */
@Module({})
export class ObserverModule {
  static forRoot({ LOOK_AT, OBSERVERS }: Environment): DynamicModule {
    if (LOOK_AT.length === 0 && OBSERVERS === undefined) {
      return { module: ObserverModule, controllers: [SeenKeysController], providers: [ObserverIdentity] };
    }
    return {
      module: ObserverModule,
      imports: [JobsModule, PlatformModule, ProofChainModule],
      controllers: [SeenKeysController, ObserverController],
      providers: [
        ...[CollectedStatements, FeedFollower, ObservedLinks, ObserverIdentity, SeenStatements],
        ...(LOOK_AT.length === 0 ? [] : [LookRunner]),
      ],
    };
  }
}
