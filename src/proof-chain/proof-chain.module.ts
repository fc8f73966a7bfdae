import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChainLink } from './chain-link.entity.js';
import { ProofChainController } from './proof-chain.controller.js';
import { ProofChainService } from './proof-chain.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ChainLink])],
  controllers: [ProofChainController],
  providers: [ProofChainService],
  exports: [ProofChainService],
})
export class ProofChainModule {}
