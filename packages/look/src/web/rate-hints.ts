import type { WebReply } from './web-request.js';

/** No server can ask for more; the longest window of the platforms is GitHub's hour. */
const MAX_SECONDS = 3600;

/** Larger numbers are a time since 1970, smaller ones a number of seconds from now. */
const SMALLEST_EPOCH = 1_000_000_000;

/** RFC 9110 section 5.6.7, the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const NUMBER = /^\d{1,15}(?:\.\d{1,9})?$/;

const RESET_HEADERS = ['x-ratelimit-reset-after', 'x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset'];
const REMAINING_HEADERS = ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'];

/**
 * Seconds after which a server wants to be asked again: `Retry-After` (seconds or HTTP date), else a reset header in
 * one of the forms in use: seconds (Discord), epoch seconds (X, GitHub), ISO 8601 time (Mastodon). At most an hour;
 * undefined without such a header.
 * @param nowMs milliseconds since 1970
 */
export function retryAfterSeconds(headers: WebReply['headers'], nowMs: number): number | undefined {
  return [headers['retry-after'], ...RESET_HEADERS.map((name) => headers[name])]
    .map((value) => secondsFrom(value?.trim() ?? '', nowMs))
    .find((seconds) => seconds !== undefined);
}

/**
 * Seconds for which the host should get no requests after this reply, because a refusal asks for it or its window is
 * used up. Undefined if requests may go on.
 */
export function pauseSeconds({ status, headers }: WebReply, nowMs: number): number | undefined {
  const isRefusal = status === 429 || ((status === 403 || status === 503) && headers['retry-after'] !== undefined);
  const isUsedUp = REMAINING_HEADERS.some((name) => headers[name]?.trim() === '0');
  return isRefusal || isUsedUp ? retryAfterSeconds(headers, nowMs) : undefined;
}

function secondsFrom(value: string, nowMs: number): number | undefined {
  let seconds: number;
  if (NUMBER.test(value)) {
    seconds = Number(value) < SMALLEST_EPOCH ? Number(value) : Number(value) - nowMs / 1000;
  } else if (HTTP_DATE.test(value) || ISO_TIME.test(value)) {
    seconds = (Date.parse(value) - nowMs) / 1000;
  } else return undefined;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}
