import pg from 'pg';
import type { RefusalCounter } from '../../bounds/refusal-counter.js';
import { closeFormerPrimaries } from './former-primaries.js';
import { LockedTables } from './locked-tables.js';
import { PoolShares } from './pool-shares.js';
import type { StatementNames } from './preparing-client.js';
import type { PrimaryFinder } from './primary-finder.js';
import { endSilentConnections } from './silent-connections.js';

/** How a pool is used, beside what `pg` has to know of it. */
export interface PoolUse {
  /** Whether it may lead to a standby, as for replicas. */
  acceptsStandby?: boolean;
  /** Whether its connections copy tables, which `pg` cannot do where statements are sent ahead of answers. */
  copies?: boolean;
  /**
   * A connection in use counts as dead after so many milliseconds without a byte from the server; 0: only when the
   * primary has moved to another host; absent: never. A server may disappear without closing its connections. TCP then
   * retransmits for about 15 minutes.
   */
  silenceMs?: number;
  /** Receives a sentence when connections to a former primary are closed; absent: they are kept. */
  warn?: (message: string) => void;
  /** Milliseconds that one may wait for a share of the pool; absent: no limit. */
  shareWaitMs?: number | undefined;
  refusals?: RefusalCounter;
}

/** What all connections of one pool share. */
interface PoolConfig extends pg.PoolConfig, PoolUse {
  max: number;
  finder: PrimaryFinder;
  statementNames: StatementNames;
}

/**
 * The connections of this process to one database: who may use how many, where its primary is, which statements are
 * prepared, how long requests wait for a connection, and what ends a dead one.
 */
export class ConnectionPool extends pg.Pool {
  readonly shares: PoolShares;
  private probeStartedAt: number | undefined;
  private lastWaitMs = 0;

  constructor(config: PoolConfig) {
    super(config);
    const { max, shareWaitMs, refusals, silenceMs, finder, acceptsStandby = false, warn } = config;
    const lockedTables = new LockedTables(async (sql) => (await this.query<{ name: string }>(sql)).rows);
    this.shares = new PoolShares({ size: max, waitMs: shareWaitMs, refusals }, lockedTables);
    if (silenceMs !== undefined) endSilentConnections(this, { silenceMs, ...(!acceptsStandby && { finder }) });
    if (warn) closeFormerPrimaries(this, finder, warn);
  }

  /**
   * An estimate of the milliseconds that a request for a connection will have to wait now: the pool serves in order of
   * arrival, so one probe stands in the queue with the others while there is one. To be called now and then; each call
   * looks again.
   */
  waitMs(): number {
    if (this.waitingCount === 0 && this.probeStartedAt === undefined) return (this.lastWaitMs = 0);
    if (this.probeStartedAt === undefined) void this.probe();
    return Math.max(this.lastWaitMs, performance.now() - this.probeStartedAt!);
  }

  private async probe(): Promise<void> {
    this.probeStartedAt = performance.now();
    try {
      (await this.connect()).release();
      this.lastWaitMs = performance.now() - this.probeStartedAt;
    } catch {
      // No connection can be had; requests are answered that the database is away, at once or after their own wait.
      this.lastWaitMs = 0;
    } finally {
      this.probeStartedAt = undefined;
    }
  }
}
