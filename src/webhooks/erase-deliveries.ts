import type { SqlSource } from '../database/sql-source.js';

/** Deliveries that one statement looks at: their bodies are read. */
const BATCH = 2000;

/** Before the id of any delivery. */
export const FIRST_DELIVERY = '00000000-0000-0000-0000-000000000000';

const IS_ABOUT = '(message_id = any($1::uuid[]) or position($2 in body) > 0)';
const ERASE = `
  with batch as materialized (
    select id, ${IS_ABOUT} as is_about from webhook_delivery where id > $3 order by id limit ${BATCH}
  ), erased as (
    delete from webhook_delivery using batch where webhook_delivery.id = batch.id and batch.is_about returning 1
  )
  select (select count(*)::int from erased) as erased, count(*)::int as count,
    (select id from batch order by id desc limit 1) as last
  from batch`;

/**
 * Deletes the next batch of deliveries that are of these events or name the uuid. Receivers keep what was delivered;
 * pending deliveries are not sent any more.
 * @returns the number of deleted deliveries, and the id to continue after; null if this was the last batch
 */
export async function eraseDeliveries(
  source: SqlSource,
  uuid: string,
  eventIds: string[],
  after: string,
): Promise<{ erased: number; last: string | null }> {
  type Batch = { erased: number; count: number; last: string | null };
  const [{ erased, count, last }] = (await source.query(ERASE, [eventIds, uuid, after])) as [Batch];
  return { erased, last: count === BATCH ? last : null };
}

/** How many deliveries there are of these events, and of those that name the uuid. */
export async function countDeliveries(source: SqlSource, uuid: string, eventIds: string[]): Promise<number> {
  const sql = `select count(*)::int as count from webhook_delivery where ${IS_ABOUT}`;
  return ((await source.query(sql, [eventIds, uuid])) as [{ count: number }])[0].count;
}
