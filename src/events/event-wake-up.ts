import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DatabaseClient } from '../database/connections/database-client.js';
import { OPEN_DATABASE, type OpenDatabase } from '../database/database.js';

/** The channel on which a relay notifies all servers of new positions. */
export const EVENT_CHANNEL = 'signet_events';

/** What says on that channel that texts of events were erased. */
export const TEXTS_ERASED = 'erased';

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
  /** Emits when texts of events were erased, or may have been; subscribers forget the events that they hold. */
  readonly textsErased = new Subject<void>();

  private readonly logger = new Logger('EventWakeUp');
  private client: DatabaseClient | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(@Inject(OPEN_DATABASE) private readonly database: OpenDatabase) {}

  onApplicationBootstrap(): void {
    if (this.database.kind === 'postgres') void this.keepListening();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.retry);
    this.streamGrew.complete();
    this.textsErased.complete();
    await this.client?.end().catch(() => {});
  }

  /** Never throws. */
  private async keepListening(): Promise<void> {
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)) {
      if (await this.listen()) retryMs = FIRST_RETRY_MS;
      if (this.isStopped) return;
      this.logger.warn(`The connection that listens for events is away; they are polled, next try in ${retryMs} ms`);
      await new Promise((resolve) => (this.retry = setTimeout(resolve, retryMs)));
    }
  }

  /** Listens until the connection ends. Returns whether there was one. */
  private async listen(): Promise<boolean> {
    const client = new DatabaseClient({
      connectionString: this.database.directUrl,
      application_name: 'signet listen',
      connectionTimeoutMillis: this.database.connectTimeoutMs,
    });
    this.client = client;
    client.on('notification', ({ payload }) => (payload === TEXTS_ERASED ? this.textsErased : this.streamGrew).next());
    const ended = new Promise((resolve) => client.once('end', resolve));
    try {
      await client.connect();
      await client.query(`listen ${EVENT_CHANNEL}`);
    } catch {
      await client.end().catch(() => {});
      return false;
    }
    // Both may have been missed while no connection listened.
    this.textsErased.next();
    this.streamGrew.next();
    await ended;
    return true;
  }
}
