import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { schnorr } from '@noble/curves/secp256k1.js';
import { bech32, bech32m } from '@scure/base';
import { decodeHex, encodeBase64, encodeHex, nobleBip340, nobleCurves, verifyWallet } from '../src/index.js';
import { holdsPrivateKey } from '../src/internal/internal.js';
import { decodeNsec, decodeNpub, encodeNpub, nostrEventId, signatureOfEvent } from '../src/internal/signatures.js';

/** NIP-19, "Bare keys and ids" and its examples. */
const NPUB = 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg';
const NPUB_HEX = '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e';
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';
const NSEC_HEX = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa';

const WORDS = `${'abandon '.repeat(11)}about`;

const secret = new Uint8Array(createHash('sha256').update('a key of Nostr').digest());
const key = schnorr.getPublicKey(secret);
const npub = encodeNpub(key);
const text = '{"action":"create","created_at":"1718000000","identity":"ünï \\"quoted\\" \\\\","platform":"nostr"}';

/** The signed event as programs of Nostr make it, changed before it is signed. */
function eventOf(content: string, change: Record<string, unknown> = {}) {
  const event = { pubkey: encodeHex(key), created_at: 1718000000, kind: 26743, tags: [], content, ...change };
  const id = createHash('sha256')
    .update(JSON.stringify([0, event.pubkey, event.created_at, event.kind, event.tags, event.content]))
    .digest('hex');
  return { ...event, id, sig: encodeHex(schnorr.sign(decodeHex(id)!, secret)) };
}

/** The letters of a key, with a bit set behind its 256. */
function paddedWords(hex: string): number[] {
  const words = bech32.toWords(decodeHex(hex)!);
  return [...words.slice(0, -1), words.at(-1)! | 1];
}

const stateOf = (wallet_signature: string, change: object = {}) =>
  verifyWallet({ platform: 'nostr', identity: npub, text, extra: { wallet_signature }, ...change }).state;

describe('BIP-340', () => {
  const [, ...rows] = readFileSync(new URL('../../../test/vectors/bip340.csv', import.meta.url), 'utf8')
    .trim()
    .split(/\r?\n/);

  it.each(rows.map((row) => row.split(',')))(
    'says of its own vector %s what it expects',
    (_index, _secret, publicKey, _random, message, signature, expected) => {
      const [keyBytes, messageBytes, bytes] = [publicKey, message, signature].map((hex) => decodeHex(hex!)!);

      expect(nobleBip340.verify(messageBytes!, bytes!, keyBytes!)).toBe(expected === 'TRUE');
    },
  );

  it('has 19 vectors, 9 of them good', () => {
    expect(rows).toHaveLength(19);
    expect(rows.filter((row) => row.includes(',TRUE,'))).toHaveLength(9);
  });

  it('refuses keys and signatures of another length, and throws nothing', () => {
    const [message, signature] = [new Uint8Array(32), new Uint8Array(64)];

    expect(nobleBip340.verify(message, signature, new Uint8Array(33))).toBe(false);
    expect(nobleBip340.verify(message, new Uint8Array(63), key)).toBe(false);
    expect(nobleBip340.verify(message, signature, key)).toBe(false);
  });
});

describe('a key of Nostr', () => {
  it('is read and written as NIP-19 has it', () => {
    expect(encodeHex(decodeNpub(NPUB)!)).toBe(NPUB_HEX);
    expect(encodeNpub(decodeHex(NPUB_HEX)!)).toBe(NPUB);
    expect(encodeHex(decodeNsec(NSEC)!)).toBe(NSEC_HEX);
  });

  it.each([
    ['a wrong checksum', `${NPUB.slice(0, -1)}q`],
    ['capitals', NPUB.toUpperCase()],
    ['one capital among small letters', NPUB.replace(/.$/, 'G')],
    ['the checksum of Bech32m', bech32m.encodeFromBytes('npub', decodeHex(NPUB_HEX)!)],
    ['bits behind the key that are not zero', bech32.encode('npub', paddedWords(NPUB_HEX))],
    ['another prefix', bech32.encodeFromBytes('note', decodeHex(NPUB_HEX)!)],
    ['a letter that Bech32 does not have', NPUB.replace('e', 'b')],
    ['a letter too few', NPUB.slice(0, -1)],
    ['a letter too many', `${NPUB}q`],
    ['a private key', NSEC],
    ['hex', NPUB_HEX],
    ['nothing', ''],
  ])('is not %s', (_what, written) => {
    expect(decodeNpub(written)).toBeNull();
    if (written !== NSEC) expect(decodeNsec(written)).toBeNull();
  });
});

describe('a private key in a text', () => {
  it.each([
    ...[NSEC, NSEC.toUpperCase(), `nostr:${NSEC}`, `my key: ${NSEC}.`, NSEC.slice(0, -18)],
    ...[WORDS, ` ${WORDS.toUpperCase()}\n`, WORDS.replaceAll(' ', '  '), `${WORDS} ${WORDS}`],
  ])('is found: %s', (text) => {
    expect(holdsPrivateKey(text)).toBe(true);
  });

  it.each([
    ...[NPUB, 'nsec1', 'nsec1alice.example.org', NSEC.slice(0, 30), ''],
    ...[WORDS.replace('about', ''), `${WORDS} zoo`, `{"text":"${WORDS}"}`, WORDS.replace('about', 'a.bit')],
    // Lists of names.
    ...[WORDS.replaceAll(' ', ','), WORDS.replaceAll(' ', ', ')],
  ])('is none: %s', (text) => {
    expect(holdsPrivateKey(text)).toBe(false);
  });
});

