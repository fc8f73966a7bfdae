import { Module } from '@nestjs/common';
import { ProofChainController } from './proof-chain.controller.js';
import { ProofChainService } from './proof-chain.service.js';

@Module({ controllers: [ProofChainController], providers: [ProofChainService], exports: [ProofChainService] })
export class ProofChainModule {}
