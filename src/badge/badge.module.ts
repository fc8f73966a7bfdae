import { Module } from '@nestjs/common';
import { HidingModule } from '../hiding/hiding.module.js';
import { KvModule } from '../kv/kv.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { BadgeController } from './badge.controller.js';

@Module({ imports: [HidingModule, KvModule, PlatformModule, ProofModule], controllers: [BadgeController] })
export class BadgeModule {}
