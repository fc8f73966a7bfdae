import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nobleP256, nobleP384 } from '@signet/verify/internal/signatures';
import { verifyDnssecProof } from '@signet/verify/dnssec';
import { opensslCurves } from '../../src/crypto/openssl-curves.js';
import { SeededRandom } from './seeded-random.js';
import { hex, readVectors } from './vectors.js';

interface Wycheproof {
  testGroups: {
    publicKey: { uncompressed: string };
    tests: { tcId: number; comment: string; msg: string; sig: string; result: 'valid' | 'invalid' }[];
  }[];
}

const CURVES = [
  ['P-256', opensslCurves.p256, nobleP256, 'sha256'],
  ['P-384', opensslCurves.p384, nobleP384, 'sha384'],
] as const;

function pointOf(publicKey: KeyObject): Uint8Array {
  const { x, y } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
}

function compressed(point: Uint8Array): Uint8Array {
  return Uint8Array.of(2 + (point.at(-1)! % 2), ...point.subarray(1, (point.length + 1) / 2));
}

describe('P-256 and P-384 of OpenSSL', () => {
  it('give the stated result for the Wycheproof vectors, with keys in both encodings', () => {
    const { testGroups } = readVectors<Wycheproof>('wycheproof/ecdsa_secp256r1_sha256_p1363_test.json');
    const different = testGroups.flatMap(({ publicKey: { uncompressed }, tests }) => {
      const point = hex(uncompressed);
      return [point, compressed(point)].flatMap((key) =>
        tests
          .filter(({ msg, sig, result }) => opensslCurves.p256.verify(hex(msg), hex(sig), key) !== (result === 'valid'))
          .map(({ tcId, comment }) => `${tcId}: ${comment}`),
      );
    });
    expect(testGroups.flatMap(({ tests }) => tests)).toHaveLength(262);
    expect(different).toEqual([]);
  });

  it.each(CURVES)('say on %s what @noble/curves says, for signatures, messages and keys that are changed', (...of) => {
    const [namedCurve, openssl, noble, hash] = of;
    const random = new SeededRandom(`curves of OpenSSL, ${namedCurve}`);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
    const point = pointOf(publicKey);
    const message = Buffer.from('a message');
    const signature = sign(hash, message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const verdictsOf = (...signed: Parameters<typeof openssl.verify>) => [
      openssl.verify(...signed),
      noble.verify(...signed),
    ];
    const flipped = (bytes: Uint8Array) => {
      const copy = Uint8Array.from(bytes);
      copy[random.below(copy.length)]! ^= 1 << random.below(8);
      return copy;
    };
    for (const key of [point, compressed(point)]) {
      expect(verdictsOf(message, signature, key)).toEqual([true, true]);
      for (let round = 0; round < 20; round += 1) {
        expect(verdictsOf(message, flipped(signature), key)).toEqual([false, false]);
        expect(verdictsOf(flipped(message), signature, key)).toEqual([false, false]);
        expect(verdictsOf(message, signature, flipped(key))).toEqual([false, false]);
      }
    }
    const hybrid = Uint8Array.of(6 + (point.at(-1)! % 2), ...point.subarray(1));
    for (const key of [hybrid, point.subarray(1), Buffer.alloc(point.length), Buffer.alloc(1), Buffer.alloc(0)]) {
      expect(verdictsOf(message, signature, key)).toEqual([false, false]);
    }
    for (const bytes of [signature.subarray(1), Buffer.concat([signature, Buffer.of(0)]), Buffer.alloc(0)]) {
      expect(verdictsOf(message, bytes, point)).toEqual([false, false]);
    }
    expect(verdictsOf(message, Buffer.alloc(signature.length), point)).toEqual([false, false]);
  });

  it('check the chains of live zones as @noble/curves does', () => {
    const file = new URL('../../packages/verify/test/dnssec/published-chains.json', import.meta.url);
    const { chains } = JSON.parse(readFileSync(file, 'utf8')) as {
      chains: { name: string; chain: string; texts: string[] | null }[];
    };
    const calls = { p256: 0 };
    const p256 = {
      verify: (...signed: Parameters<typeof nobleP256.verify>) => {
        calls.p256 += 1;
        return opensslCurves.p256.verify(...signed);
      },
    };
    for (const { name, chain } of chains) {
      const [by, at] = [{ type: 'dnssec', chain } as const, 1786200000];
      const fast = verifyDnssecProof(by, name, { at, curves: { ...opensslCurves, p256 } });
      expect(fast).toEqual(verifyDnssecProof(by, name, { at }));
    }
    expect(calls.p256).toBeGreaterThan(10);
  });
});
