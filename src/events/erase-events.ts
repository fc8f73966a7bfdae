import { countChanged } from '../database/changes.js';
import type { SqlSource } from '../database/sql-source.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { EVENT_CHANNEL, TEXTS_ERASED } from './event-wake-up.js';

/** Whose texts are erased: the record with this uuid, or all of an identity that no other record names. */
export type ErasedName = BindingEvent & { uuid: string; isLast: boolean };

/** Events that one statement looks at. */
const BATCH = 5000;

/** Parameters: `valuesOf`. */
const IS_ABOUT = `(payload->>'uuid' = $1 or ($5::boolean and payload->>'avatar' = $2 and payload->>'platform' = $3
  and payload->>'identity' = $4))`;
const valuesOf = ({ uuid, avatar, platform, identity, isLast }: ErasedName) => [
  uuid,
  avatar,
  platform,
  identity,
  isLast,
];
const WITHOUT_TEXTS = `(
  select jsonb_object_agg(key, case when key in ('identity', 'proof_location', 'reason') then '""' else value end)
  from jsonb_each(payload)
)`;

/** @param which condition and order, `$6` being a position */
const eraseSql = (which: string) => `
  with batch as materialized (
    select id, position, ${IS_ABOUT} as is_about from domain_event where ${which}
  ), erased as (
    update domain_event set payload = ${WITHOUT_TEXTS} from batch
    where domain_event.id = batch.id and batch.is_about returning domain_event.id
  )
  select (select coalesce(array_agg(id), '{}') from erased) as ids, max(position) as last, count(*)::int as count from batch`;
const ERASE_NEXT = eraseSql(`position > $6 order by position limit ${BATCH}`);
const ERASE_REST = eraseSql('position > $6 or position is null');

/**
 * Empties the texts in some events about a record, behind a position; the events stay in the stream. Servers that hold
 * events in memory are told when the transaction of `source` commits.
 * @returns the ids of these events, and the position behind which to go on; null where these were the last
 */
export async function eraseEvents(
  source: SqlSource,
  name: ErasedName,
  after: number,
): Promise<{ ids: string[]; last: number | null }> {
  const values = [...valuesOf(name), after];
  type Batch = { ids: string[]; last: number | null; count: number };
  await source.query('select pg_notify($1, $2)', [EVENT_CHANNEL, TEXTS_ERASED]);
  const [batch] = (await source.query(ERASE_NEXT, values)) as [Batch];
  if (batch.count === BATCH) return batch;
  const [rest] = (await source.query(ERASE_REST, [...valuesOf(name), batch.last ?? after])) as [Batch];
  return { ids: [...batch.ids, ...rest.ids], last: null };
}

/**
 * Empties the texts in parked events about a record, once the listeners that had read its events before are done with
 * them: what a listener makes of an event later has no texts.
 */
export async function eraseParkedEvents(source: SqlSource, name: ErasedName): Promise<void> {
  await source.query('select from event_handler for share');
  await countChanged(source, `update parked_event set payload = ${WITHOUT_TEXTS} where ${IS_ABOUT}`, valuesOf(name));
}

export async function eventsAbout(source: SqlSource, name: ErasedName): Promise<string[]> {
  const rows = (await source.query(`select id from domain_event where ${IS_ABOUT}`, valuesOf(name))) as {
    id: string;
  }[];
  return rows.map(({ id }) => id);
}
