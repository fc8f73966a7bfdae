import type { EntityManager } from 'typeorm';
import { countChanged } from '../database/changes.js';
import type { SqlSource } from '../database/sql-source.js';
import type { ErasedName } from '../events/erase-events.js';

/**
 * Deletes what waits to be told to browsers of these events, and of a binding that no record names any more: also to
 * those of its Avatar, who are told that another one has bound what it holds.
 */
export async function erasePushes(
  source: SqlSource,
  { avatar, platform, identity, isLast }: ErasedName,
  eventIds: string[],
): Promise<number> {
  const sql = `
    delete from push_delivery
    where message_id = any($1::uuid[]) or ($2::boolean and platform = $4 and identity = $5
      and (subject = $3 or subscription_id in (select id from push_subscription where avatar = $3)))`;
  return countChanged(source, sql, [eventIds, isLast, avatar, platform, identity]);
}

/** Removes the subscriptions of an Avatar of which nothing is left to be told, in the transaction of `manager`. */
export async function removePushesOf(manager: EntityManager, avatar: string): Promise<number> {
  return countChanged(manager, 'delete from push_subscription where avatar = $1', [avatar]);
}
