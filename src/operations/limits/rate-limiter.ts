import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { type RateName, WINDOW_SECONDS } from '../../bounds/bounds.js';
import { hasCome } from '../../database/time-sql.js';

/** One limit: the points of one client in one window. */
export interface Quota {
  name: RateName;
  limit: number;
}

/** The result of counting one request against a limit. */
export interface RateVerdict {
  isAllowed: boolean;
  /** Points left in this window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
}

/**
 * Counts each client's requests against one quota, in the memory of this process, in windows that start with a client's
 * first request.
 */
export class RateLimiter {
  private readonly counts: RateLimiterMemory;

  constructor(readonly quota: Quota) {
    this.counts = new RateLimiterMemory({ points: quota.limit, duration: WINDOW_SECONDS });
  }

  /**
   * Counts a request of `client` and returns whether it may go on. A request that costs more than the whole limit costs
   * the whole limit.
   */
  async consume(client: string, points: number): Promise<RateVerdict> {
    const price = Math.min(points, this.counts.points);
    const result = await this.counts.consume(client, price).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    });
    return {
      isAllowed: result.consumedPoints <= this.counts.points,
      remaining: result.remainingPoints,
      resetSeconds: secondsOf(result.msBeforeNext),
    };
  }

  /** Counts further points of a request that was served. */
  async charge(client: string, points: number): Promise<void> {
    await this.counts.penalty(client, points);
  }
}

/** SQL condition: the window of a row is over. */
const isOver = (row: string) => hasCome(`${row}.ends_at`, WINDOW_SECONDS * 1000, 'clock_timestamp()');

/** All times are those of the database, so that servers whose clocks differ, or step, agree. */
const COUNT = `
  insert into rate_limit as counted (key, requests, ends_at)
  values ($1, $2, clock_timestamp() + make_interval(secs => ${WINDOW_SECONDS}))
  on conflict (key) do update set
    requests = case when ${isOver('counted')} then excluded.requests else counted.requests + excluded.requests end,
    ends_at = case when ${isOver('counted')} then excluded.ends_at else counted.ends_at end
  returning requests, extract(epoch from ends_at - clock_timestamp()) * 1000 as ms_left`;

/**
 * Counts for all servers together, in PostgreSQL. A request that this server's own count refuses never reaches the
 * database, so that an aggressive client costs it no more than its quota.
 *
 * Choice: the statement is ours and not that of the library, whose windows follow the clock of each server and whose
 * named statements do not pass every transaction pooler.
 */
export class SharedRateLimiter extends RateLimiter {
  constructor(
    quota: Quota,
    private readonly dataSource: DataSource,
  ) {
    super(quota);
  }

  override async consume(client: string, points: number): Promise<RateVerdict> {
    const own = await super.consume(client, points);
    if (!own.isAllowed) return own;
    const rows: { requests: number; ms_left: string }[] = await this.dataSource.query(COUNT, [
      `${this.quota.name} ${client}`,
      Math.min(points, this.quota.limit),
    ]);
    const { requests, ms_left: msLeft } = rows[0]!;
    return {
      isAllowed: requests <= this.quota.limit,
      remaining: Math.max(0, this.quota.limit - requests),
      resetSeconds: secondsOf(Number(msLeft)),
    };
  }
}

/** Removes the counts of windows that are over. */
export async function forgetOldCounts(dataSource: DataSource): Promise<void> {
  await dataSource.query(`delete from rate_limit where ${isOver('rate_limit')}`);
}

/** The system's clock may have stepped, so the library's time is held within a window. */
function secondsOf(ms: number): number {
  return Math.min(Math.max(1, Math.ceil(ms / 1000)), WINDOW_SECONDS);
}
