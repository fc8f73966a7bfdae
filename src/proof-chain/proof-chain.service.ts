import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOneOptions, MoreThan, Repository } from 'typeorm';
import { withinShare } from '../database/connections/connection-shares.js';
import { GatheredRead } from '../database/connections/gathered-read.js';
import { Replicas } from '../database/connections/replicas.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { SignedChain, type SignedItem } from '../ledger/signed-chain.js';
import { ChainLink, type LinkAction, type LinkExtra } from './chain-link.entity.js';
import {
  CHAIN_PAGE_AND_LENGTH,
  LINKS_TABLE,
  type LinkRowAndLength,
  readChainPage,
  readChanges,
  type StoredLink,
  toChainPage,
} from './link-rows.js';

/** A link that passed every check and has no position in the chain yet. */
export interface NewLink extends SignedItem {
  action: LinkAction;
  /** Canonical location of the post; `''` where there is none. */
  proofLocation: string;
  extra: LinkExtra;
}

/** The links of all Avatars: one linear chain for each of them, and one feed over all. */
@Injectable()
export class ProofChainService {
  readonly items: SignedChain;
  private readonly pages: GatheredRead<LinkRowAndLength>;

  constructor(
    @InjectRepository(ChainLink) private readonly links: Repository<ChainLink>,
    private readonly replicas: Replicas,
  ) {
    this.items = new SignedChain(links.manager.dataSource, LINKS_TABLE);
    this.pages = new GatheredRead(links.manager.dataSource, CHAIN_PAGE_AND_LENGTH);
  }

  /**
   * One page of an Avatar's chain, oldest link first. The length is always that of the primary; a page that is full and
   * below it may come from a replica.
   */
  async page(avatar: AvatarKey, page: number): Promise<Page<StoredLink>> {
    const first = offsetOf(page) + 1;
    const primary = this.links.manager.dataSource;
    if (!this.replicas.exist) return { ...toChainPage(await this.pages.rows(avatar.compressed, first)), current: page };
    const total = await this.items.length(avatar);
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

  /** Reads the `count` links after `lastId` as entities, in the transaction of `manager`. */
  async linksAfter(manager: EntityManager, lastId: number, count: number): Promise<ChainLink[]> {
    return manager.find(ChainLink, { where: { id: MoreThan(lastId) }, order: { id: 'ASC' }, take: count });
  }

  /** The id of the link with this uuid, or null. */
  async idOf(uuid: string): Promise<number | null> {
    const link = await this.findOne({ where: { uuid }, select: { id: true } });
    return link?.id ?? null;
  }

  /** The link with this uuid (in small letters), or null. */
  async findByUuid(uuid: string): Promise<ChainLink | null> {
    return this.findOne({ where: { uuid } });
  }

  private findOne(options: FindOneOptions<ChainLink>): Promise<ChainLink | null> {
    return withinShare(this.links.manager.dataSource, 'reads', 'chain_link', () => this.links.findOne(options));
  }

  /** The id of the newest link of all Avatars, which is also their number; 0 if there is none. */
  async newestId(): Promise<number> {
    return (await this.links.maximum('id')) ?? 0;
  }

  /** Writes the `archive_id` of a link in the transaction of `manager`, and returns the link. */
  async recordArchived(manager: EntityManager, id: number, archiveId: string): Promise<ChainLink> {
    await manager.update(ChainLink, id, { archiveId });
    return manager.findOneByOrFail(ChainLink, { id });
  }
}
