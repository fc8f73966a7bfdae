import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { parseBigint } from '../database/bigint-column.js';
import type { ChainLink } from '../proof-chain/chain-link.entity.js';
import type { Predecessor } from './archive-document.js';
import type { SignedItem } from './archive-store.js';

/** How far the clocks of servers and database may be apart; a job comes by the database's clock. */
const CLOCK_SPREAD_MS = 2_000;

/** One archived link, or one on its way. */
export interface ArchiveItem extends SignedItem {
  linkId: number;
  state: 'signed' | 'sent' | 'confirmed';
  timesSent: number;
}

/** Items that go together, held by this server until `lease`. */
export interface ClaimedBatch {
  id: number;
  parcel: string;
  sentAt: Date | null;
  failures: number;
  looks: number;
  lease: Date;
}

/** When and why a batch is gone on with. */
export interface NextStep {
  /** Null: everything is confirmed. */
  at: Date | null;
  failures: number;
  looks: number;
  /** Null leaves what is stored. */
  error: { message: string; at: Date } | null;
}

/** The lease ran out and another server may have the batch; whoever had it stops. */
export class LeaseLostError extends Error {}

interface ItemRow {
  link_id: string;
  archive_id: string;
  signed_bytes: Buffer;
  state: ArchiveItem['state'];
  times_sent: number;
}

interface BatchRow {
  id: string;
  parcel: string;
  sent_at: Date | null;
  failures: number;
  looks: number;
}

