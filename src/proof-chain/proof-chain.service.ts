import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, Repository } from 'typeorm';
import { takeAppendLock } from '../database/advisory-locks.js';
import { GatheredRead } from '../database/gathered-read.js';
import { isUniqueViolation } from '../database/pg-errors.js';
import { Replicas } from '../database/replicas.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { AlreadyRecordedError, StaleChainError } from '../domain/domain-errors.js';
import { ChainHeads } from '../payload/chain-heads.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { ChainLink, type LinkAction, type LinkExtra } from './chain-link.entity.js';
import {
  CHAIN_PAGE_AND_LENGTH,
  type LinkRowAndLength,
  readChainPage,
  readChanges,
  type StoredLink,
  toChainPage,
} from './link-rows.js';

/** A link that passed every check and has no place in the chain yet. */
export interface NewLink {
  avatar: AvatarKey;
  action: LinkAction;
  platform: string;
  identity: string;
  proofLocation: string;
  createdAt: Date;
  uuid: string;
  signature: string;
  signaturePayload: string;
  extra: LinkExtra;
  /** Signature of the head it was signed on, or null for the first link. */
  previous: string | null;
}

const APPEND = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, proof_location, created_at, uuid, signature,
    signature_payload, extra)
  select coalesce((select max(id) from chain_link), 0) + 1, $1, coalesce(head.position_in_chain, 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9, $10
  from (select 1) as always
  left join lateral (
    select position_in_chain, signature from chain_link where avatar = $1 order by position_in_chain desc limit 1
  ) as head on true
  where head.signature is not distinct from $11::text
  returning id`;

/** The links of all Avatars: one linear chain for each of them, and one feed over all. The verbs are those of a log. */
@Injectable()
export class ProofChainService {
  /** Where payloads are issued and submitted. */
  readonly heads: ChainHeads;
  private readonly pages: GatheredRead<LinkRowAndLength>;

  constructor(
    @InjectRepository(ChainLink) private readonly links: Repository<ChainLink>,
    private readonly replicas: Replicas,
  ) {
    this.heads = new ChainHeads(links.manager.dataSource, 'chain_link');
    this.pages = new GatheredRead(links.manager.dataSource, CHAIN_PAGE_AND_LENGTH);
  }

  /** Whether a link with this uuid is stored, in the transaction of `manager`. */
  async isRecorded(uuid: string, manager: EntityManager): Promise<boolean> {
    const rows: unknown[] = await manager.query('select 1 from chain_link where uuid = $1', [uuid]);
    return rows.length > 0;
  }

  /**
   * Adds a link to the head of its chain, inside the caller's transaction and after every row lock the caller needs.
   * @returns the id of the link.
   * @throws StaleChainError if `previous` is not the head (any more). @throws AlreadyRecordedError if the uuid is
   *   taken.
   */
  async append(manager: EntityManager, link: NewLink): Promise<number> {
    await takeAppendLock(manager);
    try {
      const rows: { id: string }[] = await manager.query(APPEND, [
        link.avatar.compressed,
        link.action,
        link.platform,
        link.identity,
        link.proofLocation,
        link.createdAt,
        link.uuid,
        link.signature,
        link.signaturePayload,
        JSON.stringify(link.extra),
        link.previous,
      ]);
      if (rows[0]) return Number(rows[0].id);
    } catch (error) {
      if (isUniqueViolation(error, 'chain_link_uuid')) throw new AlreadyRecordedError(link.uuid);
      throw error;
    }
    // The head may have moved because the same submit came twice and the other one was first.
    if (await this.isRecorded(link.uuid, manager)) throw new AlreadyRecordedError(link.uuid);
    throw new StaleChainError();
  }

  /**
   * One page of an Avatar's chain, oldest link first. The length is always that of the primary; a page that is full and
   * below it may come from a replica.
   */
  async page(avatar: AvatarKey, page: number): Promise<Page<StoredLink>> {
    const first = offsetOf(page) + 1;
    const primary = this.links.manager.dataSource;
    if (!this.replicas.exist) return { ...toChainPage(await this.pages.rows(avatar.compressed, first)), current: page };
    const total = await this.lengthOf(avatar);
    const read = (manager: EntityManager) => readChainPage(manager.dataSource, avatar, first);
    const copy = first + PER_PAGE <= total ? await this.replicas.ask(read) : null;
    const items = copy?.length === PER_PAGE ? copy : await readChainPage(primary, avatar, first);
    return { items, total, current: page };
  }

  /**
   * Links of all Avatars with an id above `lastId`, ascending. Ids are gapless and become visible in order, so a reader
   * that follows them misses none. A replica's page counts only if it is full and begins right behind `lastId`: then
   * nothing can be missing in it.
   */
  async changesAfter(lastId: number, count: number): Promise<StoredLink[]> {
    const read = (manager: EntityManager) => readChanges(manager.dataSource, lastId, count);
    const copy = await this.replicas.ask(read);
    return copy?.at(-1)?.id === lastId + count ? copy : read(this.links.manager);
  }

  /** The same as entities, in the transaction of `manager`. */
  async linksAfter(manager: EntityManager, lastId: number, count: number): Promise<ChainLink[]> {
    return manager.find(ChainLink, { where: { id: MoreThan(lastId) }, order: { id: 'ASC' }, take: count });
  }

  /** The id of the newest link of all Avatars, which is also their number; 0 if there is none. */
  async newestId(): Promise<number> {
    return (await this.links.maximum('id')) ?? 0;
  }

  /** Writes where a link stands in the permanent storage, in the transaction of `manager`, and answers the link. */
  async recordArchived(manager: EntityManager, id: number, archiveId: string): Promise<ChainLink> {
    await manager.update(ChainLink, id, { archiveId });
    return manager.findOneByOrFail(ChainLink, { id });
  }

  private async lengthOf(avatar: AvatarKey): Promise<number> {
    const head = await this.links.findOne({
      select: { positionInChain: true },
      where: { avatar: avatar.compressed },
      order: { positionInChain: 'DESC' },
    });
    return head?.positionInChain ?? 0;
  }
}
