import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { KV_CHAIN_LOCKS } from '../database/advisory-locks.js';
import { isUniqueViolation } from '../database/pg-errors.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { AlreadyRecordedError, StaleChainError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { ChainHeads } from '../payload/chain-heads.js';
import { KvPatch } from './kv-patch.entity.js';

/** A patch that passed every check and has no place in the chain yet. */
export interface NewPatch {
  avatar: AvatarKey;
  platform: string;
  identity: string;
  /** Canonical JSON. */
  patchText: string;
  createdAt: Date;
  uuid: string;
  signature: string;
  signaturePayload: string;
  /** Signature of the head it was signed on, or null for the first patch. */
  previous: string | null;
}

const APPEND = `
  insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
  select $1, coalesce(head.position_in_chain, 0) + 1, $2, $3, $4, $5, $6, $7, $8
  from (select 1) as always
  left join lateral (
    select position_in_chain, signature from kv_patch where avatar = $1 order by position_in_chain desc limit 1
  ) as head on true
  where head.signature is not distinct from $9::text
  returning id`;

/** The signed patches of all Avatars: one linear chain for each of them. */
@Injectable()
export class KvChainService {
  /** Where payloads are issued and submitted. */
  readonly heads: ChainHeads;

  constructor(@InjectRepository(KvPatch) private readonly patches: Repository<KvPatch>) {
    this.heads = new ChainHeads(patches.manager.dataSource, 'kv_patch');
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
   * @throws StaleChainError if `previous` is not the head (any more). @throws AlreadyRecordedError if this very patch
   *   is in the chain.
   */
  async append(manager: EntityManager, patch: NewPatch): Promise<number> {
    try {
      const rows: { id: string }[] = await manager.query(APPEND, [
        patch.avatar.compressed,
        patch.platform,
        patch.identity,
        patch.patchText,
        patch.createdAt,
        patch.uuid,
        patch.signature,
        patch.signaturePayload,
        patch.previous,
      ]);
      if (rows[0]) return Number(rows[0].id);
    } catch (error) {
      if (isUniqueViolation(error, 'kv_patch_uuid')) throw new AlreadyRecordedError(patch.uuid);
      throw error;
    }
    // The head may have moved because the same submit came twice and the other one was first.
    if (await manager.existsBy(KvPatch, { uuid: patch.uuid })) throw new AlreadyRecordedError(patch.uuid);
    throw new StaleChainError();
  }

  /** One page of an Avatar's chain, oldest patch first. */
  async page(avatar: AvatarKey, page: number): Promise<Page<KvPatch>> {
    const first = offsetOf(page) + 1;
    const [items, total] = await Promise.all([
      this.patches
        .createQueryBuilder('patch')
        .where('patch.avatar = :avatar', { avatar: avatar.compressed })
        .andWhere('patch.positionInChain between :first and :last', { first, last: first + PER_PAGE - 1 })
        .orderBy('patch.positionInChain')
        .getMany(),
      this.lengthOf(avatar),
    ]);
    return { items, total, current: page };
  }

  private async lengthOf(avatar: AvatarKey): Promise<number> {
    const head = await this.patches.findOne({
      select: { positionInChain: true },
      where: { avatar: avatar.compressed },
      order: { positionInChain: 'DESC' },
    });
    return head?.positionInChain ?? 0;
  }
}
