/** What keys of apps sign, by vectors of others; vectors/app-patches.json has our own. */
import { sha256 } from '@noble/hashes/sha2.js';
import { readFileSync } from 'node:fs';
import { isP256Signature } from '../src/key-events/p256.js';
import {
  isAppKey,
  isOrigin,
  isScope,
  problemOfAppSignature,
  problemOfAssertion,
  readAssertion,
  writeAssertion,
} from '../src/internal/key-events.js';
import { encodeBase64, nobleCurves } from '../src/index.js';
import { utf8 } from '../src/internal/internal.js';

interface Wycheproof {
  testGroups: {
    publicKey: { uncompressed: string };
    tests: { tcId: number; comment: string; msg: string; sig: string; result: 'valid' | 'invalid' }[];
  }[];
}

interface WebAuthnVector {
  id: string;
  key: string;
  challenge: string;
  authenticatorData: string;
  clientDataJSON: string;
  signature: string;
}

const read = <Value>(name: string): Value =>
  JSON.parse(readFileSync(new URL(`../../../test/vectors/${name}`, import.meta.url), 'utf8')) as Value;
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));

describe('the Wycheproof vectors of ECDSA on P-256', () => {
  it.each([
    ['ecdsa_secp256r1_sha256_test.json', 'der'],
    ['ecdsa_secp256r1_sha256_p1363_test.json', 'compact'],
  ] as const)('give the stated result for %s', (file, format) => {
    const { testGroups } = read<Wycheproof>(`wycheproof/${file}`);
    const different = testGroups.flatMap(({ publicKey: { uncompressed }, tests }) => {
      const parity = Number.parseInt(uncompressed.slice(-1), 16) % 2;
      const key = hex(`0${2 + parity}${uncompressed.slice(2, 66)}`);
      return tests
        .filter((test) => isP256Signature(hex(test.msg), hex(test.sig), key, format) !== (test.result === 'valid'))
        .map(({ tcId, comment }) => `${tcId}: ${comment}`);
    });

    expect(testGroups.flatMap(({ tests }) => tests).length).toBeGreaterThan(250);
    expect(different).toEqual([]);
  });
});

describe('the test vectors of Web Authentication', () => {
  const { vectors } = read<{ vectors: WebAuthnVector[] }>('webauthn/es256.json');
  const UNVERIFIED = expect.stringContaining('did not verify its user') as string;
  const FRAMED = expect.stringContaining('inside a page') as string;
  const expected: Record<string, string | null> = {
    'none-es256': UNVERIFIED,
    'packed-self-es256': UNVERIFIED,
    'none-es256-crossOrigin': FRAMED,
    'none-es256-topOrigin': FRAMED,
    'none-es256-long-credential-id': null,
    'packed-es256': null,
    'tpm-es256': null,
    'android-key-es256': UNVERIFIED,
    'apple-es256': UNVERIFIED,
    'fido-u2f-es256': UNVERIFIED,
  };
  const partsOf = ({ authenticatorData, clientDataJSON, signature }: WebAuthnVector) => ({
    authenticatorData: hex(authenticatorData),
    clientDataJSON: hex(clientDataJSON),
    signature: hex(signature),
  });

  it.each(vectors)('are read with what is asked of a passkey here: $id', (vector) => {
    const context = { challenge: hex(vector.challenge), origin: 'https://example.org', key: hex(vector.key) };

    expect(problemOfAssertion(partsOf(vector), context)).toEqual(expected[vector.id]);
  });

  it.each(vectors.filter(({ id }) => expected[id] === null))('hold for nothing else: $id', (vector) => {
    const assertion = partsOf(vector);
    const context = { challenge: hex(vector.challenge), origin: 'https://example.org', key: hex(vector.key) };
    const data = assertion.authenticatorData.map((byte, place) => (place === 36 ? byte ^ 1 : byte));

    expect(problemOfAssertion({ ...assertion, authenticatorData: data }, context)).toMatch('did not sign');
    expect(problemOfAssertion(assertion, { ...context, challenge: sha256(utf8('')) })).toMatch('another text');
    expect(problemOfAssertion(assertion, { ...context, origin: 'https://example.com' })).toMatch('another origin');
    expect(problemOfAssertion(assertion, { ...context, origin: null })).toMatch('without an origin');
    expect(problemOfAssertion(assertion, { ...context, origin: undefined })).toBeNull();
  });

  it('have one spelling as a signature', () => {
    const assertion = partsOf(vectors[0]!);
    const written = writeAssertion(assertion);
    const text = Buffer.from(written).toString();
    const others = [
      text.replace('{', '{ '),
      text.replace('"}', '="}'),
      `\ufeff${text}`,
      text.replace('}', ',"signature":""}'),
      text.replace('"signature"', '"sig"'),
      text.replace(/"signature":"[^"]*"/, '"signature":1'),
      '{}',
      '{',
      '',
    ];

    expect(readAssertion(written)).toEqual(assertion);
    expect(others.map((other) => readAssertion(utf8(other)))).toEqual(others.map(() => null));
  });
});

