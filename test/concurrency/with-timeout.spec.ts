import { withTimeout } from '../../src/concurrency/with-timeout.js';

const NEVER = new Promise<never>(() => {});

describe('a time limit', () => {
  it('changes nothing for work that ends in time', async () => {
    await expect(withTimeout(Promise.resolve('done'), 60_000, () => 'late')).resolves.toBe('done');
    await expect(withTimeout(Promise.reject(new Error('failed')), 60_000, () => 'late')).rejects.toThrow('failed');
  });

  it('answers for work that takes too long, or throws in its place', async () => {
    const throws = () => {
      throw new Error('took too long');
    };

    await expect(withTimeout(NEVER, 1, () => 'late')).resolves.toBe('late');
    await expect(withTimeout(NEVER, 1, throws)).rejects.toThrow('took too long');
  });

  it('ignores what comes of the work afterwards', async () => {
    let fail: (error: Error) => void = () => {};
    const work = new Promise<never>((_, reject) => (fail = reject));

    expect(await withTimeout(work, 1, () => 'late')).toBe('late');
    // An unhandled rejection would end this process.
    fail(new Error('failed long after'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
