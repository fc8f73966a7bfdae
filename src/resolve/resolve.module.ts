import { Module } from '@nestjs/common';
import { KvModule } from '../kv/kv.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { ProofChainModule } from '../proof-chain/proof-chain.module.js';
import { ResolveController } from './resolve.controller.js';
import { ResolveService } from './resolve.service.js';

@Module({
  imports: [KvModule, PlatformModule, ProofModule, ProofChainModule],
  controllers: [ResolveController],
  providers: [ResolveService],
})
export class ResolveModule {}
