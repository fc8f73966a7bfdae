import { equalBytes, hmacSha256, keyedHmacSha256, sha256Hex } from '../../src/crypto/hashing.js';
import { hex } from './vectors.js';

describe('hashing', () => {
  it('gives the SHA-256 of FIPS 180-4 for "abc", as text and as bytes', () => {
    const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

    expect(sha256Hex('abc')).toBe(expected);
    expect(sha256Hex(hex('616263'))).toBe(expected);
    expect(sha256Hex('é')).toBe(sha256Hex(hex('c3a9')));
  });

  it('gives the HMAC-SHA-256 of RFC 4231, case 2', () => {
    expect(hmacSha256(hex('4a656665'), 'what do ya want for nothing?')).toEqual(
      hex('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'),
    );
  });

  it.each([0, 1, 32, 64, 65, 200])(
    'gives the same HMAC for texts that begin alike, under a key of %i bytes',
    (length) => {
      const key = new Uint8Array(length).fill(0xa5);
      const hmacWith = keyedHmacSha256(key)('what do ya ');

      for (const end of ['want for nothing?', '', 'é'.repeat(100)]) {
        expect(hmacWith(end)).toEqual(hmacSha256(key, `what do ya ${end}`));
      }
    },
  );

  it('compares bytes of any lengths', () => {
    expect(equalBytes(hex('0102'), hex('0102'))).toBe(true);
    expect(equalBytes(hex('0102'), hex('0103'))).toBe(false);
    expect(equalBytes(hex('0102'), hex('010200'))).toBe(false);
    expect(equalBytes(new Uint8Array(), new Uint8Array())).toBe(true);
  });
});
