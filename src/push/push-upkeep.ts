import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { changeInBatches } from '../database/changes.js';
import { isPast } from '../database/time-sql.js';

const PRUNE_MS = 10 * 60 * 1000;
const BATCH = 1000;
/** Days for which an operator can replay a delivery that was given up; push services keep messages for four weeks. */
const KEPT_DAYS = 7;

const PRUNE = `
  delete from push_delivery where id in (
    select id from push_delivery where status = 'dead' and ${isPast('dead_at', KEPT_DAYS, '$1')} limit ${BATCH})`;

/** Forgets deliveries to browsers that were given up. */
@Injectable()
export class PushUpkeep {
  private readonly logger = new Logger('PushUpkeep');

  constructor(private readonly dataSource: DataSource) {}

  @Interval(PRUNE_MS)
  async tick(): Promise<void> {
    // The next tick finds the same rows.
    await this.prune().catch((error: unknown) => {
      this.logger.warn(`Old deliveries to browsers could not be deleted: ${(error as Error).message}`);
    });
  }

  /** Forgets what is too old by the clock of the database and at `now`. Returns how many deliveries that were. */
  async prune(now = new Date()): Promise<number> {
    return changeInBatches(this.dataSource, BATCH, PRUNE, [now]);
  }
}
