import { addressOfKey, decodeHex, encodeHex } from '@signet/verify';
import { defaultBackend } from '../../src/crypto/ecdsa.js';
import { SeededRandom } from './seeded-random.js';
import { BACKENDS, hex, readVectors, type SignedRecord } from './vectors.js';

interface PublicKeys {
  pairs: { compressed: string; uncompressed: string; address: string }[];
  not_keys: { text: string; why: string }[];
}

const { pairs, not_keys } = readVectors<PublicKeys>('public-keys.json');
const signers = ['proof-links.json', 'kv-links.json', 'personal-sign.json']
  .flatMap((file) => readVectors<{ records: SignedRecord[] }>(file).records)
  .map((record) => ({
    compressed: record.public_key,
    uncompressed: record.public_key_uncompressed,
    address: record.address,
  }));
const G =
  '0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';

describe.each(BACKENDS)('a public key on %s', (library, backend) => {
  it.each([...pairs, ...signers])('is one key in both spellings: $compressed', ({ compressed, uncompressed }) => {
    const key = { compressed: hex(compressed.slice(2)), uncompressed: hex(uncompressed.slice(2)) };

    expect(backend.parsePublicKey(key.compressed)).toEqual(key);
    expect(backend.parsePublicKey(key.uncompressed)).toEqual(key);
  });

  it.each(not_keys)('is refused: $why', ({ text }) => {
    const bytes = decodeHex(text.slice(2));

    expect(bytes && backend.parsePublicKey(bytes)).toBeFalsy();
  });

  it.each([
    ['y is that of another point', G.replace(/b8$/, 'b9')],
    ['y is the negative of none', `${G.slice(0, 66)}${'00'.repeat(32)}`],
    ['x and y are zero', `04${'00'.repeat(64)}`],
    ['x has no y on the curve', `02${'00'.repeat(31)}05`],
    ['x is the field prime', '02fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f'],
    [
      'x is the field prime and 1, a point if reduced',
      '02fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30',
    ],
    ['it is hybrid (even)', `06${G.slice(2)}`],
    ['it is hybrid (odd)', `07${pairs[0]!.uncompressed.slice(4)}`],
    ['it is compressed with the prefix 04', `04${G.slice(2, 66)}`],
    ['it is uncompressed with the prefix 02', `02${G.slice(2)}`],
    ['it is the point at infinity', '00'],
    ['it has a byte too many', `${G}00`],
  ])('is refused when %s', (_why, key) => {
    expect(backend.parsePublicKey(hex(key))).toBeNull();
  });

  it('is null, never an exception, for random bytes of any length', () => {
    const random = new SeededRandom(`public keys on ${library}`);
    for (let length = 0; length < 140; length++) {
      const key = random.bytes(length);
      if (length !== 33) expect(backend.parsePublicKey(key)).toBeNull();
      else expect(() => backend.parsePublicKey(key)).not.toThrow();
    }
  });
});

describe('a public key', () => {
  it('is not changed when the bytes it was parsed from change', () => {
    const bytes = hex(pairs[0]!.compressed.slice(2));
    const key = defaultBackend.parsePublicKey(bytes)!;

    bytes.fill(0);

    expect(`0x${encodeHex(key.compressed)}`).toBe(pairs[0]!.compressed);
  });

  it.each([...pairs, ...signers])('$compressed has the address $address', ({ compressed, address }) => {
    expect(addressOfKey(compressed)).toBe(address);
  });
});