describe('the event that a key of Nostr signs', () => {
  it('has the id that programs of Nostr compute, with quotes, backslashes and other scripts in its content', () => {
    expect(encodeHex(nostrEventId(text, key)!)).toBe(eventOf(text).id);
  });

  it.each([
    ['line ends and tabs', '\n\r\t\b\f'],
    ['characters that NIP-01 leaves as they are', '\u007f\u2028\u2029/<>&€😀'],
  ])('escapes %s as NIP-01 does', (_what, letters) => {
    // White space around the JSON is part of the content.
    const written = `${text.slice(0, -1)},"more":"${letters.replace(/[\n\r\t\b\f]/g, '')}"} ${letters.replace(/[^\n\r\t]/g, '')}`;

    expect(encodeHex(nostrEventId(written, key)!)).toBe(eventOf(written).id);
  });

  it.each([
    ['no time', '{"action":"create"}'],
    ['a number as its time', '{"created_at":1718000000}'],
    ['a decimal fraction', '{"created_at":"1718000000.5"}'],
    ['a time with a zero in front', '{"created_at":"01718000000"}'],
    ['a time of 13 digits', '{"created_at":"1718000000000"}'],
    ['a negative time', '{"created_at":"-1"}'],
    ['no JSON', 'created_at'],
    ['a NUL in the JSON', '{"created_at":"1718000000","a":"\0"}'],
  ])('is none for a text with %s', (_what, written) => {
    expect(nostrEventId(written, key)).toBeNull();
    expect(stateOf(eventOf(written).sig, { text: written })).toBe('failed');
  });
});

describe('the signature of a key of Nostr', () => {
  const { sig } = eventOf(text);

  it.each([
    ['hex', sig],
    ['hex in capitals', sig.toUpperCase()],
    ['hex behind 0x', `0x${sig}`],
    ['Base64', encodeBase64(decodeHex(sig)!)],
  ])('is accepted in %s', (_form, written) => {
    expect(stateOf(written)).toBe('ok');
  });

  it.each([
    ['another kind', eventOf(text, { kind: 1 }).sig],
    ['a tag', eventOf(text, { tags: [['client', 'x']] }).sig],
    ['another time', eventOf(text, { created_at: 1718000001 }).sig],
    ['another content', eventOf(`${text} `).sig],
    ['another key named', eventOf(text, { pubkey: NPUB_HEX }).sig],
    ['an escape that NIP-01 does not have', eventOf(text.replace('ü', '\\u00fc')).sig],
  ])('does not count over an event with %s', (_what, written) => {
    expect(stateOf(written)).toBe('failed');
  });

  it('does not count over the text itself, and for another key', () => {
    const overText = schnorr.sign(createHash('sha256').update(text).digest(), secret);

    expect(stateOf(encodeHex(overText))).toBe('failed');
    expect(stateOf(sig, { identity: NPUB })).toBe('failed');
  });

  it.each([
    ['63 bytes', sig.slice(2)],
    ['65 bytes', `${sig}00`],
    ['an odd digit', sig.slice(1)],
    ['a digit that is none', `${sig.slice(1)}g`],
    ['100,000 digits', 'a'.repeat(100_000)],
    ['a whole event', JSON.stringify(eventOf(text))],
  ])('is no signature where it is %s', (_what, written) => {
    expect(stateOf(written)).toBe('failed');
  });

  it.each([
    ['an identity in capitals', npub.toUpperCase()],
    ['an identity in hex', encodeHex(key)],
    ['an identity with a wrong checksum', `${npub.slice(0, -1)}${npub.endsWith('q') ? 'p' : 'q'}`],
    ['no identity', ''],
    // Vector 5 of BIP-340: no point has this x.
    [
      'a key that is not on the curve',
      encodeNpub(decodeHex('eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34')!),
    ],
  ])('does not count for %s', (_what, identity) => {
    expect(stateOf(sig, { identity })).toBe('failed');
  });

  it('is not checkable where there is no such curve', () => {
    const claim = { platform: 'nostr', identity: npub, text, extra: { wallet_signature: sig } };
    const { secp256k1, ed25519 } = nobleCurves;

    expect(verifyWallet(claim, { curves: { secp256k1, ed25519 } }).state).toBe('not_checkable');
  });
});

describe('an event that a program of Nostr returns', () => {
  const event = eventOf(text);

  it('gives its signature', () => {
    expect(signatureOfEvent(event, text, npub)).toEqual(decodeHex(event.sig));
  });

  it.each([
    ['another key', eventOf(text, { pubkey: NPUB_HEX }), 'Another key'],
    ['another kind', eventOf(text, { kind: 27235 }), 'kind has to be 26743'],
    ['another time', eventOf(text, { created_at: 1718000000.5 }), 'created_at has to be 1718000000'],
    ['a tag', eventOf(text, { tags: [['alt', 'x']] }), 'without tags'],
    ['no tags at all', eventOf(text, { tags: undefined }), 'without tags'],
    ['another content', eventOf(`${text}\0`), 'content is not exactly'],
    ['another id', { ...event, id: eventOf(`${text} `).id }, 'id is not the hash'],
    ['an id that is no hex', { ...event, id: 'id' }, 'id is not the hash'],
    ['a short signature', { ...event, sig: event.sig.slice(2) }, '64 bytes'],
    ['no signature', { ...event, sig: null }, '64 bytes'],
    ['nothing', null, 'not an event'],
    ['a text', JSON.stringify(event), 'not an event'],
  ])('is refused with %s', (_what, returned, why) => {
    expect(signatureOfEvent(returned, text, npub)).toContain(why);
  });
});
