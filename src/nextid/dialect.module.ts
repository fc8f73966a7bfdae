import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofChainModule } from '../proof-chain/proof-chain.module.js';
import { SubkeyController } from './subkey.controller.js';
import { SubkeyService } from './subkey.service.js';

/** Endpoints that only clients of NextID ask for; `installNextIdDialect` changes the others. */
@Module({})
export class DialectModule {
  static forRoot({ DIALECT }: Environment): DynamicModule {
    const isSpoken = DIALECT === 'nextid';
    return {
      module: DialectModule,
      imports: [PlatformModule, ProofChainModule],
      controllers: isSpoken ? [SubkeyController] : [],
      providers: isSpoken ? [SubkeyService] : [],
    };
  }
}
