import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { withinShare } from '../database/connections/connection-shares.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { offsetOf, type Page } from '../domain/page.js';
import { SignedChain, type SignedItem } from '../ledger/signed-chain.js';
import { KvPatch } from './patches/kv-patch.entity.js';

/** The table of patches. */
export const PATCHES_TABLE = 'kv_patch';

/** A patch that passed every check and has no position in the chain yet. */
export interface NewPatch extends SignedItem {
  patch: object;
  /** Canonical JSON of it. */
  patchText: string;
}

/**
 * Patches of a page. Fewer than elsewhere, so that a page stays under 2 MB: a patch of 64 KiB stands in its item twice,
 * once inside a text, where escapes can double it.
 */
const PER_CHAIN_PAGE = 10;

/** The signed patches of all Avatars: one linear chain for each of them. */
@Injectable()
export class KvChainService {
  readonly items: SignedChain;

  constructor(@InjectRepository(KvPatch) private readonly patches: Repository<KvPatch>) {
    this.items = new SignedChain(patches.manager.dataSource, PATCHES_TABLE);
  }

  /** One page of an Avatar's chain, oldest patch first. */
  async page(avatar: AvatarKey, page: number): Promise<Page<KvPatch>> {
    const first = offsetOf(page, PER_CHAIN_PAGE) + 1;
    const query = this.patches
      .createQueryBuilder('patch')
      .where('patch.avatar = :avatar', { avatar: avatar.compressed })
      .andWhere('patch.positionInChain between :first and :last', { first, last: first + PER_CHAIN_PAGE - 1 })
      .orderBy('patch.positionInChain');
    const [items, total] = await Promise.all([
      withinShare(this.patches.manager.dataSource, 'reads', 'kv_patch', () => query.getMany()),
      this.items.length(avatar),
    ]);
    return { items, total, current: page, per: PER_CHAIN_PAGE };
  }
}
