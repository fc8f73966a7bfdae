import { Injectable } from '@nestjs/common';
import type { Predecessor } from '@signet/verify';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { countChanged } from '../database/changes.js';
import { Environment } from '../config/environment.js';
import { LeasedRows } from '../jobs/leased-rows.js';
import type { Leased, WorkTable } from '../jobs/work-table.js';
import type { ArchivedRecord } from '../ledger/record-kind.js';
import type { SignedDocument } from './archive-store.js';

/** Name of the queue of batches, as operators and metrics know it. */
export const ARCHIVE_QUEUE = 'archive';

/** Between two renewals of a lease there are at most two requests; this is for everything else. */
const SPARE_MS = 3_000;
/** Milliseconds until the next try or look, at most. */
export const LONGEST_DELAY_MS = 600_000;

/** The rows of `archive_batch` as work. A batch is never given up: what is signed has to arrive. */
export function archiveWork(timeoutMs: number): WorkTable {
  return {
    ...{ queue: ARCHIVE_QUEUE, table: 'archive_batch', dueAt: 'next_at' },
    ...{ leaseMs: 2 * timeoutMs + SPARE_MS, mostMs: LONGEST_DELAY_MS },
  };
}

/** One archived link, or one on its way. */
export interface ArchiveItem extends SignedDocument {
  linkId: number;
  state: 'signed' | 'sent' | 'confirmed';
  timesSent: number;
}

/** Items that go together, held by this server. */
export interface ClaimedBatch extends Leased {
  /** The signed transaction in which the items travel; `''` where they travel one by one, or until it is made. */
  transaction: string;
  /** Milliseconds since everything was accepted, by the clock of the database when it was claimed; null before that. */
  sentMsAgo: number | null;
  failures: number;
  looks: number;
}

/** When and why a batch is resumed. */
export interface NextStep {
  /** In so many milliseconds; null: everything is confirmed. */
  inMs: number | null;
  failures: number;
  looks: number;
  /** Null leaves what is stored. */
  error: string | null;
}

/**
 * The tables `archive_item` (signed documents) and `archive_batch` (documents that travel together, and their
 * progress).
 */
@Injectable()
export class ArchiveRepository {
  readonly rows: LeasedRows;

  constructor(
    private readonly dataSource: DataSource,
    { OUTBOUND_TIMEOUT_MS }: Environment,
  ) {
    this.rows = new LeasedRows(dataSource, archiveWork(OUTBOUND_TIMEOUT_MS));
  }

