import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import { JobQueues } from '../jobs/job-queues.js';
import { ARCHIVE_QUEUE } from './archive-work.js';
import { ArchiveService } from './archive.service.js';
import { ArchiveSigner } from './archive.signer.js';

const TICK_MS = 1_000;
const REPORT_MS = 10 * 60_000;
/** A link that has waited this long is a reason to look. */
const OLD_BACKLOG_MS = 6 * 3600_000;

/**
 * Drives the archive by the clock: signs, makes batches, wakes the uploader, and logs what an operator should
 * know.
 */
@Injectable()
export class ArchiveScheduler implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Archive');
  private readonly runs = new SingleFlight();
  private isStopped = false;
  private reportedAtMs = 0;

  constructor(
    private readonly environment: Environment,
    private readonly signer: ArchiveSigner,
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
    while (!this.isStopped && (await this.signer.signNext()));
    while (!this.isStopped && (await this.signer.batchNext()));
    this.queues.wake(ARCHIVE_QUEUE);
    await this.report(Date.now());
  }

  private async report(nowMs: number): Promise<void> {
    if (nowMs - this.reportedAtMs < REPORT_MS) return;
    this.reportedAtMs = nowMs;
    await this.archive.askWallet();
    const status = await this.archive.status();
    if (status.isBalanceLow) {
      this.logger.warn(
        `The wallet ${status.walletAddress} holds ${status.walletBalance} AR, less than ${this.environment.ARCHIVE_LOW_BALANCE_AR}; links cannot be archived without money`,
      );
    }
    const { oldestSignedAt, unsent, unconfirmed, unsigned, lastError } = status;
    if (oldestSignedAt && nowMs - oldestSignedAt.getTime() > OLD_BACKLOG_MS) {
      const hours = Math.floor((nowMs - oldestSignedAt.getTime()) / 3600_000);
      const why = lastError ? `; ${lastError.message}` : '';
      this.logger.warn(
        `${unsigned + unsent + unconfirmed} links are not archived yet, the oldest since ${hours} hours${why}`,
      );
    }
  }
}
