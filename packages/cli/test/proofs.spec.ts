import { stateNow } from '../src/commands/proofs.js';

const DAY = 86_400;
const seenDaysAgo = (days: number, rest: object = {}) => ({
  platform: 'github',
  is_valid: true,
  invalid_reason: '',
  last_checked_at: String(Math.floor(Date.now() / 1000 - days * DAY)),
  ...rest,
});

it.each([
  ['valid', seenDaysAgo(8)],
  ['stale: valid, and not seen lately', seenDaysAgo(10)],
  ['valid', seenDaysAgo(71, { platform: 'twitter' })],
  ['stale: valid, and not seen lately', seenDaysAgo(73, { platform: 'twitter' })],
  // A signature does not age.
  ['valid', seenDaysAgo(1000, { platform: 'ethereum' })],
  ['invalid: The gist is gone.', seenDaysAgo(10, { is_valid: false, invalid_reason: 'The gist is gone.' })],
])('says %j of case %#', (state, said) => {
  expect(stateNow(said)).toBe(state);
});
