/** Keys, payload texts, signatures and wallets. */
import { createHash } from 'node:crypto';
import { encodeBase58, linkPayload, patchPayload, personalDigest } from '@signet/verify';
import { rewrittenJson, utf8 } from '@signet/verify/internal';
import { rebuildableMessages } from '@signet/verify/internal/signatures';
import { nostr } from './nostr.mjs';
import {
  accepted,
  alice,
  base64,
  forms,
  hex,
  mallory,
  person,
  refused,
  START,
  torsionWallet,
  uuidOf,
  wallet,
} from './people.mjs';

/** @import { Expected } from './types.d.ts' */

const { avatar, uncompressed, address } = alice;

/** Keys in every spelling. */
export function keys() {
  const facts = { compressed: avatar, uncompressed, address };
  /** @param {string} id @param {string} text @param {object} [more] */
  const good = (id, text, more = {}) => ({ id, text, ...more, expected: accepted(facts) });
  /** @param {string} id @param {string} text @param {string} reason */
  const bad = (id, text, reason) => ({ id, text, expected: refused([reason]) });
  const x = avatar.slice(4);
  const y = uncompressed.slice(68);
  /** @param {string} text */
  const capital = (text) => `0x${text.slice(2).toUpperCase()}`;
  const bob = person('bob');
  return {
    description:
      'Public keys of Avatars in every spelling. `without_0x`: the two POSTs of the key-value service, which take keys without 0x as well.',
    vectors: [
      good('compressed', avatar),
      good('uncompressed', uncompressed),
      good('compressed-capitals', capital(avatar)),
      good('uncompressed-capitals', capital(uncompressed)),
      good('compressed-mixed-case', `0x${[...avatar.slice(2)].map((c, i) => (i % 2 ? c.toUpperCase() : c)).join('')}`),
      good('compressed-without-0x-where-allowed', avatar.slice(2), { without_0x: true }),
      good('uncompressed-without-0x-where-allowed', uncompressed.slice(2), { without_0x: true }),
      good('with-0x-where-it-may-be-missing', avatar, { without_0x: true }),
      {
        id: 'another-key-with-the-other-parity',
        text: bob.avatar,
        expected: accepted({ compressed: bob.avatar, uncompressed: bob.uncompressed, address: bob.address }),
      },
      bad('compressed-without-0x', avatar.slice(2), 'key_form'),
      bad('uncompressed-without-0x', uncompressed.slice(2), 'key_form'),
      bad('capital-0X', `0X${avatar.slice(2)}`, 'key_form'),
      bad('empty', '', 'key_form'),
      bad('only-0x', '0x', 'key_form'),
      bad('one-digit-short', avatar.slice(0, -1), 'key_form'),
      bad('one-byte-short', avatar.slice(0, -2), 'key_form'),
      bad('one-byte-long', `${avatar}00`, 'key_form'),
      bad('64-bytes-without-their-prefix', `0x${x}${y}`, 'key_form'),
      bad('not-hex', `0x02${'g'.repeat(64)}`, 'key_form'),
      bad('blank-in-front', ` ${avatar}`, 'key_form'),
      bad('line-break-behind', `${avatar}\n`, 'key_form'),
      bad('an-address', address, 'key_form'),
      bad('base64', base64(Buffer.from(avatar.slice(2), 'hex')), 'key_form'),
      bad('prefix-05', `0x05${x}`, 'key_point'),
      bad('prefix-04-with-33-bytes', `0x04${x}`, 'key_point'),
      bad('prefix-02-with-65-bytes', `0x02${x}${y}`, 'key_point'),
      bad('hybrid-06', `0x06${x}${y}`, 'key_point'),
      bad('hybrid-07', `0x07${x}${y}`, 'key_point'),
      bad('zero', `0x${'0'.repeat(66)}`, 'key_point'),
      bad('x-without-a-point', `0x02${'0'.repeat(63)}5`, 'key_point'),
      bad('x-at-the-prime', '0x02fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f', 'key_point'),
      bad('x-above-the-prime', `0x02${'f'.repeat(64)}`, 'key_point'),
      bad('y-of-another-point', `0x04${x}${bob.uncompressed.slice(68)}`, 'key_point'),
    ],
  };
}

