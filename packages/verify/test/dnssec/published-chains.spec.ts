import { readFileSync } from 'node:fs';
import { decodeBase64, encodeHex } from '../../src/text/encoding.js';
import { newBudget } from '../../src/dnssec/budget.js';
import { readChain, TYPES } from '../../src/dnssec/chain.js';
import { dnssecProofOf, type RootKey, verifyDnssecProof } from '../../src/dnssec/dnssec.js';
import { nameOf } from '../../src/dnssec/domain-name.js';
import { findRecords } from '../../src/dnssec/found-records.js';
import { rootDigests } from '../../src/dnssec/zone-keys.js';

interface PublishedChain {
  test: string;
  name: string;
  chain: string;
  texts: string[] | null;
  from?: number;
  until?: number;
}

const { chains, rfc9102 } = JSON.parse(readFileSync(new URL('published-chains.json', import.meta.url), 'utf8')) as {
  chains: PublishedChain[];
  rfc9102: { name: string; at: number; root: RootKey; data: string; chain: string };
};

const AT = 1_786_200_000; // 2026-08-08, within the time of all
const named = (one: PublishedChain) => [`${one.test}: ${one.name}`, one] as const;
const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex');

describe('chains of live zones, by the keys of the root that are known here', () => {
  it.each(chains.filter(({ texts }) => texts).map(named))(
    'show what %s has',
    (_, { chain, name, texts, from, until }) => {
      const proof = { type: 'dnssec', chain } as const;
      const result = verifyDnssecProof(proof, name, { at: AT });
      expect(result).toMatchObject({ ok: true, complete: true });
      expect(result.texts.map(hexOf).sort()).toEqual(texts);
      // The other program takes the time of all records in the chain, and this one that of those which are needed.
      expect(result.from).toBeLessThanOrEqual(from!);
      expect(result.until).toBeGreaterThanOrEqual(until!);
      expect(dnssecProofOf(decodeBase64(chain)!, name, { at: AT })!.proof.chain.length).toBeLessThanOrEqual(
        chain.length,
      );
    },
  );

  it.each(chains.filter(({ texts }) => !texts).map(named))('show nothing of %s', (_, { chain, name }) => {
    expect(verifyDnssecProof({ type: 'dnssec', chain }, name, { at: AT }).ok).toBe(false);
  });

  it('are nine good and five bad ones', () => {
    expect(chains.filter(({ texts }) => texts)).toHaveLength(9);
    expect(chains).toHaveLength(14);
  });

  it('have at most 6 kB, as three zones below the root take', () => {
    for (const { chain } of chains) expect(decodeBase64(chain)!.length).toBeLessThan(6_000);
  });
});

describe('the chain of RFC 9102, appendix A.1', () => {
  const { name, at, root, data, chain } = rfc9102;
  const read = (moment: number) => {
    const context = { chain: readChain(decodeBase64(chain)!), at: moment, budget: newBudget() };
    return findRecords({ ...context, roots: rootDigests([root], moment) }, nameOf(name)!, TYPES.TLSA);
  };

  it('shows its TLSA record', () => {
    const { set, zone } = read(at);
    expect(set.data.map(encodeHex)).toEqual([data]);
    expect(zone).toEqual(['example', 'com']);
  });

  it('shows it at its time alone', () => {
    expect(() => read(at + 366 * 86_400)).toThrow('are signed for another time');
  });

  it('shows no TXT record', () => {
    const result = verifyDnssecProof({ type: 'dnssec', chain }, name, { at, rootKeys: [root] });
    expect(result.steps.at(-1)).toMatchObject({ name: 'record', state: 'failed' });
  });
});
