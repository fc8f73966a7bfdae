import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { FEED_STEPS } from '../database/schema/migrations/upgrade-steps.js';
import { hiddenParameter, readRows } from '../database/connections/prepared.js';
import { Replicas } from '../database/connections/replicas.js';
import { TableColumns } from '../database/table-columns.js';
import { UpgradeStatus } from '../database/schema/upgrade-status.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { UnavailableError } from '../domain/domain-errors.js';
import { KvPatch } from './patches/kv-patch.entity.js';

/** A patch as the feed has it, with its number in the feed: gapless, and later ones never come first. */
export type NumberedPatch = Omit<KvPatch, 'id' | 'feedId' | 'positionInChain'> & { id: number };

const FED = TableColumns.of(KvPatch).without('id', 'positionInChain');

/** The state of the numbering. */
export interface FeedState {
  /** The newest number; 0 if there is none. */
  newestId: number;
  /** Whether committed patches wait for their numbers. */
  hasUnnumbered: boolean;
}

/**
 * Bytes of patches and signed texts after which a page of the feed ends early, so that it stays under 2 MB: a text
 * inside JSON can have twice its bytes.
 */
const MAX_PAGE_BYTES = 500_000;

/** Building the indexes of a large table takes minutes. */
const UPGRADE_RETRY_SECONDS = 30;

/** The newest number, as an SQL expression; 0 if there is none. */
export const NEWEST_FEED_ID = '(select coalesce(max(feed_id), 0) from kv_patch where feed_id is not null)';

const NUMBER = `
  with head as (select ${NEWEST_FEED_ID} as feed_id),
  unnumbered as (
    select id, row_number() over (order by id) as row_in_batch
    from (select id from kv_patch where feed_id is null order by id limit $1) as oldest
  )
  update kv_patch set feed_id = head.feed_id + unnumbered.row_in_batch
  from head, unnumbered where kv_patch.id = unnumbered.id`;

const STATE = `
  select ${NEWEST_FEED_ID} as "newestId",
    exists (select from kv_patch where feed_id is null) as "hasUnnumbered"`;

/** Parameters: cursor, items, bytes. */
const CHANGES = `
  select ${FED.selectedFrom('patch')}
  from (
    select next.*,
      sum(octet_length(patch) + octet_length(signature_payload)) over (order by feed_id)
        - octet_length(patch) - octet_length(signature_payload) as bytes_before
    from (
      select * from kv_patch where feed_id > ${hiddenParameter(1, 'bigint')} order by feed_id limit ${hiddenParameter(2, 'bigint')}
    ) as next
  ) as patch
  where patch.bytes_before < ${hiddenParameter(3, 'bigint')} order by patch.feed_id`;

/**
 * The patches of all Avatars in one order. The `id` of a patch is drawn inside its transaction, so it can become
 * visible after a higher one; its number in the feed is given under a lock that is held until the commit, so a reader
 * that follows the numbers misses none. A patch that is committed without a number, because a server of 0.1.0 wrote it
 * or the feed had no indexes, gets one from the sequencer of the log, in the order of the chains.
 */
@Injectable()
export class KvFeed {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly upgrade: UpgradeStatus,
    private readonly transactions: WriteTransactions,
  ) {}

  /**
   * Whether the feed has its indexes: on a database of 0.1.0 they are built after the start. Until then no patch is
   * numbered, and the feed cannot be read.
   */
  hasIndexes(): Promise<boolean> {
    return this.upgrade.areDone(FEED_STEPS);
  }

  /**
   * Takes the lock under which numbers are given, until the end of the transaction of `manager`, so that each
   * transaction sees the numbers of the previous one. A transaction that holds this lock waits for no other one.
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
    const [, count] = (await manager.query(NUMBER, [limit])) as [unknown, number];
    return count;
  }

  /** Reads the state of the numbering, as `manager` sees it. */
  async state(manager: EntityManager = this.dataSource.manager): Promise<FeedState> {
    const [row] = (await manager.query(STATE)) as [FeedState];
    return row;
  }

  /**
   * Patches with a number above `lastId`, ascending; fewer where they are very long. A replica's page counts only if it
   * is full and begins right behind `lastId`: then nothing can be missing in it.
   * @throws UnavailableError (`upgrade_under_way`) while the feed has no indexes
   */
  async changesAfter(lastId: number, count: number): Promise<NumberedPatch[]> {
    if (!(await this.hasIndexes())) {
      throw new UnavailableError(
        'This server was upgraded and still builds the index of this feed; nothing else waits for it.',
        'upgrade_under_way',
        { retryAfterSeconds: UPGRADE_RETRY_SECONDS },
      );
    }
    const values = [lastId, count, MAX_PAGE_BYTES];
    const read = async (source: DataSource) => (await readRows(source, CHANGES, values)).map(toFeedPatch);
    const copy = await this.replicas.ask((manager) => read(manager.dataSource));
    return copy?.at(-1)?.id === lastId + count ? copy : read(this.dataSource);
  }

  /**
   * The number of the patch with this uuid: null while it has none; undefined if there is no such patch.
   */
  async idOf(uuid: string): Promise<number | null | undefined> {
    const rows = await readRows<{ feed_id: number | null }>(
      this.dataSource,
      'select feed_id from kv_patch where uuid = $1',
      [uuid],
    );
    return rows[0]?.feed_id;
  }

  /** The patch with this uuid (in small letters), or null; its number is 0 while it has none. */
  async findByUuid(uuid: string): Promise<NumberedPatch | null> {
    const sql = `select ${FED.selectedFrom('patch')} from kv_patch patch where uuid = $1`;
    return (await readRows(this.dataSource, sql, [uuid])).map(toFeedPatch)[0] ?? null;
  }
}

/** Patches with a number above `lastId` in the transaction of `manager`, up to a number of bytes. */
export async function readFeedPatches(
  manager: EntityManager,
  lastId: number,
  count: number,
  maxBytes: number,
): Promise<NumberedPatch[]> {
  const rows: object[] = await manager.query(CHANGES, [lastId, count, maxBytes]);
  return rows.map(toFeedPatch);
}

/** Writes other times at which patches were accepted, by their numbers in the feed, in the transaction of `manager`. */
export async function setPatchTimes(
  manager: EntityManager,
  patches: Pick<NumberedPatch, 'id' | 'recordedAt'>[],
): Promise<void> {
  await manager.query(
    `update kv_patch set recorded_at = given.recorded_at
     from unnest($1::bigint[], $2::timestamptz[]) as given(id, recorded_at) where kv_patch.feed_id = given.id`,
    [patches.map(({ id }) => id), patches.map(({ recordedAt }) => recordedAt)],
  );
}

function toFeedPatch(row: object): NumberedPatch {
  const { feedId, ...patch } = FED.read(row);
  return { id: feedId ?? 0, ...patch };
}
