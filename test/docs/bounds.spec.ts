import { readFileSync } from 'node:fs';
import { BOUNDS, POOL_SHARES } from '../../src/bounds/bounds.js';
import { Environment } from '../../src/config/environment.js';

const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const section = /^## Bounds\n([^]*?)^## /m.exec(text)![1]!;
const [, ...rows] = [...section.matchAll(/^\| `(\w+)` \| (.+) \| (.*) \| (.+) \| (.+) \|$/gm)].map((row) => {
  const [, by, , setting, standard, answer] = row as unknown as [string, string, string, string, string, string];
  return { by, setting: /^`([A-Z_]+)`$/.exec(setting)?.[1], standard, answer: /^(\d{3}) `(\w+)`$/.exec(answer) };
});

describe('the table of bounds in docs/operations.md', () => {
  const defaults = new Environment() as unknown as Record<string, unknown>;
  const facts = Object.entries<{ setting?: string; status?: number; code?: string }>(BOUNDS);

  it('has every bound, in their order', () => {
    expect(rows.map(({ by }) => by)).toEqual(Object.keys(BOUNDS));
  });

  it('names the setting and the answer of each', () => {
    const shown = rows.map(({ by, setting, answer }) => {
      return { by, setting, status: answer ? Number(answer[1]) : undefined, code: answer?.[2] };
    });

    expect(shown).toEqual(facts.map(([by, { setting, status, code }]) => ({ by, setting, status, code })));
  });

  it('has the default of each setting', () => {
    const numbers = rows.filter(({ setting }) => typeof defaults[setting ?? ''] === 'number');

    expect(numbers.length).toBeGreaterThan(15);
    expect(numbers.map(({ by, standard }) => [by, standard])).toEqual(
      numbers.map(({ by, setting }) => [by, String(defaults[setting!])]),
    );
  });
});

it('the parts of the pool leave a tenth of it', () => {
  const parts = Object.values(POOL_SHARES).map(({ part }) => part);

  expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(0.9);
});
