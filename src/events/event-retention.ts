import { Injectable, Logger } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { handlersOf } from './on-domain-event.js';

const PRUNE_MS = 10 * 60 * 1000;
/** Rows of one transaction; a stream reader or the relay never waits for more. */
const BATCH = 5000;

/**
 * Whatever lies before the first event that has to stay, so that what is left has no holes: one that is young enough,
 * one that a listener has not had, or the newest of all, from which the relay goes on counting.
 */
const PRUNE = `
  with bounds as (
    select least(
      (select max(position) from domain_event),
      (select min(position) from domain_event where recorded_at >= $1),
      (select min(coalesce(cursor.position, 0)) + 1
       from unnest($2::text[]) as mine(name) left join event_handler as cursor using (name))
    ) as first
  )
  delete from domain_event where position in (
    select position from domain_event where position < (select first from bounds) order by position limit ${BATCH})`;

/** Forgets events that are older than EVENT_RETENTION_DAYS. */
@Injectable()
export class EventRetention {
  private readonly logger = new Logger('EventRetention');

  constructor(
    private readonly dataSource: DataSource,
    private readonly emitter: EventEmitter2,
    private readonly environment: Environment,
  ) {}

  @Interval(PRUNE_MS)
  async tick(): Promise<void> {
    try {
      await this.prune(new Date());
    } catch (error) {
      this.logger.warn(`old events stay for now: ${(error as Error).message}`);
    }
  }

  /** How many events were forgotten. */
  async prune(now: Date): Promise<number> {
    const cutoff = new Date(now.getTime() - this.environment.EVENT_RETENTION_DAYS * 24 * 3600 * 1000);
    let pruned = 0;
    for (;;) {
      const [, batch] = (await this.dataSource.query(PRUNE, [cutoff, handlersOf(this.emitter)])) as [unknown, number];
      pruned += batch;
      if (batch < BATCH) return pruned;
    }
  }
}
