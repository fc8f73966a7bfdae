import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { OPEN_DATABASE, type OpenDatabase } from '../../database/database.js';
import { SEARCH_INDEX } from '../../database/schema/upgrade-steps.js';
import { EventWakeUp } from '../../events/event-wake-up.js';

/** Does nothing while another process merges, where the index is not there yet, or where another role has made it. */
const MERGE = `
  select case when pg_try_advisory_xact_lock(${ADVISORY_LOCKS.searchMerge}) then gin_clean_pending_list(oid) end
  from pg_class join pg_index on indexrelid = oid
  where oid = to_regclass('${SEARCH_INDEX}') and indisvalid and pg_has_role(relowner, 'usage')`;

/**
 * Merges the entries of new bindings into the index of searches. PostgreSQL by itself merges them only when they are
 * many, within the statement that adds one more, and all other changes wait for that statement. Until then each look-up
 * reads all unmerged entries. The embedded engine does one thing at a time anyway.
 *
 * Every process hears of new entries, and one process merges at a time. A process that hears of more entries while it
 * merges does so once more. If it ends before that, look-ups read these entries until the next merge.
 */
@Injectable()
export class SearchUpkeep implements OnApplicationShutdown {
  private readonly logger = new Logger('SearchUpkeep');
  private readonly merges = new SingleFlight();
  private isFailing = false;

  constructor(
    private readonly dataSource: DataSource,
    wakeUp: EventWakeUp,
    @Inject(OPEN_DATABASE) { kind }: OpenDatabase,
  ) {
    if (kind === 'postgres') wakeUp.streamGrew.subscribe(() => void this.merges.follow(() => this.merge()));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.merges.settle();
  }

  /** Never throws: what fails is done by the next merge, or by PostgreSQL itself. */
  private async merge(): Promise<void> {
    try {
      await this.dataSource.query(MERGE);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn(`The index of searches could not be merged: ${(error as Error).message}`);
      this.isFailing = true;
    }
  }
}
