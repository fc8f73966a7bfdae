import type { EntityManager } from 'typeorm';
import { behindWitnesses, likelyNow, readTimeBounds } from '../recorded-times.js';
import { newestErasure, readErased } from './erasure-rows.js';

/**
 * The time of an erasure, UNIX seconds, which readers of the log hold against the erasure before it and against
 * witnesses; in the transaction of `manager`.
 * @param serverNow by the clock of this process
 */
export async function timeOfErasure(manager: EntityManager, serverNow: Date): Promise<number> {
  const bounds = await readTimeBounds(manager, 0, 0);
  const now = likelyNow(bounds, serverNow.getTime() / 1000);
  const last = await newestErasure(manager);
  const item = last ? await readErased(manager, last) : null;
  const { at = 0 } = (item && ('link' in item ? item.link : item.patch).erased) ?? {};
  return Math.max(now, behindWitnesses(bounds, now), at);
}
