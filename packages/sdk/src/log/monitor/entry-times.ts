/** Checks the times that entries of a log say they were recorded at, against each other and against witnesses. */
import { CLOCK_SPREAD_SECONDS } from '@signet/verify/internal';
import type { LogEntry } from '@signet/verify/log';

/** A checkpoint that met a policy with witnesses: its size, and the UNIX seconds at which enough of them had signed. */
export interface CosignedSize {
  size: number;
  at: number;
}

/** What is known when an entry is checked. */
export interface TimeContext {
  /** UNIX seconds that the entry of the same kind before it says; undefined for the first. */
  previous: number | undefined;
  /** What witnesses had signed when the log was looked at before. */
  before: CosignedSize | undefined;
  /** What witnesses have signed now. */
  now: CosignedSize | undefined;
  /** UNIX seconds of the reader's clock. */
  clock: number;
}

/**
 * Returns the sentence that says why `recorded_at` of an entry cannot be true, or null. An entry is logged within
 * seconds, so it lies behind the one before it, behind each checkpoint that did not have it, and before those that do.
 */
export function problemOfTime(index: number, entry: LogEntry, context: TimeContext): string | null {
  const { recorded_at: time } = entry;
  const { previous, before, now, clock } = context;
  const says = `Entry ${index} says that it was recorded at ${instant(time)}`;
  if (previous !== undefined && time < previous - CLOCK_SPREAD_SECONDS) {
    return `${says}, and the one before it at ${instant(previous)}.`;
  }
  if (before && index >= before.size && time < before.at - CLOCK_SPREAD_SECONDS) {
    return `${says}, and witnesses signed the log without it at ${instant(before.at)}.`;
  }
  if (now && index < now.size && time > now.at + CLOCK_SPREAD_SECONDS) {
    return `${says}, and witnesses signed the log with it at ${instant(now.at)}.`;
  }
  if (time <= clock + CLOCK_SPREAD_SECONDS) return null;
  return `${says}, which is in the future: the clock of this machine says ${instant(Math.floor(clock))}.`;
}

function instant(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  return Number.isNaN(date.getTime()) ? `second ${unixSeconds}` : date.toISOString();
}
