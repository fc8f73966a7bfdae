import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { countChanged } from '../database/changes.js';
import { FEED_STEPS } from '../database/schema/upgrade-steps.js';
import { Replicas } from '../database/replicas.js';
import { TableColumns } from '../database/table-columns.js';
import { UpgradeStatus } from '../database/schema/upgrade-status.js';
import { WriteTransactions } from '../database/write-transactions.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import type { PageOf } from '../domain/page.js';
import { assertFeedIndexed, recordFeed, type RecordPage } from '../ledger/record-feed.js';
import type { RecordMembers } from '../http/record-json.js';
import type { StoredJson } from '../http/stored-json.js';
import { chainPages, type IdentityItem, SignedChain } from '../ledger/signed-chain.js';
import { KvPatch } from './patches/kv-patch.entity.js';

export const PATCHES_TABLE = 'kv_patch';

/** A patch that passed every check and has no position in the chain yet. */
export interface NewPatch extends IdentityItem {
  patch: object;
  /** Canonical JSON of it. */
  patchText: string;
  /** The key of an app that signed it; absent where the Avatar did. */
  app?: AppSigner | undefined;
}

/** A key of an app that signed a patch. */
export interface AppSigner {
  /** `<algorithm>:0x<hex>`. */
  name: string;
  /** With which its signature was checked. */
  origin: string | null;
}

/**
 * Patches of a page. Fewer than elsewhere, so that a page stays under 2 MB: a patch of 64 KiB stands in its item twice,
 * once inside a text, where escapes can double it.
 */
const PER_CHAIN_PAGE = 10;

/** A patch as the feed has it, with its number in the feed: gapless, and later ones never come first. */
export type NumberedPatch = Omit<KvPatch, 'id' | 'feedId' | 'positionInChain'> & { id: number };

const MEMBERS = {
  uuid: 'plain',
  platform: 'plain',
  identity: 'text',
  patch: 'json',
  created_at: 'seconds',
  signer: 'plain_if_any',
  signature: 'plain',
  signature_payload: 'text',
  erased: 'json_if_any',
} as const satisfies RecordMembers;

const readPage = chainPages(PATCHES_TABLE, MEMBERS, PER_CHAIN_PAGE);

/** The patches of all Avatars, as statements read them. */
export const PATCH_FEED = recordFeed({
  table: PATCHES_TABLE,
  number: 'feed_id',
  isNumberedLater: true,
  columns: TableColumns.of(KvPatch).without('id', 'feedId', 'positionInChain'),
  members: { avatar: 'plain', ...MEMBERS },
  named: { action: "'patch'", platform: 'platform', identity: 'identity', erased: 'erased' },
  bytes: 'octet_length(patch) + octet_length(signature_payload)',
  // A text inside JSON can have twice its bytes.
  pageBytes: 500_000,
});

/** The state of the numbering. */
export interface FeedState {
  /** The newest number; 0 if there is none. */
  newestId: number;
  /** Whether committed patches wait for their numbers. */
  hasUnnumbered: boolean;
}

const NUMBER = `
  with head as (select ${PATCH_FEED.newest} as feed_id),
  unnumbered as (
    select id, row_number() over (order by id) as row_in_batch
    from (select id from kv_patch where feed_id is null order by id limit $1) as oldest
  )
  update kv_patch set feed_id = head.feed_id + unnumbered.row_in_batch
  from head, unnumbered where kv_patch.id = unnumbered.id`;

const STATE = `
  select ${PATCH_FEED.newest} as "newestId",
    exists (select from kv_patch where feed_id is null) as "hasUnnumbered"`;

/**
 * The signed patches of all Avatars: one linear chain for each of them, and one feed over all. The `id` of a patch is
 * drawn inside its transaction, so it can become visible after a higher one; its number in the feed is given under a
 * lock that is held until the commit, so a reader that follows the numbers misses none. A patch that is committed
 * without a number, because a server of 0.1.0 wrote it or the feed had no indexes, gets one by `PatchNumbering`, in the
 * order of the chains.
 */
@Injectable()
export class KvFeed {
  readonly items: SignedChain;

  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly upgrade: UpgradeStatus,
    private readonly transactions: WriteTransactions,
  ) {
    this.items = new SignedChain(dataSource, PATCHES_TABLE);
  }

  /** One page of an Avatar's chain, oldest patch first. */
  async page(avatar: AvatarKey, page: number): Promise<PageOf<StoredJson>> {
    return readPage(this.dataSource, avatar, page);
  }

  /**
   * Whether the feed has its indexes: on a database of 0.1.0 they are built after the start. Until then no patch is
   * numbered, and the feed cannot be read. `manager` is given inside a transaction.
   */
  hasIndexes(manager?: EntityManager): Promise<boolean> {
    return this.upgrade.areDone(FEED_STEPS, manager);
  }

  /**
   * Takes the lock for numbering, until the end of the transaction of `manager`. Each transaction therefore sees the
   * numbers of the previous one. A transaction that holds this lock waits for no other lock.
   */
  lockNumbers(manager: EntityManager): Promise<void> {
    return this.transactions.takeLock(manager, ADVISORY_LOCKS.patchNumbers);
  }

  /**
   * Numbers the oldest committed patches that have no number, in the transaction of `manager`, which has to end soon.
   * @returns how many got a number; fewer than `limit` if none is left.
   */
  async numberCommitted(manager: EntityManager, limit: number): Promise<number> {
    await this.lockNumbers(manager);
    return countChanged(manager, NUMBER, [limit]);
  }

  /** Reads the state of the numbering, as `manager` sees it. */
  async state(manager: EntityManager = this.dataSource.manager): Promise<FeedState> {
    const [row] = (await manager.query(STATE)) as [FeedState];
    return row;
  }

  /**
   * Patches with a number above `lastId`, ascending; see `recordFeed`.
   * @throws UnavailableError (`upgrade_under_way`) while the feed has no indexes
   */
  async changesAfter(lastId: number, count: number): Promise<RecordPage> {
    await assertFeedIndexed(this.upgrade, FEED_STEPS);
    return PATCH_FEED.changesAfter(this.dataSource, this.replicas, lastId, count);
  }

  /** The patch with this uuid (in small letters), or null; its number is 0 while it has none. */
  async findByUuid(uuid: string): Promise<NumberedPatch | null> {
    return PATCH_FEED.findByUuid(this.dataSource, uuid);
  }
}
