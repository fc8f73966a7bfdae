import { compareVersions, nextMinor } from '../../src/config/version.js';
import { upgradeProblem, versionProblem } from '../../src/database/schema/schema-version.js';

it('versions are compared by their numbers', () => {
  expect(['0.10.0', '0.9.1', '1.0.0', '0.9.0'].sort(compareVersions)).toEqual(['0.9.0', '0.9.1', '0.10.0', '1.0.0']);
  expect(compareVersions('0.2.0', '0.2')).toBe(0);
  expect(nextMinor('0.9.3')).toBe('0.10');
});

it.each([
  ['of 0.1.0', null, null, null],
  ['of the same version', '0.2.0', '0.1.0', null],
  ['of the next version, which lets this one stay', '0.3.4', '0.2.0', null],
  [
    'that a version has changed which needs newer servers',
    '0.4.0',
    '0.3.0',
    /needs servers of version 0\.3\.0 or newer/,
  ],
])('servers on a database %s', (_, schema, oldest, problem) => {
  const seen = versionProblem({ schema, oldest }, '0.2.0');

  expect(seen === null ? null : problem?.test(seen)).toBe(problem && true);
});

it('an upgrade refuses a database that is newer than the next version', () => {
  expect(upgradeProblem({ schema: '0.3.9', oldest: '0.2.0' }, '0.2.0')).toBeNull();
  expect(upgradeProblem({ schema: '0.4.0', oldest: '0.2.0' }, '0.2.0')).toMatch(
    /is of version 0\.4\.0, which is newer/,
  );
});
