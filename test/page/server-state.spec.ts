import { type ServerState, serverState } from '../../web/src/look/server-state.js';

const DAY = 24 * 3600;
const NOW = 1_790_000_000;
const check = (outcome: 'valid' | 'gone' | 'unavailable', daysAgo: number) => ({
  outcome,
  checked_at: String(NOW - daysAgo * DAY),
  reason: '',
});

describe('the state of a binding that was last checked some days ago', () => {
  const stateAfter = (platform: string, days: number, ...history: ReturnType<typeof check>[]): ServerState => {
    const checked = { created_at: '1700000000', last_checked_at: String(NOW - days * DAY) };
    return serverState({ platform, identity: 'alice', ...checked, is_valid: true, invalid_reason: '' }, history, NOW);
  };

  it('is that it was not looked at lately, after three intervals', () => {
    expect([8, 10].map((days) => stateAfter('github', days))).toEqual(['valid', 'stale']);
    expect(stateAfter('ethereum', 700)).toBe('valid');
  });

  it('follows the long intervals on X, where operators pay for each look', () => {
    expect([10, 66, 73].map((days) => stateAfter('twitter', days))).toEqual(['valid', 'valid', 'stale']);
    expect(stateAfter('twitter', 40, check('valid', 40))).toBe('valid');
  });

  it('is that it was not looked at lately where X was asked since, and gave no answer', () => {
    expect(stateAfter('twitter', 10, check('unavailable', 1), check('valid', 10))).toBe('stale');
    expect(stateAfter('twitter', 8, check('unavailable', 1), check('valid', 8))).toBe('valid');
  });
});
