import { exceedsDepth } from '@signet/verify/internal';
import { outlineOf } from '../../src/crypto/json-outline.js';
import { SeededRandom } from './seeded-random.js';

const outline = (text: string) => outlineOf(Buffer.from(text));

/** Containers and the values in them, each counted once. */
const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((sum: number, member) => sum + countOf(member), 0)
    : 1;

const membersOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, member) => sum + membersOf(member), 0);
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length);
};

function randomJson(random: SeededRandom, levels: number): unknown {
  const kind = random.below(levels === 0 ? 3 : 5);
  if (kind === 0) return random.below(1000) - 500;
  if (kind === 1) return random.pick(['', '"', '\\', '\\"', '[', '{"a":[', ',,', '\u2028é💥', null, true]);
  if (kind === 2) return random.pick([[], {}]);
  const items = Array.from({ length: random.below(4) }, () => randomJson(random, levels - 1));
  return kind === 3 ? items : Object.fromEntries(items.map((item, index) => [`"${index}]\\`, item]));
}

describe('the outline of a JSON text', () => {
  it.each([
    ['0', 0],
    ['"[[["', 0],
    ['"\\"[["', 0],
    ['"\\\\"', 0],
    ['[]', 1],
    ['{"a":[{"b":"]"}]}', 3],
    ['[[],[[]]]', 3],
    [' [ { } ] ', 2],
  ])('tells how deep it nests: %s', (text, depth) => {
    expect(outline(text).depth).toBe(depth);
  });

  it('agrees with the parsed value about depth, counts members, and misses no value', () => {
    const random = new SeededRandom('outlines');
    for (let round = 0; round < 2000; round += 1) {
      const value = randomJson(random, 6);
      const text = JSON.stringify(value, null, random.below(2));

      const { depth, values, members } = outline(text);

      expect(exceedsDepth(value, depth)).toBe(false);
      if (depth > 0) expect(exceedsDepth(value, depth - 1)).toBe(true);
      expect(values).toBeGreaterThanOrEqual(countOf(value));
      expect(members).toBe(membersOf(value));
      expect(values).toBeLessThanOrEqual(2 * countOf(value));
    }
  });

  it.each(['"', '"\\', '[[', ']]', '{"a', '', '\\"'])('comes to an end for what is not JSON: %j', (text) => {
    expect(outline(text).values).toBeGreaterThan(0);
  });
});
