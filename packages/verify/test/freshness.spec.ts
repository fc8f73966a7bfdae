import { bindingState, goneSince, isSeenLately } from '../src/bindings/bindings.js';

const DAY = 24 * 3600;
const NOW = 1_790_000_000;
const said = (platform: string, daysAgo: number, is_valid = true) => ({
  platform,
  is_valid,
  last_checked_at: String(NOW - daysAgo * DAY),
});
const look = (outcome: string, daysAgo: number) => ({ outcome, checked_at: String(NOW - daysAgo * DAY) });

it.each([
  ['github', 8.9, true],
  ['github', 9, true],
  ['github', 9.1, false],
  ['twitter', 72, true],
  ['twitter', 73, false],
  ['ethereum', 3000, true],
  ['solana', 3000, true],
])('a binding on %s that was looked at %d days ago was seen lately: %s', (platform, days, isLate) => {
  expect(isSeenLately(said(platform, days), [], NOW)).toBe(isLate);
  expect(bindingState(said(platform, days), [], NOW)).toBe(isLate ? 'valid' : 'stale');
});

it('a time that is no number was not lately', () => {
  expect(isSeenLately({ platform: 'github', last_checked_at: 'now' }, [], NOW)).toBe(false);
});

it('a newest look without an answer makes the long interval of X a short one', () => {
  expect(isSeenLately(said('twitter', 10), [look('unavailable', 1)], NOW)).toBe(false);
  expect(isSeenLately(said('twitter', 10), [look('valid', 10)], NOW)).toBe(true);
});

it('what the platform says is gone is gone, and what nobody says more of is invalid', () => {
  const gone = [look('gone', 1), look('gone', 2), look('valid', 3), look('gone', 4)];

  expect(goneSince(gone)).toBe(String(NOW - 2 * DAY));
  expect(bindingState(said('github', 1), gone, NOW)).toBe('gone');
  expect(bindingState(said('github', 1, false), gone, NOW)).toBe('gone');
  expect(bindingState(said('github', 1, false), [], NOW)).toBe('invalid');
  expect(goneSince([look('unavailable', 1), look('valid', 2)])).toBeNull();
});
