import { createHash } from 'node:crypto';
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';
import secp256k1 from 'secp256k1';
import {
  describeMalformedBase64,
  describeMalformedSignature,
  explainMistake,
  isBareHex,
  signatureAsBase64,
} from '@signet/verify/signature-help';
import { anAvatar } from '../support/avatar.js';
import { compactForm, withRecovery } from '../support/signature-forms.js';

const alice = anAvatar('alice');
const text = '{"action":"create","list":["a, b: \\"c\\"",1],"prev":null}';
const good = alice.sign(text);

function signDigest(digest: Uint8Array): string {
  const { signature, recid } = secp256k1.ecdsaSign(digest, alice.privateKey);
  return Buffer.concat([signature, Uint8Array.of(27 + recid)]).toString('base64');
}

function prefixed(message: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]);
}

function personal(message: Uint8Array): Uint8Array {
  return keccak_256(prefixed(message));
}

function explain(signature: string, of = text): string | null {
  return explainMistake(of, Buffer.from(signature, 'base64'), (key) => key === alice.key.compressed);
}

/** What is said of so many bytes that begin as a signature in DER form does. */
function derOf(size: number): string {
  const isDer = size >= 68 && size <= 72;
  return `${size} bytes${isDer ? ' in DER form; r, s and v are expected one behind the other' : ''}`;
}

