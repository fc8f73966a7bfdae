/**
 * Time on the wire is UNIX seconds: text in the proof service, a number in the key-value service (contract,
 * Timestamps).
 */

/** Whole seconds since 1970, rounded down. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** Decimal text of the whole seconds since 1970. */
export function unixSecondsText(time: Date): string {
  return String(unixSeconds(time));
}

/** The time at `seconds` since 1970. */
export function fromUnixSeconds(seconds: number): Date {
  return new Date(seconds * 1000);
}