const LINK = { action: 'create', avatar, created_at: '1718000000', identity: 'alice', platform: 'github', prev: null };
const PATCH = { avatar, created_at: START, identity: 'alice', platform: 'github', prev: null };

/** Fields and the text that is signed for them. */
export function payloads() {
  /** @param {string} id @param {object} fields */
  const link = (id, fields) => textOf(id, 'link', JSON.stringify({ ...LINK, uuid: uuidOf(id), ...fields }));
  /** @param {string} id @param {string} json @param {object} [more] */
  const patch = (id, json, more = {}) => {
    const fields = JSON.stringify({ ...PATCH, uuid: uuidOf(id), ...more });
    return textOf(id, 'patch', `${fields.slice(0, -1)},"patch":${json}}`);
  };
  /** @param {string} id @param {string} json */
  const bad = (id, json) => ({
    id,
    kind: 'patch',
    fields_json: `${JSON.stringify({ ...PATCH, uuid: uuidOf(id) }).slice(0, -1)},"patch":${json}}`,
    expected: refused(['json']),
  });
  /** @param {number} levels */
  const deep = (levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  return {
    description:
      'The texts that Avatars sign. `fields_json` is JSON with the fields; `text` is their canonical JSON (RFC 8785), `rewritten` what JavaScript makes of it, and `digest` the 32 bytes that personal_sign signs, in hex.',
    vectors: [
      link('link', {}),
      link('link-behind-another', { prev: alice.sign('before') }),
      link('link-delete', { action: 'delete' }),
      link('link-outside-ascii', { identity: 'zoë-𝒳-例え', platform: 'activitypub' }),
      link('link-with-escapes', { identity: '"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028\u2029' }),
      link('link-with-other-members', { proof_location: '1', extra: {}, admin: true }),
      patch('patch', '{"name":"Alice"}'),
      patch('patch-empty', '{}'),
      patch('patch-deletes', '{"name":null,"a":{"b":null}}'),
      patch('patch-white-space-and-order', ' { "b" : [ 1 , { "d" : 2 , "c" : 3 } ] ,\n "a" : true } '),
      patch('patch-numbers-of-one-value', '{"a":1.0,"b":1e0,"c":10e-1,"d":-0,"e":0.0,"f":-0.0}'),
      patch(
        'patch-large-numbers',
        '{"a":1e20,"b":1e21,"c":123456789012345678901,"d":9007199254740993,"e":1.7976931348623157e308}',
      ),
      patch('patch-small-numbers', '{"a":0.000001,"b":0.0000001,"c":5e-324,"d":1e-400,"e":-1.5e-9}'),
      patch(
        'patch-shortest-digits',
        '{"a":0.1,"b":0.30000000000000004,"c":1e23,"d":4.35,"e":333333333.33333329,"f":2e-3,"g":9.5367431640625e-7}',
      ),
      patch(
        'patch-names-in-utf-16-order',
        '{"\\ufb33":1,"\\ud83d\\ude00":2,"\\u20ac":3,"\\r":4,"1":5,"\\u0080":6,"\\u00f6":7}',
      ),
      patch('patch-names-of-javascript', '{"__proto__":{"x":1},"constructor":1,"toJSON":2,"":3}'),
      patch('patch-of-two-members-with-one-name', '{"a":1,"b":2,"a":3}'),
      patch(
        'patch-with-names-like-numbers',
        '{"10":1,"9":2,"b":3,"a":{"2":1,"10":2,"x":[{"1":1,"0":2,"01":3}]},"-1":4,"1.5":5,"00":6}',
      ),
      patch('patch-with-the-largest-array-index', '{"4294967294":1,"4294967295":2,"4294967296":3,"5":4}'),
      patch('patch-250-deep', deep(250)),
      bad('patch-half-a-surrogate-pair', '{"a":"\\ud83d"}'),
      bad('patch-half-a-surrogate-pair-in-a-name', '{"\\ude00":1}'),
      bad('patch-number-out-of-range', '{"a":1e400}'),
      bad('patch-300-deep', deep(300)),
      bad('patch-not-a-number', '{"a":NaN}'),
      bad('patch-with-a-comma-too-many', '{"a":1,}'),
      bad('patch-with-a-raw-control-character', '{"a":"\u0001"}'),
    ],
  };
}

/** @param {string} id @param {string} kind @param {string} json */
function textOf(id, kind, json) {
  const fields = JSON.parse(json);
  const text = kind === 'link' ? linkPayload(fields) : patchPayload(fields);
  const digest = hex(personalDigest(text));
  return { id, kind, fields_json: json, expected: accepted({ text, rewritten: rewrittenJson(text), digest }) };
}

/** Signatures of an Avatar as they come in requests. */
export function signatures() {
  const text = linkPayload({ ...LINK, uuid: uuidOf('signatures') });
  const signature = alice.sign(text);
  const bytes = Buffer.from(signature, 'base64');
  const compact = forms.compact(signature);
  const highS = forms.highS(signature);
  /** @param {number} v */
  const other = (v) => 55 - v;
  /** @param {Uint8Array} changed */
  const from = (changed) => base64(changed);
  /** @param {string} id @param {string} written @param {Expected} expected @param {object} [more] */
  const vector = (id, written, expected, more = {}) => ({ id, text, avatar, signature: written, ...more, expected });
  /** @param {string} id @param {string} written @param {object} [more] */
  const good = (id, written, more) => {
    const digits = /^0x([0-9a-f]+)$/i.exec(written)?.[1];
    const stored = digits ? base64(Buffer.from(digits, 'hex')) : written;
    return vector(id, written, accepted({ stored }), more);
  };
  /** @param {string} id @param {string} written */
  const form = (id, written) => vector(id, written, refused(['signature_form']));
  /** @param {string} id @param {string} written @param {object} [more] */
  const wrong = (id, written, more) => vector(id, written, refused(['signature']), more);
  /** @param {string} digits */
  const number = (digits) => Buffer.from(digits.padStart(64, '0'), 'hex');
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
  const parts = { r: bytes.subarray(0, 32), s: bytes.subarray(32, 64), v: bytes.subarray(64) };
  /** @param {{ r?: Uint8Array, s?: Uint8Array, v?: Uint8Array }} changes */
  const of = (changes) => from(Buffer.concat(Object.values({ ...parts, ...changes })));
  return {
    description:
      'Signatures of an Avatar over a text, as they come in requests: Base64, or 0x and hex. `stored` is what is stored and answered. In links and patches signatures are Base64 only.',
    vectors: [
      good('base64', signature),
      good('hex-behind-0x', `0x${bytes.toString('hex')}`),
      good('hex-in-capitals', `0x${bytes.toString('hex').toUpperCase()}`),
      good('v-0-or-1', from(forms.withV(signature, (v) => v - 27))),
      good('high-s', from(highS)),
      good('high-s-hex', `0x${highS.toString('hex')}`),
      good('high-s-v-0-or-1', from(forms.withV(base64(highS), (v) => v - 27))),
      good('eip-2098', from(compact)),
      good('eip-2098-hex', `0x${compact.toString('hex')}`),
      good('text-outside-ascii', alice.sign('{"zoë":"𝒳"}'), { text: '{"zoë":"𝒳"}' }),
      good('empty-text', alice.sign(''), { text: '' }),
      wrong('wrong-recovery-byte', from(forms.withV(signature, other))),
      wrong('high-s-with-the-old-recovery-byte', from(forms.withV(base64(highS), other))),
      wrong('eip-2098-with-the-other-parity', from(compact.map((byte, at) => (at === 32 ? byte ^ 0x80 : byte)))),
      wrong('of-another-key', mallory.sign(text)),
      wrong('over-another-text', alice.sign(`${text} `)),
      wrong('over-the-text-without-its-prefix', alice.sign(createHash('sha256').update(text).digest('hex'))),
      wrong('for-another-avatar', signature, { avatar: mallory.avatar }),
      wrong('one-bit-changed-in-s', of({ s: parts.s.map((byte, at) => (at === 31 ? byte ^ 1 : byte)) })),
      wrong('r-without-a-point', of({ r: number('5') })),
      form('empty', ''),
      form('only-0x', '0x'),
      form('63-bytes', from(compact.subarray(0, 63))),
      form('66-bytes', from(Buffer.concat([bytes, Buffer.of(0)]))),
      form('v-2', from(forms.withV(signature, () => 2))),
      form('v-26', from(forms.withV(signature, () => 26))),
      form('v-29', from(forms.withV(signature, () => 29))),
      form('v-37-of-eip-155', from(forms.withV(signature, (v) => v + 10))),
      form('r-zero', of({ r: number('0') })),
      form('s-zero', of({ s: number('0') })),
      form('r-is-the-order', of({ r: number(order) })),
      form('s-is-the-order', of({ s: number(order) })),
      form('s-above-the-order', of({ s: Buffer.alloc(32, 0xff) })),
      form(
        'der',
        '0x3045022100f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d383670220019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
      ),
      form('hex-without-0x', bytes.toString('hex')),
      form('hex-with-an-odd-digit', `0x${bytes.toString('hex').slice(1)}`),
      form('base64-without-padding', signature.replace(/=+$/, '')),
      form('base64url', 'A-_'.repeat(28) + 'A-_A'),
      form('base64-with-a-line-break', `${signature}\n`),
      form('base64-with-a-blank', `${signature.slice(0, 40)} ${signature.slice(40)}`),
      form('base64-with-stray-bits', strayBits(signature)),
      form('placeholder', '%SIG_BASE64%'),
    ],
  };
}

/**
 * A Base64 text that decodes to the same bytes, with unused bits at its end that are not zero.
 * @param {string} signature
 */
function strayBits(signature) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return `${signature.slice(0, -2)}${letters[letters.indexOf(signature.slice(-2, -1)) + 1]}=`;
}

