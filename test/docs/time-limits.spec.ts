import { Linter } from 'eslint';
import { timeLimits } from '../../scripts/eslint/time-limits.mjs';

const linter = new Linter();
const refused = (code: string) =>
  linter
    .verify(code, {
      plugins: { signet: { rules: { 'time-limits': timeLimits } } },
      rules: { 'signet/time-limits': 'error' },
    })
    .map(({ message }) => message);

describe('the lint rule for time limits of tests', () => {
  it.each([
    ['a test', "it('waits', () => {}, 60_000);", 60_000, 600_000],
    ['a test that others run beside', "it.concurrent('waits', () => {}, 60_000);", 60_000, 600_000],
    ['a table of tests', "it.each([1, 2])('waits %i', () => {}, 120_000);", 120_000, 600_000],
    ['a hook', 'beforeAll(() => {}, 5000);', 5000, 600_000],
    ['a file', 'jest.setTimeout(240_000);', 240_000, 600_000],
    ['a constant', "const LIMIT_MS = 60_000; it('waits', () => {}, LIMIT_MS);", 60_000, 600_000],
    ['a product', "const LIMIT_MS = 60_000; it('waits', () => {}, 2 * LIMIT_MS);", 120_000, 600_000],
    ['a wait', 'until(() => true, 30_000);', 30_000, 300_000],
  ])('refuses that of %s which is below the common one', (_what, code, ms, common) => {
    expect(refused(code)).toEqual([`On a busy machine ${ms} ms are too few: the common limit is ${common} ms.`]);
  });

  it.each([
    ['that is the common one', "it('waits', () => {}, 600_000);"],
    ['that is above it', 'until(() => true, 600_000);'],
    ['that grows with its rounds', "it('waits', () => {}, ROUNDS * 60_000);"],
    ['that a caller gives', 'const wait = (ms) => until(() => true, ms);'],
    ['of other functions', 'delay(100); setTimeout(() => {}, 100);'],
    ['that is none', "it('waits', () => {}); until(() => true);"],
  ])('leaves a limit %s', (_what, code) => {
    expect(refused(code)).toEqual([]);
  });
});
