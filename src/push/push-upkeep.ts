import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { changeInBatches } from '../database/changes.js';

const PRUNE_MS = 10 * 60 * 1000;
const BATCH = 1000;
/** Days for which an operator can replay a delivery that was given up; push services keep messages for four weeks. */
const KEPT_DAYS = 7;

const PRUNE = `
  delete from push_delivery where id in (
    select id from push_delivery where status = 'dead' and dead_at < now() - interval '${KEPT_DAYS} days' limit ${BATCH})`;

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

  /** Returns how many were forgotten. */
  async prune(): Promise<number> {
    return changeInBatches(this.dataSource, BATCH, PRUNE, []);
  }
}
