import { fileURLToPath } from 'node:url';
import { bundleOf, zippedSize } from './support/bundle.js';

const source = (name: string) => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

describe('the size of the rules, minified and after gzip', () => {
  it.each([
    // Names and faces of profiles take 1.6 kB more than the 14,400 of before: patches, their replay, and pictures.
    // The promise never to throw takes 30 bytes more than the 15,200 of before.
    // Patches that keys of apps signed, which it cannot check, take 200 bytes more than the 15,250 of before.
    ['badge.ts', 15_500],
    // BIP-340 takes 700 bytes more of each entry that has the curves; events and keys of Nostr take as many of the
    // rules.
    // Exports with lists of further kinds of records, and pasted names, take 200 bytes more than the 35,000 of before.
    ['index.ts', 36_700],
    // Files of one record take 18,000; posts in exports, whose signature is looked for, bring the curves.
    ['atproto/atproto.ts', 43_400],
    // Of which the curves take more than half, and entries of the log and posts in exports a quarter. What an export
    // says of the end of a binding takes 10 bytes more than the 34,100 of before.
    ['dnssec/dnssec.ts', 34_200],
    // P-256, passkeys and the rules of keys of apps take 3 kB more than the 30,200 of before; events that are kept for
    // higher keys, and a replay in linear time, 30 bytes more.
    ['key-events/key-events.ts', 34_600],
    ['seal.ts', 5_500],
    ['seal-of-digest.ts', 3_000],
    // One base of all errors takes 150 bytes more than the 30,400 of before, key events of exports 100 more.
    ['log.ts', 30_700],
    ['internal/map.ts', 6_000],
  ])('is for %s at most %i bytes', (name, limit) => {
    const size = zippedSize(bundleOf(source(name)));

    expect(size).toBeGreaterThan(1_000);
    expect(size).toBeLessThanOrEqual(limit);
  });
});
