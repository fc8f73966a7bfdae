import { readFileSync } from 'node:fs';
import { decodeBase64, encodeBase64 } from '../../src/text/encoding.js';
import { MAX_CHAIN_BYTES, verifyDnssecProof } from '../../src/dnssec/dnssec.js';
import { SeededRandom } from '../support/seeded-random.js';
import { changedBytes } from '../support/changed-bytes.js';

const ROUNDS = 10_000;
const AT = 1_786_200_000;
const { chains } = JSON.parse(readFileSync(new URL('published-chains.json', import.meta.url), 'utf8')) as {
  chains: { name: string; chain: string; texts: string[] | null }[];
};

describe('changed chains', () => {
  it(`show nothing else in ${ROUNDS} rounds, and cost at most 50 ms of the processor`, () => {
    const good = chains.filter(({ texts }) => texts);
    const random = new SeededRandom('changed chains');
    const [accepted, durations]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { name, chain, texts } = good[round % good.length]!;
      const bytes = changedBytes(decodeBase64(chain)!, random);
      const before = process.cpuUsage();
      const result = verifyDnssecProof({ type: 'dnssec', chain: encodeBase64(bytes) }, name, { at: AT });
      durations.push(process.cpuUsage(before).user / 1000);
      const shown = result.texts.map((text) => Buffer.from(text, 'latin1').toString('hex')).sort();
      if (result.ok && JSON.stringify(shown) !== JSON.stringify(texts)) accepted.push(round);
    }
    // The first rounds compile.
    const most = Math.max(...durations.slice(100));
    process.stdout.write(
      `changed chains: ${ROUNDS}, accepted: ${accepted.length}, at most ${most.toFixed(1)} ms each\n`,
    );
    expect(accepted).toEqual([]);
    expect(most).toBeLessThan(50);
  });

  it.each([
    ['zeros', Buffer.alloc(MAX_CHAIN_BYTES)],
    ['long labels', Buffer.alloc(MAX_CHAIN_BYTES, 0x3f)],
    ['pointers', Buffer.alloc(MAX_CHAIN_BYTES, 0xc0)],
  ])('of %s are refused', (_, bytes) => {
    expect(verifyDnssecProof({ type: 'dnssec', chain: encodeBase64(bytes) }, 'a.org', { at: AT }).ok).toBe(false);
  });
});
