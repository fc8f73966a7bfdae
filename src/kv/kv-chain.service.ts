import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { KV_CHAIN_LOCKS } from '../database/advisory-locks.js';
import { withinShare } from '../database/connection-shares.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { offsetOf, type Page } from '../domain/page.js';
import { SignedChain, type SignedItem } from '../payload/signed-chain.js';
import { KvPatch } from './kv-patch.entity.js';

/** A patch that passed every check and has no position in the chain yet. */
export interface NewPatch extends SignedItem {
  /** Canonical JSON. */
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
    this.items = new SignedChain(patches.manager.dataSource, {
      name: 'kv_patch',
      uuidConstraint: 'kv_patch_uuid',
      ownColumns: ['patch'],
    });
  }

  /**
   * Makes the writers of one Avatar queue until the end of the transaction, so that each sees what the previous one
   * committed. Call it first, at READ COMMITTED. Unlike links, patches have no feed over all Avatars, so writers of
   * different Avatars need not wait for each other. No deadlock can come of it: a transaction takes one such lock
   * before any row lock, whoever holds it waits for none of its kind, and no other transaction asks for it. Two Avatars
   * whose hashes collide merely wait for each other.
   */
  async lock(manager: EntityManager, avatar: AvatarKey): Promise<void> {
    await manager.query('select pg_advisory_xact_lock($1, hashtext($2))', [KV_CHAIN_LOCKS, avatar.compressed]);
  }

  /**
   * Adds a patch to the head of its chain, under `lock`.
   * @returns the id of the patch.
   * @throws StaleChainError, AlreadyRecordedError
   */
  async append(manager: EntityManager, patch: NewPatch): Promise<number> {
    return this.items.append(manager, patch, [patch.patchText]);
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
      withinShare(this.patches.manager.dataSource, 'reads', () => query.getMany()),
      this.items.length(avatar),
    ]);
    return { items, total, current: page, per: PER_CHAIN_PAGE };
  }
}
