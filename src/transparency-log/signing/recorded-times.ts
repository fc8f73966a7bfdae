import { wordOf, wordsOf } from '@signet/verify/internal/log';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { fromUnixSeconds, unixSeconds } from '../../domain/unix-time.js';
import { newestErasure, readErased } from '../tree/records/erasure-rows.js';
import type { Recorded, RecordKind, RecordKinds } from '../../ledger/record-kind.js';
import type { WitnessedClock } from '../../keys/witnessed-clock.js';

/**
 * Seconds by which a time may contradict what is known without being put right: a minute less than monitors allow
 * (docs/log.md, "What it proves, and what not"), so that what is put right here is never an alarm there.
 */
export const TOLERATED_SECONDS = 240;

const logger = new Logger('Log');

/** What is known of the times of new entries. All times are UNIX seconds. */
export interface TimeBounds {
  /** The clock of the database. */
  databaseNow: number;
  /** The newest cosignature of the log, which lacked all that is added now; null without witnesses. */
  cosignedAt: number | null;
  /** The last entry of each kind, by its name; none before the first. */
  lastAt: Record<string, number>;
}

/** What times of records are held against; see `correctTimes`. */
interface KnownTimes {
  now: number;
  leastNow: number;
  isFirstFilling: boolean;
  lastTimes?: (number | null)[] | undefined;
}

/** The clocks of the witnesses of this log. */
export const WITNESSES_CLOCK: WitnessedClock = {
  newestCosignature: async (manager) => (await readTimeBounds(manager)).cosignedAt,
};

/** A time that was put right. */
export interface CorrectedTime extends Recorded {
  /** What the database said. */
  was: Date;
}

const BOUNDS = `
  select extract(epoch from clock_timestamp())::float8 as "databaseNow",
    (select extract(epoch from max(cosigned_at))::float8 from log_cosignature) as "cosignedAt",
    (select coalesce(json_object_agg(kind, entry::json -> 'recorded_at'), '{}')
     from unnest($1::text[], $2::bigint[]) as last(kind, record_id) join log_leaf using (kind, record_id)) as "lastAt"`;

/**
 * Reads what new entries are held against, in the transaction of `manager`.
 * @param last the numbers of the last records in the tree, by the names of their kinds
 */
export async function readTimeBounds(manager: EntityManager, last: Record<string, number> = {}): Promise<TimeBounds> {
  const [bounds] = (await manager.query(BOUNDS, [Object.keys(last), Object.values(last)])) as [TimeBounds];
  return bounds;
}

/**
 * Puts the times of new records right, in the transaction of `manager`, and in their rows too: `npm run log -- check`
 * compares these with the entries.
 * @param last the numbers of the last records in the tree, by the names of their kinds
 * @param now by the clock of this server @param isFirstFilling see `correctTimes`
 */
export async function putTimesRight(
  manager: EntityManager,
  records: Map<RecordKind, Recorded[]>,
  last: Record<string, number>,
  { now: serverNow, isFirstFilling }: { now: Date; isFirstFilling: boolean },
): Promise<void> {
  if (records.size === 0) return;
  const lastOf = [...records.keys()].map(({ name }) => [name, last[name]!] as const);
  const bounds = await readTimeBounds(manager, Object.fromEntries(lastOf));
  const now = likelyNow(bounds, serverNow.getTime() / 1000);
  const known = { now, leastNow: behindWitnesses(bounds, now), isFirstFilling };
  for (const [kind, rows] of records) {
    if (kind.holdsItsTime) continue;
    const lastTimes = await kind.lastTimes?.(manager, rows);
    const corrected = correctTimes(rows, bounds.lastAt[kind.name] ?? null, { ...known, lastTimes });
    const [first, ...others] = corrected;
    if (!first) continue;
    await kind.feed.setTimes(manager, corrected);
    const more = others.length === 0 ? '' : `, and ${others.length} more ${wordsOf(kind)}`;
    logger.warn(
      `The database said that ${wordOf(kind)} ${first.id} was recorded at ${first.was.toISOString()}, which contradicts its clocks, ` +
        `the entries before it or a witness: its entry says ${first.recordedAt.toISOString()}${more}. Was a clock stepped?`,
    );
  }
}

