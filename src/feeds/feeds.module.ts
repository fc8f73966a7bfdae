import { Module } from '@nestjs/common';
import { HidingModule } from '../hiding/hiding.module.js';
import { KvModule } from '../kv/kv.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProofModule } from '../proof/proof.module.js';
import { KeyCards } from './key-cards.js';
import { NewsPages } from './news.js';

/** News of keys and names for readers of feeds, and cards to take along; `serveFeeds` has the addresses. */
@Module({
  imports: [HidingModule, KvModule, PlatformModule, ProofModule],
  providers: [KeyCards, NewsPages],
})
export class FeedsModule {}
