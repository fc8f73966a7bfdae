import type { SeededRandom } from '../crypto/seeded-random.js';

/** Few names, so that patches meet; among them those that mean something to JavaScript. */
const NAMES = [
  'a',
  'b',
  'c',
  '',
  '__proto__',
  'constructor',
  'toString',
  'toJSON',
  '10',
  '9',
  'é',
  'e\u0301',
  '🐴',
  '"\\/\n',
];
const SCALARS = [true, false, 0, -0, 1.5, -3, 1e21, 1e-7, 5e-324, 9007199254740991, '', 'text', '\u2028<>&', '10'];
const MAX_MEMBERS = 4;
const MAX_LEVELS = 4;

/** A random merge patch: some of its members delete, some merge, some replace. */
export function randomPatch(random: SeededRandom, levels = MAX_LEVELS): object {
  const count = random.below(MAX_MEMBERS + 1);
  return Object.fromEntries(
    Array.from({ length: count }, () => [random.pick(NAMES), randomMember(random, levels - 1)]),
  );
}

function randomMember(random: SeededRandom, levels: number): unknown {
  const kind = random.below(levels > 0 ? 8 : 4);
  if (kind === 0) return null;
  if (kind < 4) return random.pick(SCALARS);
  if (kind < 5) return Array.from({ length: random.below(3) }, () => randomMember(random, levels - 1));
  return randomPatch(random, levels);
}
