import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { PlatformUnavailableError } from '@signet/look';
import { Environment } from '../config/environment.js';
import { chunksOf } from '../domain/lists.js';
import { EventStore } from '../events/event-store.js';
import { JobQueues } from '../jobs/job-queues.js';
import type { Leased } from '../jobs/work-table.js';
import { RecordKinds } from '../ledger/record-kind.js';
import {
  type ArchiveItem,
  ArchiveRepository,
  archiveWork,
  type ClaimedBatch,
  LONGEST_DELAY_MS,
  type NextStep,
} from './archive.repository.js';
import { ArchiveRefusedError } from './archive-store.js';
import { ArweaveStore } from './arweave/arweave.store.js';

/** Batches that one server works on at the same time. */
const CONCURRENCY = 2;
/** Documents asked for at the same time. */
const LOOKS_TOGETHER = 4;
const FIRST_DELAY_MS = 1_000;
const LONGEST_RESEND_MS = 24 * 3600 * 1000;

/**
 * The second half of the way: sends batches and looks until the network serves every item. Each step is made by one
 * server, which has the batch on a lease, and ends with the time of the next one. Any step can be repeated: the same
 * bytes have the same ids.
 */
@Injectable()
export class ArchiveUploader implements OnModuleInit {
  private readonly logger = new Logger('Archive');

  constructor(
    private readonly environment: Environment,
    private readonly kinds: RecordKinds,
    private readonly events: EventStore,
    private readonly queues: JobQueues,
    private readonly items: ArchiveRepository,
    private readonly store: ArweaveStore,
  ) {}

  onModuleInit(): void {
    this.queues.register(archiveWork(this.environment.OUTBOUND_TIMEOUT_MS), {
      concurrency: CONCURRENCY,
      run: (leased) => this.resume(leased),
    });
  }

  /** The next step of a batch. What the network refuses or cannot answer is tried again later, for ever. */
  private async resume(leased: Leased): Promise<void> {
    const batch = await this.items.batch(leased);
    const next = await this.step(batch).catch((error: unknown) => this.afterFailure(batch, error));
    await this.items.finish(batch, next);
  }

  private async step(batch: ClaimedBatch): Promise<NextStep> {
    const items = await this.items.items(batch);
    return batch.sentMsAgo === null ? this.send(batch, items) : this.pollBatch(batch, batch.sentMsAgo, items);
  }

  private async send(batch: ClaimedBatch, items: ArchiveItem[]): Promise<NextStep> {
    const unsent = items.filter(({ state }) => state === 'signed');
    if (!batch.transaction) await this.items.keepTransaction(batch, await this.store.route.pack(unsent));
    await this.items.rows.renew(batch);
    await this.store.route.send(batch.transaction ? items : unsent, batch.transaction, async (accepted) => {
      await this.items.rows.renew(batch);
      if (accepted.length > 0) await this.items.markSent(accepted);
    });
    await this.items.markBatchSent(batch);
    return { inMs: delayAfter(1), failures: 0, looks: 0, error: null };
  }

  private async pollBatch(batch: ClaimedBatch, sentMsAgo: number, items: ArchiveItem[]): Promise<NextStep> {
    const status = await this.store.route.status(batch.transaction);
    const missing = items.filter(({ state }) => state !== 'confirmed');
    let left = missing.length;
    if (status === 'confirmed') left -= await this.confirm(batch, missing);
    if (left === 0) return { inMs: null, failures: 0, looks: batch.looks + 1, error: null };
    if (status !== 'pending' && sentMsAgo > this.resendMs(missing)) {
      this.logger.warn(`Batch ${batch.id}: ${left} of ${items.length} documents did not arrive and are sent again`);
      // Documents that the network no longer knows are sent again unchanged; those that arrived are not.
      await this.items.markUnsent(batch, status === 'unknown' ? batch.transaction : '');
      return { inMs: 0, failures: 0, looks: 0, error: null };
    }
    const looks = batch.looks + 1;
    return { inMs: delayAfter(looks + 1), failures: 0, looks, error: null };
  }

  /** Asks for each item and records those that are served; how many are. */
  private async confirm(batch: ClaimedBatch, missing: ArchiveItem[]): Promise<number> {
    let confirmed = 0;
    for (const group of chunksOf(missing, LOOKS_TOGETHER)) {
      const answers = await Promise.all(group.map((item) => this.store.isServed(item).catch((error: Error) => error)));
      const served = group.filter((_, index) => answers[index] === true);
      await this.items.rows.renew(batch);
      if (served.length > 0) await this.recordServed(served);
      confirmed += served.length;
      const failure = answers.find((answer) => answer instanceof Error);
      if (failure) throw failure;
    }
    return confirmed;
  }

  private async recordServed(served: ArchiveItem[]): Promise<void> {
    await this.events.transaction(async (manager) => {
      for (const item of served) {
        if (!(await this.items.markConfirmed(manager, item))) continue;
        const { name, payload } = await this.kinds.archived.archive.confirm(manager, item.linkId, item.id);
        await this.events.record(manager, name, payload);
      }
    });
  }

  /** @throws the error itself, if the network did not cause it */
  private async afterFailure(batch: ClaimedBatch, error: unknown): Promise<NextStep> {
    const isRefusal = error instanceof ArchiveRefusedError;
    if (!isRefusal && !(error instanceof PlatformUnavailableError)) throw error;
    // A refused transaction was too old or too cheap; the next one names a new anchor and today's price.
    if (isRefusal && batch.transaction) await this.items.keepTransaction(batch, '');
    const failures = batch.failures + 1;
    const delayMs = delayAfter(failures);
    const line = `Batch ${batch.id} waits ${Math.round(delayMs / 1000)} s: ${error.message}`;
    // The first failure of each batch is news; during a long outage the others are not.
    if (failures === 1) this.logger.warn(line);
    else this.logger.debug(line);
    return { inMs: delayMs, failures, looks: batch.looks, error: error.message };
  }

  private resendMs(items: ArchiveItem[]): number {
    const times = Math.max(1, ...items.map(({ timesSent }) => timesSent));
    return Math.min(this.environment.ARCHIVE_RESEND_SECONDS * 1000 * 2 ** (times - 1), LONGEST_RESEND_MS);
  }
}

/** Milliseconds before the next try or look: a second after the first, doubled after each, ten minutes at most. */
export function delayAfter(tries: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(tries - 1, 20), LONGEST_DELAY_MS);
}
