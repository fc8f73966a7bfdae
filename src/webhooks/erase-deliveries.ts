import type { EntityManager } from 'typeorm';
import { countChanged } from '../database/changes.js';

/**
 * Deletes deliveries of these events, and all that name the uuid, in the transaction of `manager`. What was delivered
 * is with its receiver; what was not is not sent any more.
 * @returns how many were deleted
 */
export async function eraseDeliveries(manager: EntityManager, uuid: string, eventIds: string[]): Promise<number> {
  const sql = 'delete from webhook_delivery where message_id = any($1::uuid[]) or position($2 in body) > 0';
  return countChanged(manager, sql, [eventIds, uuid]);
}
