import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DatabaseClient } from '../database/connections/database-client.js';
import { OPEN_DATABASE, type OpenDatabase } from '../database/database.js';

/** The channel on which a relay notifies all servers of new positions. */
export const EVENT_CHANNEL = 'signet_events';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 5_000;

/**
 * Notifies subscribers when the stream of events has grown, on this server or another: by LISTEN/NOTIFY on PostgreSQL,
 * directly on the embedded database, which has one process. A notification may come late, twice or (while the
 * connection is away) not at all, so subscribers also poll.
 */
@Injectable()
export class EventWakeUp implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Emits without a value; subscribers read the new events from the stream. */
  readonly streamGrew = new Subject<void>();

  private readonly logger = new Logger('EventWakeUp');
  private client: DatabaseClient | undefined;
  private retry: NodeJS.Timeout | undefined;
  private retryMs = FIRST_RETRY_MS;
  private isStopped = false;

  constructor(@Inject(OPEN_DATABASE) private readonly database: OpenDatabase) {}

  onApplicationBootstrap(): void {
    if (this.database.kind === 'postgres') void this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.retry);
    this.streamGrew.complete();
    await this.client?.end().catch(() => {});
  }

  private async listen(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.database.directUrl,
      application_name: 'signet listen',
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', () => this.streamGrew.next());
    client.on('error', () => {});
    client.on('end', () => this.tryAgain());
    try {
      await client.connect();
      await client.query(`listen ${EVENT_CHANNEL}`);
      this.retryMs = FIRST_RETRY_MS;
      // Events may have been missed while no connection listened.
      this.streamGrew.next();
    } catch {
      await client.end().catch(() => {});
      this.tryAgain();
    }
  }

  private tryAgain(): void {
    if (this.isStopped || this.retry) return;
    this.logger.warn(`The connection that listens for events is away; they are polled, next try in ${this.retryMs} ms`);
    this.retry = setTimeout(() => {
      this.retry = undefined;
      void this.listen();
    }, this.retryMs);
    this.retryMs = Math.min(2 * this.retryMs, LONGEST_RETRY_MS);
  }
}
