import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { auditTime, interval, merge, type Subscription } from 'rxjs';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { countChanged } from '../../database/changes.js';
import { OPEN_DATABASE, type OpenDatabase } from '../../database/database.js';
import { WriteTransactions } from '../../database/write-transactions.js';
import { EventWakeUp } from '../../events/event-wake-up.js';
import { type GaugeSource, MAX_COUNTED, Measured, type Readings, UP_TO_LIMIT } from '../../measures/measured.js';
import { FORMER_SEARCH_INDEX, IS_WAITING, LAST_ADDED, RANGE_BITS, SEARCH_INDEX } from './search-table.js';

/** Bindings that are added in one transaction. On the embedded engine all requests wait for it. */
const BATCH = { postgres: 1000, embedded: 200 };
/** Milliseconds between a new binding and its batch: what comes meanwhile shares most of the work. */
const GATHER_MS = 1000;
/** Notifications may be lost, so what waits is looked for without them too. */
const POLL_MS = 5000;
/** The least pause between two full batches. It is as long as the batch was, so that half of the time is for others. */
const PAUSE_MS = 5;

const HAS_WORK = `
  select coalesce((select max(link_id) from proof) > ${LAST_ADDED}, false) or exists (select from proof_search_left) as "hasWork"`;

/**
 * KiB of entries that PostgreSQL writes down beside the index before it merges them. The more of them it merges
 * together, the less each costs; but until then a search reads all of them for each range that it asks, some 40
 * microseconds for 100 KiB. So they are the fewer, the more ranges there are.
 */
const UNMERGED_KIB = `greatest(64, least(1024, 3500 / (
  select 1 + (max(link_id) >> ${RANGE_BITS}) - (min(link_id) >> ${RANGE_BITS}) from proof_search)))`;

/** The lock is only tried for: another server that has it does the work. */
const BEGIN = `
  select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.searchFill}) as "isMine",
    set_config('gin_pending_list_limit', ${UNMERGED_KIB} || 'kB', true)`;

/** A binding that was made again is there with its former link, if it was added before. */
const ADD = `
  insert into proof_search (proof_id, link_id, avatar, platform, identity_folded)
  select p.id, p.link_id, p.avatar, p.platform, p.identity_folded from proof p
  where ${IS_WAITING} order by p.link_id limit $1
  on conflict (proof_id) do update set link_id = excluded.link_id, identity_folded = excluded.identity_folded
  returning proof_id`;

/** A statement behind `ADD`, so that it finds what was added while its binding was deleted. */
const TAKE_OUT = `
  with gone as (delete from proof_search_left returning proof_id)
  delete from proof_search using gone where proof_search.proof_id = gone.proof_id`;

/**
 * Merges the entries that PostgreSQL has written down beside an index, and that each look-up reads. By itself it merges
 * them when they are many, within the statement that adds one more. Does nothing while another process merges, and
 * where another role has made the index.
 */
const MERGE = `
  select case when pg_try_advisory_xact_lock(${ADVISORY_LOCKS.searchMerge}) then gin_clean_pending_list(oid) end
  from pg_class join pg_index on indexrelid = oid
  where oid in (to_regclass('${SEARCH_INDEX}'), to_regclass('${FORMER_SEARCH_INDEX}')) and indisvalid
    and pg_has_role(relowner, 'usage')`;

const BEHIND = `
  select (
      select count(*) from (select from proof p where ${IS_WAITING} order by p.link_id limit ${MAX_COUNTED}) as waiting
    )::int as waiting,
    coalesce(greatest(0, extract(epoch from clock_timestamp() - (
      select recorded_at from chain_link where id = (select min(p.link_id) from proof p where ${IS_WAITING})
    ))), 0)::float8 as "lagSeconds"`;

/** How far the index of searches is behind the bindings. */
export interface SearchLag {
  /** Bindings that are not in it yet, counted up to 10,000. */
  waiting: number;
  /** Seconds since the oldest of them was recorded. */
  lagSeconds: number;
}

const GAUGES = {
  signet_search_waiting: [`Bindings that are not in the index of searches yet, ${UP_TO_LIMIT}`],
  signet_search_lag_seconds: ['How long the oldest binding waits that is not in the index of searches yet'],
} as const;

/**
 * Fills the index of searches behind the commits of bindings, in batches, on one server at a time. What waits follows
 * from the tables alone (see the migration `search-apart`), whichever server or version has written it, so a server
 * that ends between any two statements leaves nothing behind but work for the next one.
 */
@Injectable()
@Measured()
export class SearchUpkeep implements OnApplicationBootstrap, OnApplicationShutdown, GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;
  private readonly logger = new Logger('SearchUpkeep');
  private readonly rounds = new SingleFlight();
  private readonly lags = new SingleFlight<SearchLag>();
  private hints: Subscription | undefined;
  private isStopping = false;
  private isFailing = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: WriteTransactions,
    private readonly wakeUp: EventWakeUp,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  onApplicationBootstrap(): void {
    this.hints = merge(this.wakeUp.streamGrew, interval(POLL_MS))
      .pipe(auditTime(GATHER_MS))
      .subscribe(() => void this.catchUp());
    void this.catchUp();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.hints?.unsubscribe();
    await this.rounds.settle();
  }

  /** Adds what waits at this moment, unless another server does. Never throws: what fails is done by the next round. */
  catchUp(): Promise<void> {
    return this.rounds.follow(async () => {
      try {
        await this.addAll();
        this.isFailing = false;
      } catch (error) {
        if (!this.isFailing) this.logger.warn(`The index of searches falls behind: ${(error as Error).message}`);
        this.isFailing = true;
      }
    });
  }

  /** Callers of one moment share the query. @throws the driver's error */
  lag(): Promise<SearchLag> {
    return this.lags.join(async () => {
      const [lag] = await this.dataSource.query<[SearchLag]>(BEHIND);
      return lag;
    });
  }

  /** As `lag`; null if the database does not answer within `ms` milliseconds, so that all else is said without it. */
  lagWithin(ms: number): Promise<SearchLag | null> {
    const reading = this.lag().catch(() => null);
    return withTimeout(reading, ms, () => null);
  }

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const { waiting, lagSeconds } = await this.lag();
    return { signet_search_waiting: waiting, signet_search_lag_seconds: lagSeconds };
  }

  private async addAll(): Promise<void> {
    const batch = BATCH[this.database.kind];
    while (!this.isStopping) {
      const startedAtMs = performance.now();
      const [{ hasWork }] = await this.dataSource.query<[{ hasWork: boolean }]>(HAS_WORK);
      const added = hasWork ? await this.transactions.run((manager) => addBatch(manager, batch)) : 0;
      await this.dataSource.query(MERGE);
      if (added < batch) return;
      await delay(Math.max(PAUSE_MS, performance.now() - startedAtMs));
    }
  }
}

/** Returns how many bindings were added; none if another server is at it. */
async function addBatch(manager: EntityManager, batch: number): Promise<number> {
  const [{ isMine }] = await manager.query<[{ isMine: boolean }]>(BEGIN);
  if (!isMine) return 0;
  const added = await manager.query<unknown[]>(ADD, [batch]);
  await countChanged(manager, TAKE_OUT, []);
  return added.length;
}
