import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import { JobQueues } from '../jobs/job-queues.js';
import { RecordKinds } from '../ledger/record-kind.js';
import { ARCHIVE_QUEUE, ArchiveRepository } from './archive.repository.js';
import { ArchiveService } from './archive.service.js';
import { ArweaveStore } from './arweave/arweave.store.js';

const TICK_MS = 1_000;
const REPORT_MS = 10 * 60_000;
/** A link that has waited this long is a reason to look. */
const OLD_BACKLOG_MS = 6 * 3600_000;
/** Links signed in one transaction: 5 to 10 ms each, and on the embedded database everybody else waits for it. */
const SIGN_AT_ONCE = 10;

/**
 * Signs links and puts them into batches for the uploader, driven by the clock, and logs what an operator should know.
 * Links are signed in the order of their ids, so the id of each predecessor is known. The scheduler sends nothing:
 * whatever it stores is sent later, unchanged.
 */
@Injectable()
export class ArchiveScheduler implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Archive');
  private readonly runs = new SingleFlight();
  private isStopped = false;
  private reportedAtMs = -Infinity;

  constructor(
    private readonly environment: Environment,
    private readonly kinds: RecordKinds,
    private readonly items: ArchiveRepository,
    private readonly store: ArweaveStore,
    private readonly queues: JobQueues,
    private readonly archive: ArchiveService,
  ) {}

  /** A tick that comes while the last one still runs does nothing. */
  @Interval(TICK_MS)
  tick(): void {
    if (this.isStopped || this.runs.isRunning()) return;
    this.runs
      .join(() => this.run())
      .catch((error: unknown) => this.logger.warn(`Links wait to be archived: ${(error as Error).message}`));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.runs.settle();
  }

  private async run(): Promise<void> {
    while (!this.isStopped && (await this.signNext()));
    while (!this.isStopped && (await this.batchNext()));
    this.queues.wake(ARCHIVE_QUEUE);
    await this.report(Date.now());
  }

  /** Signs the next links that have no document yet; whether there may be more. */
  private async signNext(): Promise<boolean> {
    const { archive } = this.kinds.archived;
    return this.items.underSigningLock(async (manager) => {
      const records = await archive.readAfter(manager, await this.items.newestLinkId(manager), SIGN_AT_ONCE);
      for (const record of records) {
        const previous = await this.items.predecessorOf(manager, record);
        const item = await this.store.sign(archive.document(record, previous), archive.tags(record));
        await this.items.add(manager, record, item, previous);
      }
      return records.length === SIGN_AT_ONCE;
    });
  }

  /** Makes the next batch if it is full or old enough, for the uploader; whether there may be more. */
  private async batchNext(): Promise<boolean> {
    const { ARCHIVE_BATCH_LINKS: size, ARCHIVE_BATCH_SECONDS: seconds } = this.environment;
    return this.items.underSigningLock((manager) => this.items.formBatch(manager, size, seconds));
  }

  private async report(nowMs: number): Promise<void> {
    if (performance.now() - this.reportedAtMs < REPORT_MS) return;
    this.reportedAtMs = performance.now();
    await this.archive.askBalance();
    const status = await this.archive.status();
    if (status.is_balance_low) {
      this.logger.warn(
        `The wallet ${status.wallet_address} holds ${status.wallet_balance} AR, less than ${this.environment.ARCHIVE_LOW_BALANCE_AR}; links cannot be archived without money`,
      );
    }
    const { oldest_signed_at: oldest, unsent, unconfirmed, unsigned, last_error: problem } = status;
    const ageMs = oldest === '' ? 0 : nowMs - 1000 * Number(oldest);
    if (ageMs > OLD_BACKLOG_MS) {
      const hours = Math.floor(ageMs / 3600_000);
      const why = problem && `; ${problem}`;
      this.logger.warn(
        `${unsigned + unsent + unconfirmed} links are not archived yet, the oldest since ${hours} hours${why}`,
      );
    }
  }
}
