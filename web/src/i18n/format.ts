/** Dates and spans of time as the language writes them. Times are UNIX seconds, as text or number. */
import { currentLanguage } from './i18n.js';

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** Such as `22 Nov 2026, 14:05`. */
export function dateTime(seconds: string | number): string {
  return format(seconds, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Such as `22 Nov 2026`. */
export function date(seconds: string | number): string {
  return format(seconds, { dateStyle: 'medium' });
}

/** For `<time datetime>`. */
export function isoTime(seconds: string | number): string {
  const time = new Date(Number(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

/** Such as `3 days ago`. */
export function ago(seconds: string | number, now = Date.now() / 1000): string {
  const span = Number(seconds) - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(span) >= size) ?? ['second', 1];
  const words = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' });
  return words.format(Math.trunc(span / length), unit);
}

/** A server may send anything; what is not a time is shown as it came. */
function format(seconds: string | number, options: Intl.DateTimeFormatOptions): string {
  const time = new Date(Number(seconds) * 1000);
  if (Number.isNaN(time.getTime())) return String(seconds);
  return new Intl.DateTimeFormat(currentLanguage(), options).format(time);
}
