/** The errors of the packages: one family, with names that minifiers leave and codes that say which. */
import * as look from '@signet/look';
import * as verify from '@signet/verify';
import * as errors from '@signet/verify/errors';
import * as files from '@signet/verify/files';
import * as log from '@signet/verify/log';
import * as seen from '@signet/verify/seen';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleOf } from '../../verify/test/support/bundle.js';
import * as sdkErrors from '../src/errors.js';
import * as sdk from '../src/index.js';

type ErrorClass = new (...facts: never[]) => Error;

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && value.prototype instanceof Error;

/** All classes of errors that the packages export, without `WebFailure`, which only travels as a cause. */
const CLASSES = new Set(
  [verify, errors, files, log, seen, look, sdk]
    .flatMap((entry) => Object.values(entry) as unknown[])
    .filter(isErrorClass)
    .filter(({ name }) => name !== 'WebFailure'),
);

it('are all of one family, and no two have one name', () => {
  const names = [...CLASSES].map(({ name }) => name);

  expect(names).toEqual(expect.arrayContaining(['SignetError', 'PolicyError', 'KeyFileError', 'LogForkError']));
  expect(
    [...CLASSES].filter((one) => one !== errors.SignetError && !(one.prototype instanceof errors.SignetError)),
  ).toEqual([]);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

it('keep their names when they are minified', () => {
  const classes = bundleOf(fileURLToPath(new URL('support/minified-errors.ts', import.meta.url)));
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', classes], { encoding: 'utf8' });
  const said = JSON.parse(printed) as [string, string][];

  expect(said.length).toBeGreaterThan(10);
  expect(said.filter(([exported, name]) => exported !== name)).toEqual([]);
});

it('say by code and name what a log has done', () => {
  const fork = new sdk.LogForkError('Two histories.', 'a', 'b');
  const broken = new sdk.ReceiptBrokenError('Not kept.', { receipt: 'r', checkpoint: null, found: null });

  expect([fork.name, fork.code, fork.steps[0]!.name]).toEqual(['LogForkError', 'log_fork', 'consistency']);
  expect([broken.name, broken.code]).toEqual(['ReceiptBrokenError', 'receipt_broken']);
  expect([fork, broken].every((error) => error instanceof sdk.VerificationError)).toBe(true);
});

describe('the error for an answer', () => {
  const errorFor = (status: number, code: string, headers: Record<string, string> = {}) =>
    sdkErrors.errorOf(status, new Headers({ 'x-request-id': 'r1', ...headers }), { code, message: 'So.' });

  it.each([
    [429, 'too_many_requests', 'RateLimitedError', true],
    [503, 'database_unavailable', 'BusyError', true],
    [503, 'stopping', 'BusyError', true],
    [425, 'invalid_answer', 'BusyError', true],
    [408, 'invalid_answer', 'UnreachableError', true],
    [404, 'not_found', 'NotFoundError', false],
    [400, 'stale_chain', 'StaleChainError', false],
    [400, 'platform_unavailable', 'PlatformUnavailableError', true],
    [401, 'unauthorized', 'InvalidRequestError', false],
    [500, 'internal_error', 'SignetError', true],
  ])('of status %i and code %s is a %s', (status, code, name, retryable) => {
    expect(errorFor(status, code)).toMatchObject({ name, code, status, retryable, requestId: 'r1' });
  });

  it('of a request that something gave up waiting for leaves open what became of it', () => {
    expect(errorFor(408, 'invalid_answer')).toMatchObject({ wasSent: true });
  });

  it.each([
    ['7', 7],
    ['0', 0],
    ['-5', undefined],
    ['', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('has of a Retry-After of "%s" the time %s', (header, seconds) => {
    expect(errorFor(429, 'too_many_requests', { 'retry-after': header }).retryAfterSeconds).toBe(seconds);
  });

  it('has of a Retry-After that is a date the seconds until then', () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const { retryAfterSeconds } = errorFor(503, 'invalid_answer', { 'retry-after': date });

    expect(retryAfterSeconds).toBeGreaterThan(3_500);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
  });

  it('can come later where the server names a time', () => {
    expect(errorFor(404, 'not_yet_logged', { 'retry-after': '7' })).toMatchObject({
      ...{ name: 'NotFoundError', retryable: true, retryAfterSeconds: 7 },
    });
  });
});
