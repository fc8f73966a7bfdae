import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import { dataSourceOptions } from './data-source.js';
import { OPEN_DATABASE, type OpenDatabase } from './database.js';
import { isTooSlow } from './pg-errors.js';

/** How often every replica is looked at. */
const LOOK_MS = 5000;
/** The id of the newest link shows how far a database is; an empty one is at 0. */
const HEAD = 'select coalesce(max(id), 0) as id from chain_link';

interface Replica {
  /** For the log; holds no password. */
  name: string;
  dataSource: DataSource;
  isUsable: boolean;
}

/** Where the primary was at a moment of this process's own clock. */
export interface HeadSeen {
  id: number;
  /** Milliseconds of `performance.now()`, which no step of the system's clock changes. */
  seenAt: number;
}

/**
 * Read-only copies of the database (DATABASE_REPLICA_URLS). A replica is behind by nature, so only questions go to it
 * whose answer cannot be wrong for that: ambiguous searches, which promise no moment, and pages of the feed and of
 * chains that are full and therefore final. The caller gets null when no replica can answer, and then asks the
 * primary. A replica that is away, not set up or too far behind is not asked until it is well.
 */
@Injectable()
export class Replicas implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Replicas');
  private readonly replicas: Replica[];
  private heads: HeadSeen[] = [];
  private turn = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly looks = new SingleFlight();

  constructor(
    private readonly primary: DataSource,
    @Inject(OPEN_DATABASE) database: OpenDatabase,
    private readonly environment: Environment,
  ) {
    this.replicas = (environment.DATABASE_REPLICA_URLS ?? []).map((url) => ({
      name: new URL(url).host,
      dataSource: new DataSource(
        dataSourceOptions({ ...database, url }, { acceptsStandby: true, silenceMs: database.silenceMs }),
      ),
      isUsable: false,
    }));
  }

  /** The first look is not waited for: a replica that is away must not keep the service from starting. */
  onApplicationBootstrap(): void {
    if (this.replicas.length === 0) return;
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looks.settle();
    const connected = this.replicas.filter(({ dataSource }) => dataSource.isInitialized);
    await Promise.all(connected.map(({ dataSource }) => dataSource.destroy()));
  }

  /** Whether there is any; callers can save a question where there is none. */
  get exist(): boolean {
    return this.replicas.length > 0;
  }

  /**
   * What one replica answers, or null if none can.
   * @throws QueryFailedError if the replica gave up for the time it took: the primary must not be asked the same again.
   */
  async ask<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result | null> {
    const usable = this.replicas.filter(({ isUsable }) => isUsable);
    const replica = usable[this.turn++ % usable.length];
    if (!replica) return null;
    try {
      return await work(replica.dataSource.manager);
    } catch (error) {
      if (isTooSlow(error)) throw error;
      this.mark(replica, false, (error as Error).message);
      return null;
    }
  }

  /** Looks at the primary and every replica once; two looks never run at the same time. */
  look(): Promise<void> {
    return this.looks.join(() => this.lookNow());
  }

  private async lookNow(): Promise<void> {
    let expected: number;
    try {
      const now = performance.now();
      this.heads.push({ id: await headOf(this.primary), seenAt: now });
      const maxLagMs = this.environment.DATABASE_REPLICA_MAX_LAG_SECONDS * 1000;
      ({ kept: this.heads, expected } = chooseEndOfLag(this.heads, now - maxLagMs));
    } catch {
      return; // The primary is away: what is known of the replicas stays.
    }
    await Promise.all(this.replicas.map((replica) => this.lookAt(replica, expected)));
  }

  private async lookAt(replica: Replica, expected: number): Promise<void> {
    try {
      if (!replica.dataSource.isInitialized) await replica.dataSource.initialize();
      const id = await headOf(replica.dataSource);
      this.mark(replica, id >= expected, `it is at link ${id}, and the primary was at ${expected} a while ago`);
    } catch (error) {
      this.mark(replica, false, (error as Error).message);
    }
  }

  private mark(replica: Replica, isUsable: boolean, reason: string): void {
    if (replica.isUsable && !isUsable) this.logger.warn(`The replica ${replica.name} is not asked any more: ${reason}`);
    if (!replica.isUsable && isUsable) this.logger.log(`The replica ${replica.name} is asked.`);
    replica.isUsable = isUsable;
  }
}

async function headOf(dataSource: DataSource): Promise<number> {
  const rows: { id: number }[] = await dataSource.query(HEAD);
  return rows[0]!.id;
}

/**
 * How far a replica has to be if it is at most so far behind that it knows what was there at `endOfLag`: the newest
 * head seen no later. Before the service has run for that long, the first head it saw counts. `kept` leaves out what
 * can never be needed again.
 * @param heads oldest first, at least one.
 */
export function chooseEndOfLag(heads: HeadSeen[], endOfLag: number): { expected: number; kept: HeadSeen[] } {
  const later = heads.findIndex(({ seenAt }) => seenAt > endOfLag);
  const chosen = Math.max(0, (later < 0 ? heads.length : later) - 1);
  return { expected: heads[chosen]!.id, kept: heads.slice(chosen) };
}
