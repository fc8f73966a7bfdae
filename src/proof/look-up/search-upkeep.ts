import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { OPEN_DATABASE, type OpenDatabase } from '../../database/database.js';
import { SEARCH_INDEX } from '../../database/schema/migrations/upgrade-steps.js';
import { EventWakeUp } from '../../events/event-wake-up.js';

/** Nothing where the index is not there yet, or another role has made it. */
const MERGE = `
  select gin_clean_pending_list(oid) from pg_class join pg_index on indexrelid = oid
  where oid = to_regclass('${SEARCH_INDEX}') and indisvalid and pg_has_role(relowner, 'usage')`;

/**
 * Merges the entries of new bindings into the index of searches. Left alone, PostgreSQL does so once they are many, in
 * the statement that records one more, for which all other changes wait; and each look-up reads those that wait. The
 * embedded engine does one thing at a time anyway.
 */
@Injectable()
export class SearchUpkeep {
  private readonly merges = new SingleFlight();

  constructor(dataSource: DataSource, wakeUp: EventWakeUp, @Inject(OPEN_DATABASE) { kind }: OpenDatabase) {
    if (kind === 'embedded') return;
    // What fails is done by the next one, or by PostgreSQL itself.
    const merge = () => dataSource.query(MERGE).catch(() => {});
    wakeUp.streamGrew.subscribe(() => void this.merges.follow(merge));
  }
}
