import type { EntityManager } from 'typeorm';
import { changedRows } from '../database/changes.js';
import type { BindingEvent } from '../domain/domain-events.js';

/** Whose texts are erased: the record with this uuid, or all of an identity that no other record names. */
export type ErasedName = BindingEvent & { uuid: string; isLast: boolean };

/** Parameters: uuid, Avatar, platform, identity, whether no other record names it. */
const IS_ABOUT = `(payload->>'uuid' = $1 or ($5::boolean and payload->>'avatar' = $2 and payload->>'platform' = $3
  and payload->>'identity' = $4))`;
const WITHOUT_TEXTS = `(
  select jsonb_object_agg(key, case when key in ('identity', 'proof_location', 'reason') then '""' else value end)
  from jsonb_each(payload)
)`;

/**
 * Empties the texts in events about a record, which stay in the stream, in the transaction of `manager`.
 * @returns the ids of these events
 */
export async function eraseEvents(manager: EntityManager, { uuid, avatar, platform, identity, isLast }: ErasedName) {
  const values = [uuid, avatar, platform, identity, isLast];
  await manager.query(`update parked_event set payload = ${WITHOUT_TEXTS} where ${IS_ABOUT}`, values);
  const sql = `update domain_event set payload = ${WITHOUT_TEXTS} where ${IS_ABOUT} returning id`;
  return (await changedRows<{ id: string }>(manager, sql, values)).map(({ id }) => id);
}
