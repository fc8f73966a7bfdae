import { PlatformMisconfiguredError, PlatformUnavailableError } from '@signet/look';
import { invalid } from '../../packages/look/src/platform-verifier.js';
import { DAY_MS, HOUR_MS, isDefect, outcomeOf } from '../../packages/look/src/internal.js';
import { type CheckedState, stateAfter } from '../../src/rechecks/recheck-state.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const EARLIER = new Date('2026-11-18T12:00:00Z');
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const MIDDLE = () => 0.5;

const valid: CheckedState = {
  isValid: true,
  invalidReason: '',
  lastCheckedAt: EARLIER,
  goneSince: null,
  nextCheckAt: NOW,
  checksDone: 5,
  checkFailures: 0,
};
const broken: CheckedState = { ...valid, isValid: false, invalidReason: 'The post is gone.', goneSince: EARLIER };

const VALID = outcomeOf({ valid: true });
const GONE = outcomeOf(invalid('There is no such post.'));
const UNAVAILABLE = outcomeOf(new PlatformUnavailableError('down'));
const after = (state: CheckedState, outcome = VALID) =>
  stateAfter(state, outcome, NOW, { steadySeconds: 3 * 24 * 3600 }, MIDDLE);

describe('the state of a proof after a check', () => {
  it('is valid, and forgets an earlier doubt, when the platform confirms it', () => {
    expect(after({ ...valid, goneSince: EARLIER, checkFailures: 4 })).toEqual({
      isValid: true,
      invalidReason: '',
      lastCheckedAt: NOW,
      goneSince: null,
      nextCheckAt: inMs(3 * DAY_MS),
      checksDone: 6,
      checkFailures: 0,
    });
  });

  it('only remembers a first "gone", and looks again an hour later', () => {
    expect(after(valid, GONE)).toEqual({ ...valid, goneSince: NOW, nextCheckAt: inMs(HOUR_MS) });
  });

  it('does not take a second "gone" within the hour for a confirmation', () => {
    const doubted = { ...valid, goneSince: inMs(-HOUR_MS + 1) };

    expect(after(doubted, GONE)).toEqual({ ...doubted, nextCheckAt: inMs(1) });
  });

  it('forgets a first "gone" of a clock that was ahead and was put back', () => {
    const doubted = { ...valid, goneSince: inMs(24 * HOUR_MS) };

    expect(after(doubted, GONE)).toEqual({ ...valid, goneSince: NOW, nextCheckAt: inMs(HOUR_MS) });
  });

  it('is invalid, with the reason, when it is gone for an hour', () => {
    expect(after({ ...valid, goneSince: inMs(-HOUR_MS) }, GONE)).toEqual({
      isValid: false,
      invalidReason: 'There is no such post.',
      lastCheckedAt: NOW,
      goneSince: inMs(-HOUR_MS),
      nextCheckAt: inMs(3 * DAY_MS),
      checksDone: 6,
      checkFailures: 0,
    });
  });

  it('stays invalid, newly checked, while it is gone, and is looked at on the steady schedule', () => {
    const young = { ...broken, checksDone: 0 };

    expect(after(young, GONE)).toMatchObject({
      isValid: false,
      invalidReason: 'There is no such post.',
      lastCheckedAt: NOW,
      nextCheckAt: inMs(3 * DAY_MS),
    });
  });

  it('is valid again when the platform shows it again', () => {
    expect(after(broken)).toMatchObject({ isValid: true, invalidReason: '', goneSince: null, lastCheckedAt: NOW });
  });

  it.each([
    ['a valid proof', valid],
    ['a proof in doubt', { ...valid, goneSince: EARLIER }],
    ['an invalid proof', broken],
  ])('is what it was when the platform cannot be asked about %s, and it is asked sooner', (_which, state) => {
    for (const outcome of [UNAVAILABLE, outcomeOf(new PlatformMisconfiguredError('no token'))]) {
      const { nextCheckAt, checkFailures, ...rest } = after(state, outcome);

      expect({ ...rest, nextCheckAt: NOW, checkFailures: 0 }).toEqual(state);
      expect(checkFailures).toBe(1);
      expect(nextCheckAt.getTime() - NOW.getTime()).toBeLessThanOrEqual(10 * 60_000);
    }
  });
});

describe('what a verifier answered', () => {
  it('keeps the time after which the platform wants to be asked again', () => {
    const outcome = outcomeOf(new PlatformUnavailableError('busy', { retryAfterSeconds: 30 }));

    expect(outcome).toEqual({ kind: 'unavailable', reason: 'busy', retryAfterSeconds: 30 });
  });

  it('counts as no answer where the verifier itself is broken, and the text of that error is not repeated', () => {
    const defect = new TypeError('cannot read <secret of the remote body>');

    expect(isDefect(defect)).toBe(true);
    expect(isDefect(new PlatformUnavailableError('down'))).toBe(false);
    expect(outcomeOf(defect)).toEqual({ kind: 'unavailable', reason: 'The check failed on this server.' });
  });

  it.each([
    ['control characters', 'one\u0000two\nthree', 'one two three'],
    ['half a character', 'broken \ud83d here', 'broken here'],
    ['nothing', '', 'The platform does not confirm the proof any more.'],
  ])('becomes a reason that the database holds when it has %s', (_what, reason, stored) => {
    const outcome = outcomeOf(invalid(reason));

    expect(outcome.kind === 'gone' && outcome.reason.replace(/ +/g, ' ')).toBe(stored);
  });

  it('is cut where it is too long, never through the middle of a character', () => {
    const outcome = outcomeOf(invalid(`${'a'.repeat(499)}\u{1f600}`));

    expect(outcome).toEqual({ kind: 'gone', reason: 'a'.repeat(499) });
  });
});
