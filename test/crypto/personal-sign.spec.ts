import {
  addressOfKey,
  decodeBase64,
  encodeHex,
  isPersonalSignature,
  parseSignature,
  personalDigest,
  recoverPersonalSigner,
  recoverPublicKey,
  type Secp256k1,
} from '@signet/verify';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { malleableTwin, signerNamed } from './signers.js';
import { BACKENDS, bytes32, curvesOf, hex, ORDER, readVectors, toBigInt, type SignedRecord } from './vectors.js';

interface Message extends SignedRecord {
  message: string;
  message_utf8_bytes: number;
  hash: string;
  signature_hex: string;
}

interface Mutation extends SignedRecord {
  expected: { verifies: boolean | null };
}

const messages = readVectors<{ records: Message[] }>('personal-sign.json').records;
const links = ['proof-links.json', 'kv-links.json'].flatMap(
  (file) => readVectors<{ records: SignedRecord[] }>(file).records,
);
const mutations = readVectors<{ records: Mutation[] }>('signature-mutations.json').records;

/**
 * What docs/design/decisions.md 2 says where the vectors leave it open: the compact form and high s are accepted,
 * Base64 for URLs is not.
 */
const LEFT_OPEN: { [form: string]: boolean } = {
  '64-bytes': true, // its parity bit is 0, so these bytes are the compact form as well
  'eip-2098': true,
  'high-s-twin': true,
  'url-safe-base64': false,
};

/** A signature text as the service takes it, on the given backend: true if this key signed this text. */
function verifies(backend: Secp256k1, payload: string, signature: string, publicKey: string): boolean {
  const bytes = decodeBase64(signature);
  const key = bytes && recoverPublicKey(personalDigest(payload), bytes, { curves: curvesOf(backend) });
  return key !== null && `0x${encodeHex(key)}` === publicKey;
}

function withV(signature: Uint8Array, v: number): Uint8Array {
  return Uint8Array.from([...signature.subarray(0, 64), v]);
}

describe('the digest of personal_sign', () => {
  it.each(messages)('of $id is the published one', ({ message, message_utf8_bytes, hash }) => {
    expect(Buffer.byteLength(message)).toBe(message_utf8_bytes);
    expect(`0x${encodeHex(personalDigest(message))}`).toBe(hash);
  });
});

