import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';

const INTERVAL_MS = 60_000;
const LOG_BYTES = 32 << 20; // two segments of the write-ahead log; a checkpoint syncs that much in some tenths of a second

/**
 * Does for the embedded engine what PostgreSQL's background processes do for a server, because it has none: without
 * checkpoints the write-ahead log grows for ever (and is replayed after a crash), without vacuum dead rows stay, and
 * without analyze plans are guesses. The work goes through the one connection like any other statement, so it never
 * runs in the middle of a transaction.
 */
@Injectable()
export class EmbeddedUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private readonly runs = new SingleFlight();
  /** Position in the log, in bytes, up to which everything is done; unknown until the first run. */
  private doneUpTo: number | undefined;

  constructor(private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      // A failure here fails the next request too, and is answered and logged there.
      this.runs.join(() => this.run()).catch(() => {});
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.runs.settle();
  }

  /** Works if this is the first run or enough was written since the last time. */
  async run(): Promise<void> {
    const written = await this.logPosition();
    if (this.doneUpTo !== undefined && written - this.doneUpTo < LOG_BYTES) return;
    await this.dataSource.query('vacuum (analyze)');
    await this.dataSource.query('checkpoint');
    this.doneUpTo = await this.logPosition();
  }

  private async logPosition(): Promise<number> {
    const [{ bytes }]: [{ bytes: string }] = await this.dataSource.query(
      `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`,
    );
    return Number(bytes);
  }
}
