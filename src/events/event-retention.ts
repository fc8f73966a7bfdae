import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { changeInBatches } from '../database/changes.js';
import { isPast } from '../database/time-sql.js';
import { EventListeners } from './event-listeners.js';

const PRUNE_MS = 10 * 60 * 1000;
/** Rows of one transaction; a stream reader or the relay never waits for more. */
const BATCH = 5000;

/**
 * Deletes the events before the first one that has to stay, so the rest has no gaps. Three kinds of events have to
 * stay: young ones, those that a listener has not handled, and the newest, because the relay counts on from it.
 */
const PRUNE = `
  with bounds as (
    select least(
      (select max(position) from domain_event),
      (select min(position) from domain_event where not (${isPast('recorded_at', '$1::integer', '$3')})),
      (select min(coalesce(cursor.position, 0)) + 1
       from unnest($2::text[]) as mine(name) left join event_handler as cursor using (name))
    ) as first
  )
  delete from domain_event where position in (
    select position from domain_event where position < (select first from bounds) order by position limit ${BATCH})`;

/** Deletes events that are older than EVENT_RETENTION_DAYS. */
@Injectable()
export class EventRetention {
  private readonly logger = new Logger('EventRetention');

  constructor(
    private readonly dataSource: DataSource,
    private readonly listeners: EventListeners,
    private readonly environment: Environment,
  ) {}

  @Interval(PRUNE_MS)
  async tick(): Promise<void> {
    try {
      await this.prune();
    } catch (error) {
      this.logger.warn(`The pruning of old events failed and will be tried again: ${(error as Error).message}`);
    }
  }

  /** Deletes what is too old by the clock of the database and at `now`. Returns how many events that were. */
  async prune(now = new Date()): Promise<number> {
    const parameters = [this.environment.EVENT_RETENTION_DAYS, this.listeners.names, now];
    return changeInBatches(this.dataSource, BATCH, PRUNE, parameters);
  }
}
