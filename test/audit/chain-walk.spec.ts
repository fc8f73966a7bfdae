import { walkChains } from '../../src/audit/chain-walk.js';
import type { ChainPosition } from '../../src/ledger/audited-kind.js';

/** What a walk did, in order: visits as `b2<b1`, ends of chains as `.b`. */
async function journey(rows: ChainPosition[], batch: number): Promise<string[]> {
  const steps: string[] = [];
  const isBehind = (row: ChainPosition, after: ChainPosition) =>
    row.avatar > after.avatar || (row.avatar === after.avatar && row.position > after.position);
  await walkChains(async (after) => rows.filter((row) => isBehind(row, after)).slice(0, batch), {
    visit: (row, previous) => {
      steps.push(`${row.avatar}${row.position}${previous ? `<${previous.avatar}${previous.position}` : ''}`);
    },
    finish: async (avatars) => {
      steps.push(...avatars.map((avatar) => `.${avatar}`));
    },
  });
  return steps;
}

const ROWS = [
  { avatar: 'a', position: 1 },
  { avatar: 'a', position: 2 },
  { avatar: 'a', position: 3 },
  { avatar: 'b', position: 1 },
  { avatar: 'c', position: 1 },
  { avatar: 'c', position: 2 },
];

describe('a walk over all chains', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])(
    'sees every row with the one before it, and every end, %i rows at a time',
    async (batch) => {
      const steps = await journey(ROWS, batch);

      expect(steps.filter((step) => !step.startsWith('.'))).toEqual(['a1', 'a2<a1', 'a3<a2', 'b1', 'c1', 'c2<c1']);
      expect(steps.filter((step) => step.startsWith('.'))).toEqual(['.a', '.b', '.c']);
      for (const avatar of ['a', 'b', 'c']) {
        const last = steps.findLastIndex((step) => step.startsWith(avatar));
        expect(steps.indexOf(`.${avatar}`)).toBeGreaterThan(last);
      }
    },
  );

  it('ends at once where there is nothing', async () => {
    expect(await journey([], 3)).toEqual([]);
  });
});
