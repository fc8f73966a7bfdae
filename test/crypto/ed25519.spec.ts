import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { decodeBase58, nobleEd25519 } from '@signet/verify';
import { nativeEd25519 } from '../../src/crypto/ed25519.js';
import { SeededRandom } from './seeded-random.js';
import { hex, readVectors, type SignedRecord } from './vectors.js';

const { isUsablePublicKey, verify: verifyEd25519 } = nobleEd25519;

const FIELD_PRIME = 2n ** 255n - 19n;
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** [key, message, signature] of RFC 8032, section 7.1: tests 1, 2, 3 and SHA(abc). */
const RFC_8032: [string, string, string][] = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
];

/**
 * The 8 points of small order, canonically encoded, then their other encodings: y at or above the prime, or a sign on x
 * = 0.
 */
const SMALL_ORDER = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];
const SMALL_ORDER_OTHERWISE = [
  `01${'00'.repeat(30)}80`,
  `ec${'ff'.repeat(31)}`,
  `ed${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(31)}`,
  `ee${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(31)}`,
];

interface SpeccheckCase {
  message: string;
  pub_key: string;
  signature: string;
}

/**
 * The twelve cases of "Taming the many EdDSAs" (https://github.com/novifinancial/ed25519-speccheck). Keys of small order
 * (0, 1) and keys in another than their canonical encoding (10, 11) are refused; 2 and 3 hold without the cofactor; 4
 * and 5 only with it; 6 and 7 have an S that is not below the order, and 8 and 9 an R that is not canonical.
 */
const SPECCHECK = readVectors<SpeccheckCase[]>('ed25519/speccheck.json').map((one, index) => ({
  ...one,
  isAccepted: index === 2 || index === 3,
}));

/** What the owner of a key `A = aB + T`, with T of order 8, can sign: valid with the cofactor, whatever the message. */
function signedWithTorsion(index: number) {
  const { Point } = ed25519;
  const torsion = Point.fromBytes(hex(SMALL_ORDER[6]!));
  const [secret, nonce] = [12_345n + BigInt(index), 67_890n + BigInt(index)];
  const key = Point.BASE.multiply(secret).add(torsion).toBytes();
  const message = Buffer.from(`message ${index}`);
  const r = Point.BASE.multiply(nonce).toBytes();
  const digest = createHash('sha512').update(r).update(key).update(message).digest().reverse();
  const challenge = BigInt(`0x${digest.toString('hex')}`) % GROUP_ORDER;
  const signature = Uint8Array.from([...r, ...littleEndian((nonce + challenge * secret) % GROUP_ORDER)]);
  return { key, message, signature, challenge };
}

/** A number as 32 bytes, little-endian. */
function littleEndian(value: bigint): Uint8Array {
  return hex(value.toString(16).padStart(64, '0')).reverse();
}

function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  flipped[bit >> 3]! ^= 1 << (bit & 7);
  return flipped;
}

