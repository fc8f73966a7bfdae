import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from '../database.js';
import { finderOf } from './database-client.js';
import { closeFormerPrimaries } from './former-primaries.js';
import { poolOf } from './pool-of.js';
import { endSilentConnections } from './silent-connections.js';

/**
 * The connections of this process to its database: how many there are, how long requests wait for one, and what ends a
 * dead one.
 */
@Injectable()
export class ConnectionPool implements OnModuleInit {
  private readonly logger = new Logger('ConnectionPool');
  private probeStartedAt: number | undefined;
  private lastWaitMs = 0;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  /**
   * If a server disappears without closing its connections, TCP retransmits for about 15 minutes. So a connection that
   * is in use and receives nothing for longer than any statement may take is closed, and its request is answered as for
   * a database that is away. Connections to a server that has become read-only are closed too.
   */
  onModuleInit(): void {
    const { url, silenceMs } = this.database;
    const finder = finderOf(url);
    endSilentConnections(this.dataSource, { silenceMs, finder });
    closeFormerPrimaries(this.pool, finder, (message) => this.logger.warn(message));
  }

  get size(): number {
    return this.pool.totalCount;
  }

  get idle(): number {
    return this.pool.idleCount;
  }

  /** Requests that wait for a connection. */
  get waiting(): number {
    return this.pool.waitingCount;
  }

  /**
   * An estimate of the milliseconds that a request for a connection will have to wait now: the pool serves in order of
   * arrival, so one probe stands in the queue with the others while there is one. To be called now and then; each call
   * looks again.
   */
  waitMs(): number {
    if (this.waiting === 0 && this.probeStartedAt === undefined) return (this.lastWaitMs = 0);
    if (this.probeStartedAt === undefined) void this.probe();
    return Math.max(this.lastWaitMs, performance.now() - this.probeStartedAt!);
  }

  private async probe(): Promise<void> {
    this.probeStartedAt = performance.now();
    try {
      (await this.pool.connect()).release();
      this.lastWaitMs = performance.now() - this.probeStartedAt;
    } catch {
      // No connection can be had; requests are answered that the database is away, at once or after their own wait.
      this.lastWaitMs = 0;
    } finally {
      this.probeStartedAt = undefined;
    }
  }

  private get pool(): pg.Pool {
    return poolOf(this.dataSource);
  }
}
