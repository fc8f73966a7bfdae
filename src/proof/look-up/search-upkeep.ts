import { Inject, Injectable } from '@nestjs/common';
import { auditTime, concatMap } from 'rxjs';
import { DataSource } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from '../../database/database.js';
import { SEARCH_INDEX } from '../../database/schema/migrations/upgrade-steps.js';
import { EventWakeUp } from '../../events/event-wake-up.js';

/** Milliseconds for which new bindings are collected: pieces that several of them have are merged once. */
const PERIOD_MS = 100;

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
  constructor(dataSource: DataSource, wakeUp: EventWakeUp, @Inject(OPEN_DATABASE) { kind }: OpenDatabase) {
    if (kind === 'embedded') return;
    // What fails is done by the next one, or by PostgreSQL itself.
    const merge = () => dataSource.query(MERGE).catch(() => {});
    wakeUp.streamGrew.pipe(auditTime(PERIOD_MS), concatMap(merge)).subscribe();
  }
}
