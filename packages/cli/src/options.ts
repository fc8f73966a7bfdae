/** Values of options. */
import { InvalidArgumentError } from 'commander';

/** For options that are numbers above 0, fractions too. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It has to be a number above 0.');
}

/** What timers hold: 2^31 - 1 milliseconds, some 24 days. */
const MOST_SECONDS = 2_147_483;

/** For options that say how long to wait. */
export function waitSeconds(text: string): number {
  const value = positiveNumber(text);
  if (value <= MOST_SECONDS) return value;
  throw new InvalidArgumentError(`It can be ${MOST_SECONDS} at most.`);
}

/** For options that count something. */
export function positiveInteger(text: string): number {
  const value = positiveNumber(text);
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It has to be a whole number.');
}

/** For options that may be 0. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError('It has to be a whole number, 0 or above.');
}

/** For options that can be repeated. */
export function listed(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** For options that are a time: a date, which is its first moment in UTC, a time of ISO 8601, or UNIX seconds. */
export function unixTime(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const seconds = isTime ? Date.parse(text) / 1000 : NaN;
  if (Number.isFinite(seconds)) return seconds;
  throw new InvalidArgumentError('It has to be a date such as 2027-06-30, or UNIX seconds.');
}
