import type { KeyState } from '@signet/verify/key-events';
import { HOLDS_TABLE } from '../holds/avatar-holds.js';
import type { TableColumns } from '../database/table-columns.js';
import { fromUnixSeconds } from '../domain/unix-time.js';
import type { KeyEvent } from './key-event.entity.js';
import { KEY_COLUMNS } from './key-rows.js';

/** The part of the state of an Avatar's keys that stops its writes; see the table. */
export interface HoldRow {
  frozenUntil: Date | null;
  succeededFrom: Date | null;
  successor: string | null;
  /** The uuid of the event that names it. */
  succession: string | null;
  /** The uuid of the last link that the owner made. */
  sinceLink: string | null;
  sincePatch: string | null;
}

/**
 * The row that follows from a state, for all times until the next event: time alone ends a freeze, and makes a pending
 * succession final.
 */
export function holdOf({ freeze, pendingSuccession, succession }: KeyState): HoldRow {
  const until = Math.max(freeze?.until ?? 0, pendingSuccession?.due_at ?? 0);
  const fields = succession ?? pendingSuccession?.fields;
  const from = succession?.at ?? pendingSuccession?.due_at;
  return {
    frozenUntil: until > 0 ? fromUnixSeconds(until) : null,
    succeededFrom: from === undefined ? null : fromUnixSeconds(from),
    successor: fields?.successor ?? null,
    succession: (succession ?? pendingSuccession)?.event ?? null,
    sinceLink: fields?.since_link ?? null,
    sincePatch: fields?.since_patch ?? null,
  };
}

/** Rows of Avatars with what stops their writes, and the time of the key event that says so. */
export const HOLDS: TableColumns<HoldRow & Pick<KeyEvent, 'avatar' | 'recordedAt'>> = KEY_COLUMNS.pick(
  'avatar',
  'successor',
  'recordedAt',
).and<Omit<HoldRow, 'successor'>>({
  frozenUntil: 'timestamptz',
  succeededFrom: 'timestamptz',
  succession: 'uuid',
  sinceLink: 'uuid',
  sincePatch: 'uuid',
});

/** Writes the rows of Avatars. `source` has the columns of `HOLDS`. */
export function saveHoldsSql(source: string): string {
  return `
  insert into ${HOLDS_TABLE} (avatar, settled_until, frozen_until, succeeded_from, successor, succession,
    since_link, since_patch)
  select hold.avatar, hold.recorded_at, frozen_until, succeeded_from, successor, succession,
    case when successor is not null then coalesce(link.id, 0) end,
    case when successor is not null then coalesce(patch.position_in_chain, 0) end
  from ${source} hold
  left join chain_link link on link.uuid = hold.since_link and link.avatar = hold.avatar
  left join kv_patch patch on patch.uuid = hold.since_patch and patch.avatar = hold.avatar
  on conflict (avatar) do update set settled_until = excluded.settled_until,
    frozen_until = excluded.frozen_until, succeeded_from = excluded.succeeded_from, successor = excluded.successor, succession = excluded.succession, since_link = excluded.since_link, since_patch = excluded.since_patch`;
}

/**
 * How long the row of successions is that a new one would make, as rows of one column `avatar`: those that the
 * successor `$1` leads to, with their distance from it.
 */
export const AFTER_SUCCESSOR = `
  with recursive later(avatar, distance) as (
    select $1::text, 0
    union all
    select hold.successor, later.distance + 1 from later join ${HOLDS_TABLE} hold using (avatar)
    where hold.successor is not null and later.distance < $2
  )
  select avatar, distance::int from later`;

/** The distance of the farthest Avatar that leads to `$1`, up to `$2`. */
export const BEFORE_AVATAR = `
  with recursive earlier(avatar, distance) as (
    select $1::text, 0
    union
    select hold.avatar, earlier.distance + 1 from earlier join ${HOLDS_TABLE} hold on hold.successor = earlier.avatar
    where earlier.distance < $2
  )
  select max(distance)::int as distance from (select distance from earlier limit 10000) as reached`;
