import { Module } from '@nestjs/common';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { BadgeController } from './badge.controller.js';

@Module({ imports: [PlatformModule, ProofModule], controllers: [BadgeController] })
export class BadgeModule {}
