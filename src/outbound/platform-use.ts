import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { type SentRequest, WebClient } from './web-client.js';

const FLUSH_MS = 60_000;
/** Days that are kept, and days that are shown. */
const KEPT_DAYS = 400;
const SHOWN_DAYS = 31;

/** By the day of the database, in UTC, which is the day by which X counts. */
const TODAY = "(now() at time zone 'utc')::date";

/** With the days that are no longer kept, in one statement: what failed is added again whole. */
const ADD = `
  with dropped as (delete from platform_use where day < ${TODAY} - ${KEPT_DAYS})
  insert into platform_use (day, platform, requests, paid_reads)
  select ${TODAY}, * from unnest($1::text[], $2::bigint[], $3::bigint[])
  on conflict (day, platform) do update
  set requests = platform_use.requests + excluded.requests, paid_reads = platform_use.paid_reads + excluded.paid_reads`;

const DAYS = `
  select day::text, platform, requests, paid_reads as "paidReads" from platform_use
  where day > ${TODAY} - ${SHOWN_DAYS} order by platform_use.day desc, platform`;

/** What all servers sent to one platform on one day. */
export interface DayOfUse {
  /** Such as `2026-11-26`, in UTC. */
  day: string;
  platform: string;
  requests: number;
  /** Posts for which the operator pays. */
  paidReads: number;
}

/** Counts the requests to platforms and others by day. What the last minute brought is not there yet. */
@Injectable()
export class PlatformUse implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('PlatformUse');
  private readonly flushes = new SingleFlight();
  private counts = new Map<string, Omit<DayOfUse, 'day'>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly web: WebClient,
  ) {}

  onModuleInit(): void {
    this.web.requests.subscribe((request) => this.count(request));
  }

  /** After the server has closed and rechecks have ended, which ask to the end. The database is still open. */
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** The days of the last month, newest first. @throws the driver's error */
  async days(): Promise<DayOfUse[]> {
    return this.dataSource.query(DAYS);
  }

  /** Writes what was counted. Never throws: what could not be written is written by the next flush. */
  @Interval(FLUSH_MS)
  flush(): Promise<void> {
    return this.flushes.follow(() => this.write());
  }

  private async write(): Promise<void> {
    if (this.counts.size === 0) return;
    const counted = [...this.counts.values()];
    this.counts = new Map();
    try {
      await this.dataSource.query(ADD, [
        counted.map(({ platform }) => platform),
        counted.map(({ requests }) => requests),
        counted.map(({ paidReads }) => paidReads),
      ]);
    } catch (error) {
      this.logger.warn(`Requests to platforms are not written down yet: ${(error as Error).message}`);
      for (const { platform, requests, paidReads } of counted) this.add(platform, requests, paidReads);
    }
  }

  private count({ platform, paidReads }: SentRequest): void {
    this.add(platform, 1, paidReads);
  }

  private add(platform: string, requests: number, paidReads: number): void {
    const before = this.counts.get(platform) ?? { platform, requests: 0, paidReads: 0 };
    before.requests += requests;
    before.paidReads += paidReads;
    this.counts.set(platform, before);
  }
}
