import { pauseSeconds, retryAfterSeconds } from '../src/web/rate-hints.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');

it.each<[string, Record<string, string>, number | undefined]>([
  ['seconds', { 'retry-after': '17' }, 17],
  ['fractions of a second, rounded up', { 'retry-after': '0.35' }, 1],
  ['an HTTP date', { 'retry-after': 'Sun, 01 Mar 2026 12:02:00 GMT' }, 120],
  ['an HTTP date that has passed', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
  ['more than an hour, cut to an hour', { 'retry-after': '86400' }, 3600],
  ['seconds of Discord', { 'x-ratelimit-reset-after': '1.337', 'x-ratelimit-reset': '1772366401.337' }, 2],
  ['epoch seconds of X', { 'x-rate-limit-reset': String(NOW / 1000 + 900) }, 900],
  ['epoch seconds of GitHub', { 'x-ratelimit-reset': String(NOW / 1000 + 61) }, 61],
  ['the ISO time of Mastodon', { 'x-ratelimit-reset': '2026-03-01T12:05:00.000000Z' }, 300],
  ['an ISO time with an offset', { 'x-ratelimit-reset': '2026-03-01T13:00:30+01:00' }, 30],
  ['Retry-After before a reset', { 'retry-after': '5', 'x-ratelimit-reset': String(NOW / 1000 + 900) }, 5],
  ['a reset where Retry-After makes no sense', { 'retry-after': 'soon', 'x-ratelimit-reset-after': '7' }, 7],
  ['nothing', {}, undefined],
  ['an empty value', { 'retry-after': '' }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['an exponent', { 'retry-after': '1e9' }, undefined],
  ['infinity', { 'retry-after': 'Infinity' }, undefined],
  ['a number with too many digits', { 'retry-after': '9'.repeat(400) }, undefined],
  ['a date that does not exist', { 'retry-after': 'Sun, 99 Mar 2026 12:02:00 GMT' }, undefined],
])('reads %s', (_, headers, seconds) => {
  expect(retryAfterSeconds(headers, NOW)).toBe(seconds);
});

const body = new Uint8Array();

it.each<[string, number, Record<string, string>, number | undefined]>([
  ['429 with a time', 429, { 'retry-after': '30' }, 30],
  ['429 with a reset only', 429, { 'x-ratelimit-reset-after': '3' }, 3],
  ['429 without a time', 429, {}, undefined],
  ['403 with a time, as GitHub sends for its secondary limit', 403, { 'retry-after': '60' }, 60],
  [
    '403 with nothing remaining',
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 10) },
    10,
  ],
  ['503 with a time', 503, { 'retry-after': '20' }, 20],
  [
    '200 with nothing remaining',
    200,
    { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(NOW / 1000 + 9) },
    9,
  ],
  [
    '200 with something remaining',
    200,
    { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(NOW / 1000 + 9) },
    undefined,
  ],
  ['200 with a Retry-After, which means something else', 200, { 'retry-after': '30' }, undefined],
  ['403 without a word about limits', 403, {}, undefined],
  ['an empty count', 200, { 'x-ratelimit-remaining': '', 'retry-after': '30' }, undefined],
])('knows how long to pause after %s', (_, status, headers, seconds) => {
  expect(pauseSeconds({ status, headers, body }, NOW)).toBe(seconds);
});