describe('Ed25519', () => {
  const cases = read<{ message: string; pub_key: string; signature: string }[]>('ed25519/speccheck.json');

  it('takes what the equation without the cofactor takes, and no key of small order', () => {
    const taken = cases.map(({ message, pub_key: key, signature }) => {
      // These messages are bytes, so the curve is asked as `problemOfAppSignature` asks it.
      return nobleCurves.ed25519!.verify(hex(message), hex(signature), hex(key));
    });

    expect(taken).toEqual([false, false, true, true, false, false, false, false, false, false, false, false]);
  });

  it('takes no signature of zeros by a point of small order, for any text', () => {
    const small = `01${'0'.repeat(62)}`;
    const zeros = encodeBase64(hex(`${small}${'0'.repeat(64)}`));
    const signed = { key: `ed25519:0x${small}`, signature: zeros, origin: null };

    expect(problemOfAppSignature('any text', signed, nobleCurves)).toMatch('was not made by the key');
  });
});

describe('names', () => {
  const point = '1'.repeat(64);

  it('of keys are an algorithm and a compressed key in small letters', () => {
    const good = [`ed25519:0x${point}`, `es256:0x02${point}`, `secp256k1:0x03${point}`];
    const bad = [
      `ed25519:0x02${point}`,
      `es256:0x${point}`,
      `es256:0x04${point}`,
      `rsa:0x${point}`,
      `ed25519:${point}`,
    ];

    expect(good.filter(isAppKey)).toEqual(good);
    expect([...bad, `ed25519:0x${'A'.repeat(64)}`, '', 1, null, {}].filter(isAppKey)).toEqual([]);
  });

  it('of origins are those that browsers write', () => {
    const good = [
      'https://a.example',
      'https://a.b.example:8443',
      'http://localhost:3000',
      'https://xn--bcher-kva.example',
    ];
    const bad = [
      'https://a',
      'https://a.example:443',
      'https://a.example:0443',
      'http://a.example',
      'https://A.example',
    ];
    const worse = ['https://a.example/', 'https://u@a.example', 'https://-a.example', 'https://a..example', '', 1];

    expect(good.filter(isOrigin)).toEqual(good);
    expect([...bad, ...worse, `https://${'a.'.repeat(127)}example`].filter(isOrigin)).toEqual([]);
    expect(good.map((origin) => new URL(origin).origin)).toEqual(good);
  });

  it('of scopes are kv, or kv with a platform and an identity, which may hold colons', () => {
    const good = ['kv', 'kv:github:alice', 'kv:ethereum:eip155:1:0x0', 'kv:self:0x04', `kv:dns:${'a'.repeat(256)}`];
    const bad = [
      'kv:',
      'kv:github',
      'kv:github:',
      'kv:GitHub:alice',
      'proof',
      `kv:dns:${'a'.repeat(257)}`,
      'kv:dns:a\n',
    ];

    expect(good.filter(isScope)).toEqual(good);
    expect([...bad, 1, null].filter(isScope)).toEqual([]);
  });
});