describe.each([
  ['the library of the rules', verifyEd25519],
  ['OpenSSL', nativeEd25519.verify],
])('ed25519 by %s', (_name, verify) => {
  it.each(RFC_8032)('accepts the signature of RFC 8032 under the key %s', (key, message, signature) => {
    expect(isUsablePublicKey(hex(key))).toBe(true);
    expect(verify(hex(message), hex(signature), hex(key))).toBe(true);
  });

  it('accepts the recorded signatures of Solana wallets', () => {
    const { records } = readVectors<{ records: SignedRecord[] }>('proof-links.json');
    const solana = records.filter(({ platform, wallet_signature }) => platform === 'solana' && wallet_signature);

    expect(solana.length).toBeGreaterThan(0);
    for (const { payload, wallet_signature, wallet_address } of solana) {
      const key = decodeBase58(wallet_address!)!;
      expect(verify(Buffer.from(payload), decodeBase58(wallet_signature!)!, key)).toBe(true);
      expect(verify(Buffer.from(`${payload} `), decodeBase58(wallet_signature!)!, key)).toBe(false);
    }
  });

  it('refuses a valid signature with any one bit of it, of the key or of the message flipped', () => {
    const [key, message, signature] = RFC_8032[2]!.map(hex) as [Uint8Array, Uint8Array, Uint8Array];
    for (let bit = 0; bit < 512; bit++) expect(verify(message, flipBit(signature, bit), key)).toBe(false);
    for (let bit = 0; bit < 256; bit++) expect(verify(message, signature, flipBit(key, bit))).toBe(false);
    for (let bit = 0; bit < 16; bit++) expect(verify(flipBit(message, bit), signature, key)).toBe(false);
  });

  it.each(SPECCHECK.map((one, index) => [index, one.isAccepted, one] as const))(
    'judges case %i of ed25519-speccheck as the equation without the cofactor does: %s',
    (_index, isAccepted, { message, pub_key: key, signature }) => {
      expect(verify(hex(message), hex(signature), hex(key))).toBe(isAccepted);
    },
  );

  it('refuses a signature under a key with a part of small order, which the equation with the cofactor accepts', () => {
    const verdicts = Array.from({ length: 40 }, (_, index) => {
      const { message, signature, key } = signedWithTorsion(index);
      expect(isUsablePublicKey(key)).toBe(true);
      expect(ed25519.verify(signature, message, key, { zip215: false })).toBe(true);
      return verify(message, signature, key);
    });

    // One in eight has a challenge that is a multiple of eight, where both equations hold.
    expect(verdicts.filter((isAccepted) => !isAccepted).length).toBeGreaterThan(20);
    expect(verdicts).toEqual(Array.from({ length: 40 }, (_, index) => signedWithTorsion(index).challenge % 8n === 0n));
  });

  it('refuses the same signature with S raised by the group order', () => {
    const [key, message, signature] = RFC_8032[1]!.map(hex) as [Uint8Array, Uint8Array, Uint8Array];
    const s = BigInt(`0x${Buffer.from(signature.slice(32)).reverse().toString('hex')}`);

    const raised = Uint8Array.from([...signature.slice(0, 32), ...littleEndian(s + GROUP_ORDER)]);

    expect(verify(message, raised, key)).toBe(false);
  });

  it.each([...SMALL_ORDER, ...SMALL_ORDER_OTHERWISE])(
    'refuses the small-order key %s, which lenient rules accept',
    (key) => {
      expect(ed25519.Point.fromBytes(hex(key), true).isSmallOrder()).toBe(true);
      expect(isUsablePublicKey(hex(key))).toBe(false);
    },
  );

  it('refuses forged signatures with S = 0 under the all-zero key, which lenient rules accept for any message', () => {
    const key = new Uint8Array(32);
    for (const message of ['one', 'two', 'three'].map((text) => Buffer.from(text))) {
      for (const r of SMALL_ORDER) {
        const forged = Uint8Array.from([...hex(r), ...new Uint8Array(32)]);
        expect(ed25519.verify(forged, message, key, { zip215: true })).toBe(true);
        expect(verify(message, forged, key)).toBe(false);
      }
    }
  });

  it('refuses every key whose y is the field prime or above', () => {
    for (let y = FIELD_PRIME; y < 2n ** 255n; y++) {
      expect(isUsablePublicKey(littleEndian(y))).toBe(false);
      expect(isUsablePublicKey(littleEndian(y + 2n ** 255n))).toBe(false);
    }
  });

  it('refuses a key that is not on the curve', () => {
    expect(isUsablePublicKey(littleEndian(2n))).toBe(false); // no x fits y = 2 (RFC 8032, section 5.1.3)
  });

  it('answers false, and never throws, for bytes of any length', () => {
    const random = new SeededRandom('ed25519 with random bytes');
    const [key, message, signature] = RFC_8032[0]!.map(hex) as [Uint8Array, Uint8Array, Uint8Array];
    for (let length = 0; length < 130; length++) {
      const bytes = random.bytes(length);
      if (length !== 32) expect(isUsablePublicKey(bytes)).toBe(false);
      expect(verify(message, bytes, key)).toBe(false);
      expect(verify(message, signature, bytes)).toBe(false);
    }
  });
});