  /**
   * Runs `work` in a transaction that holds the signing lock. Returns false if another server holds it. Items are
   * signed and batched under this lock, because each document names its predecessor.
   */
  async underSigningLock(work: (manager: EntityManager) => Promise<boolean>): Promise<boolean> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const rows: { free: boolean }[] = await manager.query('select pg_try_advisory_xact_lock($1) as free', [
        ADVISORY_LOCKS.archiveSigning,
      ]);
      return rows[0]!.free && (await work(manager));
    });
  }

  /** The newest link that is signed; all before it are. 0 if there is none. */
  async newestLinkId(manager: EntityManager): Promise<number> {
    const rows: { id: number }[] = await manager.query('select coalesce(max(link_id), 0) as id from archive_item');
    return rows[0]!.id;
  }

  /** What the document of a record says of the one before it; null for the first of an Avatar. */
  async predecessorOf(
    manager: EntityManager,
    { avatar, positionInChain }: ArchivedRecord,
  ): Promise<Predecessor | null> {
    const rows: Predecessor[] = await manager.query(
      'select uuid, archive_id from archive_item where avatar = $1 and position_in_chain = $2',
      [avatar, positionInChain - 1],
    );
    return rows[0] ?? null;
  }

  async add(
    manager: EntityManager,
    record: ArchivedRecord,
    item: SignedDocument,
    previous: Predecessor | null,
  ): Promise<void> {
    await manager.query(
      `insert into archive_item (link_id, avatar, position_in_chain, uuid, archive_id, previous_archive_id, signed_bytes, signed_at)
       values ($1, $2, $3, $4, $5, $6, $7, now())`,
      [
        record.id,
        record.avatar,
        record.positionInChain,
        record.uuid,
        item.id,
        previous?.archive_id ?? null,
        item.bytes,
      ],
    );
  }

  /**
   * Makes a batch of the oldest items that are in none, if there are `size` of them or one has waited for `seconds`;
   * whether there was a batch to make.
   */
  async formBatch(manager: EntityManager, size: number, seconds: number): Promise<boolean> {
    const waiting: { link_id: number; is_old: boolean }[] = await manager.query(
      `select link_id, signed_at <= now() - $2 * interval '1 second' as is_old
       from archive_item where batch_id is null and state <> 'confirmed' order by link_id limit $1`,
      [size, seconds],
    );
    if (waiting.length < size && !waiting.some((item) => item.is_old)) return false;
    const rows: { id: number }[] = await manager.query(
      'insert into archive_batch (created_at, next_at) values (now(), now()) returning id',
    );
    const ids = waiting.map((item) => item.link_id);
    await manager.query('update archive_item set batch_id = $1 where link_id = any($2::bigint[])', [rows[0]!.id, ids]);
    return true;
  }

  /** What is known of a batch that this server has claimed. */
  async batch(leased: Leased): Promise<ClaimedBatch> {
    const rows: Omit<ClaimedBatch, keyof Leased>[] = await this.dataSource.query(
      `select parcel as transaction, (extract(epoch from now() - sent_at) * 1000)::float8 as "sentMsAgo", failures, looks
       from archive_batch where id = $1`,
      [leased.id],
    );
    return { ...leased, ...rows[0]! };
  }

  /** The items of a batch, oldest link first. */
  async items(batch: ClaimedBatch): Promise<ArchiveItem[]> {
    return this.dataSource.query(
      `select link_id as "linkId", archive_id as id, signed_bytes as bytes, state, times_sent as "timesSent"
       from archive_item where batch_id = $1 order by link_id`,
      [batch.id],
    );
  }

  /** Stores the transaction before it is sent, or, with `''`, forgets it. @throws LeaseLostError */
  async keepTransaction(batch: ClaimedBatch, transaction: string): Promise<void> {
    await this.rows.write(batch, 'parcel = $3', [transaction]);
    batch.transaction = transaction;
  }

  async markSent(ids: string[]): Promise<void> {
    await this.dataSource.query(
      "update archive_item set state = 'sent', times_sent = times_sent + 1 where archive_id = any($1::text[]) and state = 'signed'",
      [ids],
    );
  }

  /** Everything of the batch was accepted. @throws LeaseLostError */
  async markBatchSent(batch: ClaimedBatch): Promise<void> {
    await this.rows.write(batch, 'sent_at = now()', []);
  }

  /**
   * What is not confirmed has to be sent again, in a new transaction unless this one is kept.
   * @throws LeaseLostError
   */
  async markUnsent(batch: ClaimedBatch, transaction: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.rows.write(batch, 'sent_at = null, parcel = $3', [transaction], manager);
      await manager.query("update archive_item set state = 'signed' where batch_id = $1 and state = 'sent'", [
        batch.id,
      ]);
    });
  }

  /** False if it was confirmed before. */
  async markConfirmed(manager: EntityManager, { linkId }: ArchiveItem): Promise<boolean> {
    const sql = `update archive_item set state = 'confirmed', confirmed_at = now() where link_id = $1 and state <> 'confirmed'`;
    return (await countChanged(manager, sql, [linkId])) === 1;
  }

  /** Gives a batch back, to be resumed later if there is a next step. @throws LeaseLostError */
  async finish(batch: ClaimedBatch, { inMs, failures, looks, error }: NextStep): Promise<void> {
    await this.rows.finish(
      this.dataSource.manager,
      batch,
      inMs,
      `failures = $4, looks = $5, last_error = case when $3::float8 is null then '' else coalesce($6, last_error) end,
       failed_at = case when $6 is null then failed_at else now() end`,
      [failures, looks, error],
    );
  }
}