/** The second signatures of wallet bindings. */
export function wallets() {
  const text = linkPayload({ ...LINK, platform: 'ethereum', identity: wallet.address, uuid: uuidOf('wallets') });
  const signature = wallet.sign(text);
  const bytes = Buffer.from(signature, 'base64');
  const contract = { wallet_signature: base64(Buffer.alloc(130, 7)), chain_id: 1, block_number: 24_000_000 };
  /** @param {string} id @param {object} extra @param {Expected} expected @param {object} [more] */
  const ethereum = (id, extra, expected, more = {}) => ({
    ...{ id, platform: 'ethereum', identity: wallet.address, text, extra },
    ...more,
    expected,
  });
  /** @param {string} id @param {string} wallet_signature */
  const good = (id, wallet_signature) => ethereum(id, { wallet_signature }, accepted());
  /** @param {string} id @param {object} extra @param {object} [more] */
  const bad = (id, extra, more) => ethereum(id, extra, refused(['wallet_signature']), more);
  /** @param {string} id @param {object} extra @param {object} [more] */
  const open = (id, extra, more) => ethereum(id, extra, accepted({}, ['wallet_signature']), more);
  const inCapitals = { identity: wallet.address.toUpperCase().replace('0X', '0x') };
  return {
    description:
      'Second signatures of wallet bindings: `extra` of a link over `text`. ERC-1271 signatures of contract wallets are not checkable without their blockchain.',
    vectors: [
      good('ethereum-base64', signature),
      good('ethereum-hex', `0x${bytes.toString('hex')}`),
      good('ethereum-v-0-or-1', base64(forms.withV(signature, (v) => v - 27))),
      good('ethereum-eip-2098', base64(forms.compact(signature))),
      good('ethereum-high-s', base64(forms.highS(signature))),
      ethereum('ethereum-with-chain-id-and-its-own-key', { wallet_signature: signature, chain_id: 1 }, accepted()),
      open('erc-1271', contract),
      open('erc-1271-of-a-key-of-its-owner', { ...contract, wallet_signature: mallory.sign(text) }),
      open('erc-1271-approved-on-chain-without-bytes', { ...contract, wallet_signature: '0x' }),
      open('erc-1271-with-chain-id-null', { ...contract, chain_id: null }),
      open('erc-1271-over-an-empty-text', contract, { text: '' }),
      bad('erc-1271-of-an-empty-identity', contract, { identity: '' }),
      bad('erc-1271-of-a-name', contract, { identity: 'alice.eth' }),
      bad('erc-1271-of-19-bytes', contract, { identity: wallet.address.slice(0, -2) }),
      bad('erc-1271-of-an-address-with-capitals', contract, inCapitals),
      bad('erc-1271-without-chain-id', { wallet_signature: contract.wallet_signature }),
      bad('erc-1271-whose-signature-is-no-text-of-bytes', { ...contract, wallet_signature: 'approved!' }),
      bad('ethereum-missing', {}),
      bad('ethereum-empty', { wallet_signature: '' }),
      bad('ethereum-not-a-text', { wallet_signature: 7 }),
      bad('ethereum-of-another-wallet', { wallet_signature: mallory.sign(text) }),
      bad('ethereum-over-another-text', { wallet_signature: wallet.sign(`${text} `) }),
      bad('ethereum-wrong-recovery-byte', { wallet_signature: base64(forms.withV(signature, (v) => 55 - v)) }),
      bad('ethereum-address-with-capitals', { wallet_signature: signature }, inCapitals),
      ...solana(),
      ...nostr(),
    ],
  };
}

