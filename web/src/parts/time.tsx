import { ago, dateTime, isoTime } from '../i18n/format.js';

/** A moment in UNIX seconds, such as `3 days ago`, with the date in the title; `exact` shows the date itself. */
export function Time({ seconds, exact = false }: { seconds: string | number; exact?: boolean }) {
  return (
    <time dateTime={isoTime(seconds)} title={dateTime(seconds)}>
      {exact ? dateTime(seconds) : ago(seconds)}
    </time>
  );
}
