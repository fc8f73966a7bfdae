/** Times, spans and names of keys in words. */
import { useLanguage } from '../i18n/i18n.js';
import { ago, dateTime, isoTime } from '../i18n/format.js';
import { cutInTheMiddle } from '../parts/names.js';
import { avatarPath } from '../shell/router.js';

const HOUR = 3_600;

/** A moment to come, such as `in 2 days (30 Nov 2026, 14:05)`. */
export function Due({ seconds }: { seconds: number }) {
  return (
    <time dateTime={isoTime(seconds)}>
      {ago(seconds, nowToTheHour(seconds))} ({dateTime(seconds)})
    </time>
  );
}

/** A time from which on it is whole hours to `seconds`, so that 71 hours and 59 minutes are three days. */
function nowToTheHour(seconds: number): number {
  const span = seconds - Date.now() / 1000;
  return span > HOUR ? seconds - Math.round(span / HOUR) * HOUR : seconds - span;
}

/** A span of hours: `3 days`, or hours where it is no whole number of days. */
export function spanText(hours: number, language: string): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return new Intl.NumberFormat(language, { style: 'unit', unit: unit as string, unitDisplay: 'long' }).format(
    count as number,
  );
}

/** A span of hours in the language of the page. */
export function Span({ hours }: { hours: number }) {
  return <>{spanText(hours, useLanguage())}</>;
}

/** A key, short, that leads to its page. */
export function KeyLink({ avatar }: { avatar: string }) {
  return (
    <a href={avatarPath(avatar)}>
      <code title={avatar}>{cutInTheMiddle(avatar, 16)}</code>
    </a>
  );
}