function solana() {
  const identity = wallet.solana;
  const text = linkPayload({ ...LINK, platform: 'solana', identity, uuid: uuidOf('solana') });
  const messages = rebuildableMessages(utf8(text), wallet.solanaKey);
  /** @param {string} id @param {object} extra @param {Expected} expected @param {object} [more] */
  const vector = (id, extra, expected, more = {}) => ({
    id,
    platform: 'solana',
    identity,
    text,
    extra,
    expected,
    ...more,
  });
  /** @param {Uint8Array} message */
  const signed = (message) => encodeBase58(wallet.signBytes(message));
  /** @param {string} id @param {string} wallet_signature @param {object} [more] */
  const good = (id, wallet_signature, more = {}) => vector(id, { wallet_signature, ...more }, accepted());
  /** @param {string} id @param {object} extra @param {object} [more] */
  const bad = (id, extra, more) => vector(id, extra, refused(['wallet_signature']), more);
  const plain = Buffer.from(wallet.signBytes(messages[0]));
  const site = Uint8Array.from(messages[1]);
  site.fill(7, 17, 49);
  const longText = Uint8Array.from(messages[1]);
  longText[49] = 2;
  const forTwo = Buffer.concat([messages[1].subarray(0, 50), Buffer.of(2), messages[1].subarray(51)]);
  /** @param {string} id @param {boolean} isValid @param {Expected} expected */
  const ofTorsion = (id, isValid, expected) => {
    const { solana: key } = torsionWallet;
    const own = linkPayload({ ...LINK, platform: 'solana', identity: key, uuid: uuidOf(id) });
    const wallet_signature = encodeBase58(torsionWallet.sign(utf8(own), isValid));
    return vector(id, { wallet_signature }, expected, { identity: key, text: own });
  };
  return [
    good('solana-base58', signed(messages[0])),
    good('solana-base64', base64(plain)),
    good('solana-hex', plain.toString('hex')),
    good('solana-hex-behind-0x', `0x${plain.toString('hex')}`),
    good('solana-off-chain-message-version-0', signed(messages[1])),
    good('solana-off-chain-message-version-0-without-domain', signed(messages[2])),
    good('solana-off-chain-message-version-1', signed(messages[3])),
    good('solana-message-for-a-site', signed(site), { wallet_message: base64(site) }),
    good('solana-message-in-hex', signed(site), { wallet_message: `0x${hex(site)}` }),
    good('solana-message-of-another-format', signed(longText), { wallet_message: base64(longText) }),
    bad('solana-message-for-a-site-left-out', { wallet_signature: signed(site) }),
    bad('solana-message-for-two-signers', { wallet_signature: signed(forTwo), wallet_message: base64(forTwo) }),
    bad('solana-message-with-another-text', {
      wallet_signature: signed(utf8('pay')),
      wallet_message: base64(utf8('pay')),
    }),
    bad('solana-empty-identity', { wallet_signature: signed(messages[0]) }, { identity: '' }),
    bad('solana-of-another-wallet', { wallet_signature: encodeBase58(mallory.signBytes(messages[0])) }),
    bad('solana-63-bytes', { wallet_signature: base64(plain.subarray(0, 63)) }),
    bad('solana-s-not-below-the-order', { wallet_signature: base64(plus(plain)) }),
    ofTorsion('solana-key-with-a-part-of-small-order', true, accepted()),
    ofTorsion('solana-valid-with-the-cofactor-alone', false, refused(['wallet_signature'])),
    bad(
      'solana-key-of-small-order',
      { wallet_signature: encodeBase58(Uint8Array.of(1, ...new Uint8Array(63))) },
      { identity: '11111111111111111111111111111111' },
    ),
  ];
}

/**
 * An ed25519 signature with the order of the group added to its S, which lenient libraries accept.
 * @param {Uint8Array} signature
 */
function plus(signature) {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()]);
}
