import { delayAfter } from '../../src/archive/archive.uploader.js';

describe('the time before the next try or look', () => {
  it('is a second at first and doubles up to ten minutes, however often it is tried', () => {
    expect([1, 2, 3, 9, 10, 11, 12, 5000].map((tries) => delayAfter(tries) / 1000)).toEqual([
      1, 2, 4, 256, 512, 600, 600, 600,
    ]);
  });
});
