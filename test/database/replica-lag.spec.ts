import { chooseEndOfLag } from '../../src/database/replicas.js';

describe('how far a replica has to be', () => {
  const heads = [
    { id: 10, seenAt: 1000 },
    { id: 20, seenAt: 2000 },
    { id: 30, seenAt: 3000 },
  ];

  it.each([
    ['before anything is known, is where the first look was', 500, 10],
    ['is where the primary was that long ago', 2000, 20],
    ['is where it was at the look before, between two looks', 2999, 20],
    ['is where it is now, when all looks are older', 9000, 30],
  ])('%s', (_what, endOfLag, expected) => {
    expect(chooseEndOfLag(heads, endOfLag).expected).toBe(expected);
  });

  it('needs no look that is older than the one that counts', () => {
    expect(chooseEndOfLag(heads, 2500).kept).toEqual(heads.slice(1));
  });
});
