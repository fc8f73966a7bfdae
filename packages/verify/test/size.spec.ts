import { fileURLToPath } from 'node:url';
import { bundleOf, zippedSize } from './support/bundle.js';

const source = (name: string) => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

describe('the size of the rules, minified and after gzip', () => {
  it.each([
    ['badge.ts', 16_400],
    ['index.ts', 35_500],
    ['seal.ts', 5_500],
    ['seal-of-digest.ts', 3_000],
    ['log.ts', 30_400],
    ['map.ts', 6_000],
  ])('is for %s at most %i bytes', (name, limit) => {
    const size = zippedSize(bundleOf(source(name)));

    expect(size).toBeGreaterThan(1_000);
    expect(size).toBeLessThanOrEqual(limit);
  });
});