describe.each(BACKENDS)('personal_sign on %s', (_, backend) => {
  it.each(messages)('recovers the signer of the message $id', ({ message, signature, signature_hex, public_key }) => {
    expect(decodeBase64(signature)).toEqual(hex(signature_hex.slice(2)));
    expect(verifies(backend, message, signature, public_key)).toBe(true);
    expect(verifies(backend, `${message} `, signature, public_key)).toBe(false);
  });

  it.each(links)('recovers the Avatar of the link $id', ({ payload, signature, public_key }) => {
    expect(verifies(backend, payload, signature, public_key)).toBe(true);
  });

  it.each(links.filter(({ platform, wallet_signature }) => platform === 'ethereum' && wallet_signature))(
    'recovers the wallet of the link $id',
    ({ payload, wallet_signature, wallet_address }) => {
      const key = recoverPublicKey(personalDigest(payload), decodeBase64(wallet_signature!)!, {
        curves: curvesOf(backend),
      })!;

      expect(addressOfKey(`0x${encodeHex(key)}`)).toBe(wallet_address!.toLowerCase());
    },
  );

  it.each(mutations)('judges the changed record $id', ({ id, payload, signature, public_key, expected }) => {
    const verdict = expected.verifies ?? LEFT_OPEN[id.slice(id.indexOf('/') + 1)];

    expect(verifies(backend, payload, signature, public_key)).toBe(verdict);
  });

  it('takes v = 0 and 27, or 1 and 28, as one signature and refuses every other v', () => {
    const digest = personalDigest('hello');
    const alice = signerNamed('alice');
    const signature = alice.sign(digest);
    const parity = signature[64]!;

    for (let v = 0; v < 256; v++) {
      const key = recoverPublicKey(digest, withV(signature, v), { curves: curvesOf(backend) });
      if (v === parity || v === 27 + parity) expect(key).toEqual(alice.publicKey);
      else if (v === 1 - parity || v === 28 - parity) expect(key).not.toEqual(alice.publicKey);
      else expect(key).toBeNull();
    }
  });

  it('takes the compact form of 64 bytes, for both parities', () => {
    const parities = new Set<number>();
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const alice = signerNamed('alice');
      const signature = alice.sign(personalDigest(text));
      const compact = signature.slice(0, 64);
      compact[32]! |= signature[64]! << 7;
      parities.add(signature[64]!);

      expect(recoverPublicKey(personalDigest(text), compact, { curves: curvesOf(backend) })).toEqual(alice.publicKey);
      expect(compact[32]! >> 7).toBe(signature[64]); // and the caller's bytes are as they were
    }
    expect(parities.size).toBe(2);
  });

  it('takes the high-s twin, which recovers the same key', () => {
    const digest = personalDigest('hello');
    const alice = signerNamed('alice');
    const twin = malleableTwin(alice.sign(digest));

    expect(toBigInt(twin.subarray(32, 64))).toBeGreaterThan(ORDER / 2n);
    expect(recoverPublicKey(digest, twin, { curves: curvesOf(backend) })).toEqual(alice.publicKey);
  });

  it.each([0n, ORDER, ORDER + 1n, 2n ** 256n - 2n ** 128n, 2n ** 256n - 1n])(
    'refuses r or s of %i without an exception',
    (value) => {
      const digest = personalDigest('hello');
      const signature = signerNamed('alice').sign(digest);

      for (const offset of [0, 32]) {
        const changed = Uint8Array.from(signature);
        changed.set(bytes32(value), offset);
        expect(parseSignature(changed)).toBeNull();
        expect(recoverPublicKey(digest, changed, { curves: curvesOf(backend) })).toBeNull();
        expect(backend.recover(digest, changed.subarray(0, 64), 0)).toBeNull();
      }
    },
  );

  it('refuses a digest that is not 32 bytes long', () => {
    const signature = signerNamed('alice').sign(personalDigest('hello'));

    for (const length of [0, 31, 33])
      expect(recoverPublicKey(new Uint8Array(length), signature, { curves: curvesOf(backend) })).toBeNull();
  });
});

describe('personal_sign', () => {
  it('tells the signer as 0x and 66 lowercase hex digits, and compares with it', () => {
    const alice = signerNamed('alice');
    const mallory = signerNamed('mallory');
    const signature = alice.sign(personalDigest('hello'));

    expect(recoverPersonalSigner('hello', signature)).toBe(`0x${encodeHex(alice.publicKey)}`);
    expect(isPersonalSignature('hello', signature, `0x${encodeHex(alice.publicKey)}`)).toBe(true);
    expect(isPersonalSignature('hello', signature, `0x${encodeHex(mallory.publicKey)}`)).toBe(false);
    expect(isPersonalSignature('hallo', signature, `0x${encodeHex(alice.publicKey)}`)).toBe(false);
  });

  it('is null for a signature of the wrong length', () => {
    const signature = signerNamed('alice').sign(personalDigest('hello'));

    for (const length of [0, 1, 32, 63])
      expect(recoverPersonalSigner('hello', signature.subarray(0, length))).toBeNull();
    expect(recoverPersonalSigner('hello', Uint8Array.from([...signature, 0]))).toBeNull();
    expect(isPersonalSignature('hello', new Uint8Array(), '')).toBe(false);
  });

  it('counts the length of the text in UTF-8 bytes: a signer who counted UTF-16 units or characters is refused', () => {
    const text = '{"identity":"zoë-😀"}';
    const alice = signerNamed('alice');
    const key = `0x${encodeHex(alice.publicKey)}`;
    const lengths = [text.length, [...text].length, Buffer.byteLength(text)];
    const digests = lengths.map((length) => keccak256(Buffer.from(`\x19Ethereum Signed Message:\n${length}${text}`)));

    const verdicts = digests.map((digest) => isPersonalSignature(text, alice.sign(digest), key));

    expect(verdicts).toEqual([false, false, true]);
  });

  it('accepts r and s from 1 to n - 1', () => {
    for (const value of [1n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n]) {
      const signature = Uint8Array.from([...bytes32(value), ...bytes32(value), 28]);
      expect(parseSignature(signature)).toEqual({ rs: signature.subarray(0, 64), recovery: 1 });
    }
  });
});