/**
 * Puts right, in `items`, each time that a reader of the log would have to call untrue: in the future, long before that
 * of the entry before it, or made by a clock that is behind the witnesses. A clock that was stepped makes such times,
 * and so does a row that was changed; nothing is refused and nothing waits for it. A record that waited for hours,
 * because the log stood still, keeps its time, which its receipt names too.
 * @param items records of one kind in the order of their numbers
 * @param previous the time of the last entry of this kind
 * @param now UNIX seconds, see `likelyNow` @param leastNow see `behindWitnesses`
 * @param isFirstFilling whether no tree head was signed yet: then old times are right, as long as they ascend
 * @param lastTimes see `RecordKind`: behind its own a record would not verify, so it rather contradicts the one before
 */
export function correctTimes(
  items: Recorded[],
  previous: number | null,
  { now, leastNow, isFirstFilling, lastTimes }: KnownTimes,
): CorrectedTime[] {
  const corrected: CorrectedTime[] = [];
  for (const [index, item] of items.entries()) {
    const { id, recordedAt: was } = item;
    let time = unixSeconds(was);
    if (time > now + TOLERATED_SECONDS) time = (isFirstFilling ? previous : null) ?? now;
    const least = Math.max(previous ?? 0, leastNow);
    if (time < least - TOLERATED_SECONDS) time = Math.min(least, Math.max(time, lastTimes?.[index] ?? Infinity));
    if (time !== unixSeconds(was)) {
      item.recordedAt = fromUnixSeconds(time);
      corrected.push({ id, was, recordedAt: item.recordedAt });
    }
    previous = time;
  }
  return corrected;
}

/**
 * The UNIX seconds of the newest cosignature where the clock of the database is behind that now, so that what it says
 * of new records is not to be believed; otherwise 0.
 */
export function behindWitnesses({ databaseNow, cosignedAt }: TimeBounds, now: number): number {
  return cosignedAt !== null && databaseNow < cosignedAt - TOLERATED_SECONDS
    ? Math.floor(Math.min(cosignedAt, now))
    : 0;
}

/**
 * The time that clocks agree on, whole UNIX seconds: the one in the middle of the database's, this server's and that
 * of the newest cosignature, so that no single clock that was stepped decides; without a cosignature the earlier of
 * both.
 */
export function likelyNow({ databaseNow, cosignedAt }: TimeBounds, serverNow: number): number {
  if (cosignedAt === null) return Math.floor(Math.min(databaseNow, serverNow));
  const [, middle] = [databaseNow, serverNow, cosignedAt].sort((one, other) => one - other);
  return Math.floor(middle!);
}

/** The time now, whole UNIX seconds, in the transaction of `manager`. @param serverNow by the clock of this process */
export async function timeNow(manager: EntityManager, serverNow: Date): Promise<number> {
  return likelyNow(await readTimeBounds(manager), serverNow.getTime() / 1000);
}

/**
 * The time of an erasure, UNIX seconds, which readers of the log hold against the erasure before it and against
 * witnesses; in the transaction of `manager`.
 * @param serverNow by the clock of this process
 */
export async function timeOfErasure(manager: EntityManager, kinds: RecordKinds, serverNow: Date): Promise<number> {
  const bounds = await readTimeBounds(manager);
  const now = likelyNow(bounds, serverNow.getTime() / 1000);
  const last = await newestErasure(manager);
  const erased = last ? await readErased(manager, kinds, last) : null;
  return Math.max(now, behindWitnesses(bounds, now), erased?.record.erased.at ?? 0);
}