/** The tables `archive_item` and `archive_batch`: what is signed, what goes together, and how far it has come. */
@Injectable()
export class ArchiveRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction while no other server does; false if another one is at it. Items are signed and put
   * into batches under this lock, because each names the one before it.
   */
  async alone(work: (manager: EntityManager) => Promise<boolean>): Promise<boolean> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const rows: { free: boolean }[] = await manager.query('select pg_try_advisory_xact_lock($1) as free', [
        ADVISORY_LOCKS.archiveSigning,
      ]);
      return rows[0]!.free && (await work(manager));
    });
  }

  /** The newest link that is signed; all before it are. 0 if there is none. */
  async newestLinkId(manager: EntityManager = this.dataSource.manager): Promise<number> {
    const rows: { id: string }[] = await manager.query('select coalesce(max(link_id), 0) as id from archive_item');
    return parseBigint(rows[0]!.id);
  }

  /** What the document of `link` says of the link before it; null for the first of an Avatar. */
  async predecessorOf(manager: EntityManager, { avatar, positionInChain }: ChainLink): Promise<Predecessor | null> {
    const rows: { uuid: string; archive_id: string }[] = await manager.query(
      'select uuid, archive_id from archive_item where avatar = $1 and position_in_chain = $2',
      [avatar, positionInChain - 1],
    );
    return rows[0] ? { uuid: rows[0].uuid, archiveId: rows[0].archive_id } : null;
  }

  async add(
    manager: EntityManager,
    link: ChainLink,
    item: SignedItem,
    previous: Predecessor | null,
    now: Date,
  ): Promise<void> {
    await manager.query(
      `insert into archive_item (link_id, avatar, position_in_chain, uuid, archive_id, previous_archive_id, signed_bytes, signed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [link.id, link.avatar, link.positionInChain, link.uuid, item.id, previous?.archiveId ?? null, item.bytes, now],
    );
  }

  /**
   * Makes a batch of the oldest items that are in none, if there are `size` of them or one is older than
   * `signedBefore`; its id, or null.
   */
  async formBatch(manager: EntityManager, size: number, signedBefore: Date, now: Date): Promise<number | null> {
    const waiting: { link_id: string; signed_at: Date }[] = await manager.query(
      'select link_id, signed_at from archive_item where batch_id is null order by link_id limit $1',
      [size],
    );
    if (waiting.length < size && !waiting.some((item) => item.signed_at <= signedBefore)) return null;
    const rows: { id: string }[] = await manager.query(
      'insert into archive_batch (created_at, next_at) values ($1, $1) returning id',
      [now],
    );
    const ids = waiting.map((item) => item.link_id);
    await manager.query('update archive_item set batch_id = $1 where link_id = any($2::bigint[])', [rows[0]!.id, ids]);
    return parseBigint(rows[0]!.id);
  }

  /**
   * Takes a batch until `lease`; null if it is done, if its time has not come, or if another server has it. So a job
   * too many, for a batch that was gone on with meanwhile, ends here.
   */
  async claim(id: number, now: Date, lease: Date): Promise<ClaimedBatch | null> {
    const [rows] = (await this.dataSource.query(
      `update archive_batch set leased_until = $3, reminded_at = null
       where id = $1 and next_at <= $4 and (leased_until is null or leased_until <= $2)
       returning id, parcel, sent_at, failures, looks`,
      [id, now, lease, new Date(now.getTime() + CLOCK_SPREAD_MS)],
    )) as [BatchRow[], number];
    const row = rows[0];
    return row ? { ...row, id: parseBigint(row.id), sentAt: row.sent_at, lease } : null;
  }

  /** The items of a batch, oldest link first. */
  async items(batch: ClaimedBatch): Promise<ArchiveItem[]> {
    const rows: ItemRow[] = await this.dataSource.query(
      'select link_id, archive_id, signed_bytes, state, times_sent from archive_item where batch_id = $1 order by link_id',
      [batch.id],
    );
    return rows.map((row) => ({
      linkId: parseBigint(row.link_id),
      id: row.archive_id,
      bytes: row.signed_bytes,
      state: row.state,
      timesSent: row.times_sent,
    }));
  }

  /** Keeps the batch until `lease`. @throws LeaseLostError */
  async renew(batch: ClaimedBatch, lease: Date, manager: EntityManager = this.dataSource.manager): Promise<void> {
    await this.change(manager, batch, 'leased_until = $3', [lease]);
    batch.lease = lease;
  }

  /** Stores the parcel before it is sent, or, with `''`, forgets it. @throws LeaseLostError */
  async keepParcel(batch: ClaimedBatch, parcel: string): Promise<void> {
    await this.change(this.dataSource.manager, batch, 'parcel = $3', [parcel]);
    batch.parcel = parcel;
  }

  async markSent(ids: string[]): Promise<void> {
    await this.dataSource.query(
      "update archive_item set state = 'sent', times_sent = times_sent + 1 where archive_id = any($1::text[]) and state = 'signed'",
      [ids],
    );
  }

  /** Everything of the batch was accepted. @throws LeaseLostError */
  async markBatchSent(batch: ClaimedBatch, now: Date): Promise<void> {
    await this.change(this.dataSource.manager, batch, 'sent_at = $3', [now]);
    batch.sentAt = now;
  }

  /** What is not confirmed has to be sent again, in a new parcel unless this one is kept. @throws LeaseLostError */
  async markUnsent(batch: ClaimedBatch, parcel: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.change(manager, batch, 'sent_at = null, parcel = $3', [parcel]);
      await manager.query("update archive_item set state = 'signed' where batch_id = $1 and state = 'sent'", [
        batch.id,
      ]);
    });
  }

  /** False if it was confirmed before. */
  async markConfirmed(manager: EntityManager, { linkId }: ArchiveItem, now: Date): Promise<boolean> {
    const [, affected] = (await manager.query(
      "update archive_item set state = 'confirmed', confirmed_at = $2 where link_id = $1 and state <> 'confirmed'",
      [linkId, now],
    )) as [unknown, number];
    return affected === 1;
  }

  /** Gives a batch back, to be gone on with at another time, in the transaction of `manager`. @throws LeaseLostError */
  async putBack(manager: EntityManager, batch: ClaimedBatch, { at, failures, looks, error }: NextStep): Promise<void> {
    await this.change(
      manager,
      batch,
      `leased_until = null, next_at = $3, failures = $4, looks = $5, last_error = case when $3::timestamptz is null then '' else
         coalesce($6, last_error) end, failed_at = coalesce($7, failed_at)`,
      [at, failures, looks, error?.message ?? null, error?.at ?? null],
    );
  }

  /** Batches whose time came before `late` and that nobody has, each once in the time since `remindedBefore`. */
  async takeForgotten(manager: EntityManager, now: Date, late: Date, remindedBefore: Date): Promise<number[]> {
    const [rows] = (await manager.query(
      `update archive_batch set reminded_at = $1 where id in (
         select id from archive_batch
         where next_at <= $2 and (leased_until is null or leased_until <= $1) and (reminded_at is null or reminded_at <= $3)
         order by next_at limit 100 for update skip locked)
       returning id`,
      [now, late, remindedBefore],
    )) as [{ id: string }[], number];
    return rows.map(({ id }) => parseBigint(id));
  }

  private async change(manager: EntityManager, batch: ClaimedBatch, set: string, values: unknown[]): Promise<void> {
    const [, affected] = (await manager.query(`update archive_batch set ${set} where id = $1 and leased_until = $2`, [
      batch.id,
      batch.lease,
      ...values,
    ])) as [unknown, number];
    if (affected !== 1) throw new LeaseLostError(`batch ${batch.id} is in other hands`);
  }
}
