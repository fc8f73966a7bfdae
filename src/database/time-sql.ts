/** Milliseconds by which what a statement reads may be newer than its own time, and more. */
const SPARE_MS = 60_000;

/** Longer than any lease of a row of work; an hour. */
const LONGEST_LEASE_MS = 3_600_000;

/** SQL expression of a time as it stands on the wire: whole seconds since 1970, rounded down, as decimal text. */
export function unixSecondsSql(time: string): string {
  return `floor(date_part('epoch', ${time}))::bigint::text`;
}

/**
 * SQL condition: a time that was set by the clock of the database has come. A time that lies further ahead than it was
 * ever set is from before that clock was put back, and nobody waits for it.
 * @param time SQL expression @param mostMs how far ahead of now it is set at most; SQL expression
 * @param now SQL expression
 */
export function hasCome(time: string, mostMs: number | string, now = 'now()'): string {
  return `(${time} <= ${now} or ${isOfLaterClock(time, mostMs, now)})`;
}

/** SQL condition: a time lies further ahead than it was ever set; parameters as `hasCome`. */
export function isOfLaterClock(time: string, mostMs: number | string, now = 'now()'): string {
  return `${time} > ${now} + (${mostMs} + ${SPARE_MS}) * interval '1 millisecond'`;
}

/**
 * SQL condition: a time lies more than some days back by the clock of the database and by that of this server. What is
 * deleted for its age cannot be made again, and one of the two may be ahead.
 * @param time SQL expression @param days SQL expression @param serverNow the parameter that holds a `Date`
 */
export function isPast(time: string, days: number | string, serverNow: string): string {
  return `${time} < least(now(), ${serverNow}::timestamptz) - ${days} * interval '1 day'`;
}

/** SQL condition of a row that no server works on; `row` is its alias, or the name of its table. */
export function isUnleased(row: string): string {
  return `(${row}.leased_until is null or ${hasCome(`${row}.leased_until`, LONGEST_LEASE_MS)})`;
}
