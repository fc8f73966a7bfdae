import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { GatheredRead } from '../database/connections/gathered-read.js';
import { readRows } from '../database/connections/prepared.js';
import { Replicas } from '../database/replicas.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { offsetOf, type PageOf, PER_PAGE } from '../domain/page.js';
import type { StoredJson } from '../http/stored-json.js';
import type { RecordPage } from '../ledger/record-feed.js';
import { type GaugeSource, Measured, type Readings } from '../measures/measured.js';
import {
  chainPageSql,
  type ChainPageRow,
  SignedChain,
  type IdentityItem,
  toChainPage,
} from '../ledger/signed-chain.js';
import type { ChainLink, LinkAction, LinkExtra } from './chain-link.entity.js';
import { LINK_FEED, LINK_MEMBERS, LINKS_TABLE } from './link-rows.js';

/** A link that passed every check and has no position in the chain yet. */
export interface NewLink extends IdentityItem {
  action: LinkAction;
  /** Canonical location of the post; `''` where there is none. */
  proofLocation: string;
  extra: LinkExtra;
}

const pageSql = (avatar: string, first: string) => chainPageSql(LINKS_TABLE, LINK_MEMBERS, avatar, first, PER_PAGE);

const COPIED_PAGE = pageSql('$1', '$2');
const GAUGES = { signet_links: ['Links of all chains'] } as const;

/** The links of all Avatars: one linear chain for each of them, and one feed over all. */
@Injectable()
@Measured()
export class ProofChainService implements GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;
  readonly items: SignedChain;
  private readonly pages: GatheredRead<ChainPageRow>;

  constructor(
    private readonly source: DataSource,
    private readonly replicas: Replicas,
  ) {
    this.items = new SignedChain(source, LINKS_TABLE);
    const key = { avatar: 'text', first: 'bigint' };
    this.pages = new GatheredRead(source, { key, tables: [LINKS_TABLE], sql: pageSql('key.avatar', 'key.first') });
  }

  /**
   * One page of an Avatar's chain, oldest link first. The length is always that of the primary; a page that is full and
   * below it may come from a replica.
   */
  async page(avatar: AvatarKey, page: number): Promise<PageOf<StoredJson>> {
    const first = offsetOf(page) + 1;
    const copy = this.replicas.exist ? await this.copiedPage(avatar, first) : null;
    const row = copy ?? (await this.pages.rows(avatar.compressed, first))[0]!;
    return { ...toChainPage(row), current: page };
  }

  private async copiedPage(avatar: AvatarKey, first: number): Promise<ChainPageRow | null> {
    const total = await this.items.length(avatar);
    if (first + PER_PAGE > total) return null;
    const values = [avatar.compressed, first];
    const rows = await this.replicas.ask((manager) =>
      readRows<ChainPageRow>(manager.dataSource, [LINKS_TABLE], COPIED_PAGE, values),
    );
    const row = rows?.[0];
    return row?.length === PER_PAGE ? { ...row, total } : null;
  }

  /** Links of all Avatars with an id above `lastId`, ascending; see `recordFeed`. */
  async changesAfter(lastId: number, count: number): Promise<RecordPage> {
    return LINK_FEED.changesAfter(this.source, this.replicas, lastId, count);
  }

  /** The link with this uuid (in small letters), or null. */
  async findByUuid(uuid: string): Promise<Omit<ChainLink, 'positionInChain'> | null> {
    return LINK_FEED.findByUuid(this.source, uuid);
  }

  /** The id of the newest link of all Avatars, which is also their number; 0 if there is none. */
  async newestId(): Promise<number> {
    return LINK_FEED.newestNumber(this.source);
  }

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    return { signet_links: await this.newestId() };
  }
}