describe('a signature of the right key over something else', () => {
  const hash = keccak_256(Buffer.from(text));

  it.each([
    ['a line break behind it', alice.sign(`${text}\n`)],
    ['as a JSON string', alice.sign(JSON.stringify(text))],
    ['a backslash before each quote', alice.sign(JSON.stringify(text).slice(1, -1))],
    ['with spaces', alice.sign('{"action": "create", "list": ["a, b: \\"c\\"", 1], "prev": null}')],
    ['over several lines', alice.sign(JSON.stringify(JSON.parse(text), null, 2))],
    ['the bare hash', signDigest(hash)],
    ['the hash of the text in place of the text', signDigest(personal(hash))],
    ['the hash of the text, written in hex', alice.sign(`0x${Buffer.from(hash).toString('hex')}`)],
    ['the SHA-256', signDigest(createHash('sha256').update(text).digest())],
    ['SHA3-256', signDigest(sha3_256(prefixed(Buffer.from(text))))],
    ['SHA3-256', signDigest(sha3_256(Buffer.from(text)))],
    ['recovery byte', withRecovery(good, (v) => 55 - v)],
    ['recovery byte', withRecovery(good, (v) => 28 - v)],
    ['recovery byte', withOtherTopBit(compactForm(good))],
  ])('is explained: %s', (what, signature) => {
    expect(explain(signature)).toContain(what);
  });

  const jose = '{"name":"Jos\u00e9 & \u{1f680}","patch":{"a":"<b>"}}';
  const joseBytes = Buffer.from(jose);
  const withLength = (length: number) =>
    keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${length}`), joseBytes]));
  it.each([
    ['letters normalised to the Unicode form NF', alice.sign(jose.replace('\u00e9', 'e\u0301'))],
    ['the hex digits of the text', alice.sign(`0x${joseBytes.toString('hex')}`)],
    ['the hex digits of the text', alice.sign(joseBytes.toString('hex'))],
    ['the Base64 of the text', alice.sign(joseBytes.toString('base64'))],
    [
      'with \\u escapes for letters beyond ASCII',
      alice.sign('{"name":"Jos\\u00e9 & \\ud83d\\ude80","patch":{"a":"<b>"}}'),
    ],
    ['with \\u escapes, and with spaces', alice.sign('{"name": "Jos\\u00e9 & \\ud83d\\ude80", "patch": {"a": "<b>"}}')],
    ['as Go writes it', alice.sign('{"name":"Jos\u00e9 \\u0026 \u{1f680}","patch":{"a":"\\u003cb\\u003e"}}')],
    ['its length in characters', signDigest(withLength(jose.length))],
    ['its length in characters', signDigest(withLength([...jose].length))],
    ['a line break behind it', alice.sign(`${jose}\r\n`)],
    ['the SHA-256 of the hash', signDigest(createHash('sha256').update(personal(joseBytes)).digest())],
  ])('with letters beyond ASCII is explained: %s', (what, signature) => {
    expect(explain(signature, jose)).toContain(what);
  });

  it('is explained where a wallet has composed letters that stood apart', () => {
    expect(explain(alice.sign(jose), jose.replace('\u00e9', 'e\u0301'))).toContain('the Unicode form NFC');
  });

  it('is not explained where another key signed, another text, or a long one', () => {
    const long = JSON.stringify({ text: 'a'.repeat(5000) });

    expect(explain(anAvatar('mallory').sign(`${text}\n`))).toBeNull();
    expect(explain(alice.sign('something else'))).toBeNull();
    expect(explain(alice.sign(`${long}\n`), long)).toBeNull();
    expect(explain(alice.sign('no JSON\n'), 'no JSON')).toContain('a line break');
  });
});

function withOtherTopBit(signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  bytes[32]! ^= 0x80;
  return bytes.toString('base64');
}

describe('a text that should be a signature', () => {
  const bytes = Buffer.from(good, 'base64');
  const hex = bytes.toString('hex');
  const der = Buffer.from(secp256k1.signatureExport(bytes.subarray(0, 64)));

  it.each([
    ['hex behind 0x', `0x${hex}`, good],
    ['hex in capitals', `0x${hex.toUpperCase()}`, good],
    ['Base64', good, good],
    ['hex without 0x', hex, hex],
    ['0X', `0X${hex}`, `0X${hex}`],
    ['an odd number of digits', `0x${hex}a`, `0x${hex}a`],
    ['0x alone', '0x', '0x'],
    ['nothing', '', ''],
  ])('is made Base64 only where it is hex behind 0x: %s', (_what, given, expected) => {
    expect(signatureAsBase64(given)).toBe(expected);
  });

  it.each([good, compactForm(good), withRecovery(good, (v) => v - 27)])(
    'is left to the key where it has the form: %s',
    (form) => {
      expect(describeMalformedSignature(form)).toBeNull();
    },
  );

  it.each([
    ['the placeholder %SIG_BASE64%, which stands for the signature', 'Sig: %SIG_BASE64%'],
    ['hex of 65 bytes without 0x', hex],
    ['hex of 64 bytes without 0x', hex.slice(0, 128)],
    ['an odd number (131) of hex digits behind 0x', `0x${hex}0`],
    ['Base64 with white space in it', good.replace(/.{60}/, '$&\n')],
    ['Base64 without its padding (=)', good.replace('=', '')],
    ['Base64 in the URL alphabet (- and _ for + and /)', Buffer.alloc(65, 0xfb).toString('base64url')],
    ['Base64 in the URL alphabet (- and _ for + and /)', `${Buffer.alloc(65, 0xfb).toString('base64url')}=`],
    ['not Base64 (standard alphabet, with padding), a text of 5 characters', 'hello'],
    ['not Base64 (standard alphabet, with padding), a text of 5 characters', 'QU=FB'],
    ['not Base64 (standard alphabet, with padding), a text of 7 characters', '.0x1234'],
    ['not Base64 (standard alphabet, with padding), a text of 7 characters', '0x1234.'],
    ['not Base64 (standard alphabet, with padding), a text of 1024 characters', '.'.repeat(1024)],
    ['a text of 1025 characters', '.'.repeat(1025)],
    ['a text of 1000001 characters', `${'='.repeat(1_000_000)}x`],
    ['0 bytes', ''],
    ['1 byte', 'AA=='],
    ['32 bytes', Buffer.alloc(32, 1).toString('base64')],
    [`${der.length} bytes in DER form; r, s and v are expected one behind the other`, der.toString('base64')],
    ...[67, 68, 72, 73].map((size) => [derOf(size), Buffer.alloc(size, 0x30).toString('base64')] as [string, string]),
    ['70 bytes', Buffer.alloc(70, 0x31).toString('base64')],
    ['65 bytes whose last one, v, is 38; 27 or 28 (or 0 or 1) is expected', withRecovery(good, () => 38)],
    ['hex behind 0X; 0x, with a small letter, is expected', `0X${hex}`],
    [
      '65 bytes with v (31) in front, as Bitcoin has it; r, s and v are expected in this order',
      Buffer.concat([Uint8Array.of(31), bytes.subarray(0, 63), Uint8Array.of(158)]).toString('base64'),
    ],
    ['65 bytes with an impossible r or s', Buffer.alloc(65).toString('base64')],
    ['64 bytes with an impossible r or s', Buffer.alloc(64, 0xff).toString('base64')],
  ])('is named: %s', (what, given) => {
    expect(describeMalformedSignature(given)).toBe(what);
  });

  it('is described as Base64 alone where a wallet may choose its form', () => {
    expect(describeMalformedBase64('?')).toContain('not Base64');
    expect([isBareHex('ab'.repeat(32)), isBareHex('abcd')]).toEqual([true, false]);
  });
});

describe('a mistake', () => {
  const lineBreak = 'the text with a line break behind it';

  it('is found over a text that is not JSON too', () => {
    expect(explain(alice.sign('not JSON\n'), 'not JSON')).toBe(lineBreak);
  });

  it('is looked for in texts of up to 4 KiB', () => {
    const [longest, tooLong] = ['x'.repeat(4096), 'x'.repeat(4097)];

    expect(explain(alice.sign(`${longest}\n`), longest)).toBe(lineBreak);
    expect(explain(alice.sign(`${tooLong}\n`), tooLong)).toBeNull();
  });

  it('is never found in what no key has signed, whoever is asked for', () => {
    expect(explainMistake(text, Buffer.alloc(65), () => true)).toBeNull();
  });
});
