import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createVerifiers, type Fetcher, type PlatformVerifier } from '@signet/look';
import { bundleOf, zippedSize } from '../../verify/test/support/bundle.js';

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, { default: string }>;
};
const web = {} as Fetcher;
const verifiers = createVerifiers(web);

/** The source of the entry of a platform. */
const sourceOf = (platform: string) =>
  fileURLToPath(
    new URL(
      `../${exports[`./${platform}`]!.default}`.replace('/dist/', '/src/').replace(/\.js$/, '.ts'),
      import.meta.url,
    ),
  );

it.each(verifiers.map(({ platform }) => platform))(
  'has an entry that exports the verifier of %s alone',
  async (name) => {
    const loaded = (await import(pathToFileURL(sourceOf(name)).href)) as Record<
      string,
      new (web: Fetcher) => PlatformVerifier
    >;
    const [Verifier, ...more] = Object.values(loaded);

    expect(more).toEqual([]);
    expect(new Verifier!(web).platform).toBe(name);
  },
);

// All verifiers together have 101,000. BIP-340, which the rules have, takes 0.8 kB of each.
it.each([
  ['github', 32_200],
  ['minds', 63_200],
  // The rules of DNSSEC take 6.5 kB more than the 47,000 of before; that other curves may check for them, 0.1 kB.
  ['dns', 54_700],
])('loads with the entry of %s at most %i bytes, minified and after gzip', (platform, limit) => {
  const size = zippedSize(bundleOf(sourceOf(platform)));

  expect(size).toBeGreaterThan(1_000);
  expect(size).toBeLessThanOrEqual(limit);
});
