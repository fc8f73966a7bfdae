import type { EntityManager } from 'typeorm';
import { countChanged } from '../database/changes.js';
import type { ErasedName } from '../events/erase-events.js';

type Source = Pick<EntityManager, 'query'>;

/** Deletes what waits to be told to browsers of these events, and of a binding that no record names any more. */
export async function erasePushes(
  source: Source,
  { avatar, platform, identity, isLast }: ErasedName,
  eventIds: string[],
): Promise<number> {
  const sql = `
    delete from push_delivery
    where message_id = any($1::uuid[]) or ($2::boolean and subject = $3 and platform = $4 and identity = $5)`;
  return countChanged(source, sql, [eventIds, isLast, avatar, platform, identity]);
}

/** Removes the subscriptions of an Avatar of which nothing is left to be told, in the transaction of `manager`. */
export async function removePushesOf(manager: EntityManager, avatar: string): Promise<number> {
  return countChanged(manager, 'delete from push_subscription where avatar = $1', [avatar]);
}
