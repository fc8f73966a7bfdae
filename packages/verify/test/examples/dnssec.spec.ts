import { readFileSync } from 'node:fs';
import { fileOf } from '../support/published-vectors.js';
import { decodeBase64, type ExportFile } from '../../src/index.js';
import {
  dnssecProofOf,
  MAX_CHAIN_BYTES,
  readRootKey,
  ROOT_KEYS,
  verifyDnssecProof,
  verifyExportDnssec,
} from '../../src/dnssec/dnssec.js';
import { isolatedName, splitUnseen, withUnseen } from '../../src/text/unseen.js';

/** The records of a live zone of August 2026, as a resolver answers them, with all that leads to them. */
const { chains } = JSON.parse(readFileSync(new URL('../dnssec/published-chains.json', import.meta.url), 'utf8')) as {
  chains: { name: string; chain: string; texts: string[] | null }[];
};
const dns = chains.find(({ texts }) => texts !== null)!;

describe('@signet/verify/dnssec', () => {
  it('verifyDnssecProof', () => {
    const { ok, zone } = verifyDnssecProof({ type: 'dnssec', chain: dns.chain }, dns.name, { at: 1786200000 });
    expect(ok).toBe(true);
    expect(dns.name.endsWith(zone)).toBe(true);
  });

  it('dnssecProofOf', () => {
    const made = dnssecProofOf(decodeBase64(dns.chain)!, dns.name, { at: 1786200000 });
    expect(made?.proof.type).toBe('dnssec');
  });

  it('verifyExportDnssec', () => {
    const exported = JSON.parse(fileOf('exports/full.json')) as ExportFile;
    expect(verifyExportDnssec(exported)).toEqual([]);
  });

  it('ROOT_KEYS', () => {
    const { ok } = verifyDnssecProof({ type: 'dnssec', chain: dns.chain }, dns.name, {
      at: 1786200000,
      rootKeys: ROOT_KEYS,
    });
    expect(ok).toBe(true);
  });

  it('readRootKey', () => {
    const key = readRootKey(`20326 8 2 ${'ab'.repeat(32)}`);
    expect(key?.keyTag).toBe(20326);
  });

  it('MAX_CHAIN_BYTES', () => {
    expect(decodeBase64(dns.chain)!.length < MAX_CHAIN_BYTES).toBe(true);
  });
});

describe('@signet/verify/unseen', () => {
  it('splitUnseen', () => {
    expect(splitUnseen('ali\u202ece')).toEqual(['ali', 'U+202E', 'ce']);
  });

  it('withUnseen', () => {
    expect(withUnseen('ali\u202ece')).toBe('ali⟨U+202E⟩ce');
  });

  it('isolatedName', () => {
    expect(isolatedName('alice')).toBe('alice');
  });
});
