/** Signatures of keys of Nostr: the vectors of BIP-340, and events that are composed. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bech32, bech32m } from '@scure/base';
import { linkPayload } from '@signet/verify';
import { decodeNpub, encodeNpub } from '@signet/verify/internal/signatures';
import { accepted, alice, base64, hex, mallory, refused, uuidOf, wallet } from './people.mjs';

/** @import { Expected } from './types.d.ts' */

/** https://github.com/bitcoin/bips, bip-0340/test-vectors.csv, in the order of its lines. */
export function bip340() {
  const file = new URL('../../test/vectors/bip340.csv', import.meta.url);
  const [, ...rows] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  return {
    description:
      'Schnorr signatures on secp256k1: the test vectors of BIP-340 (bitcoin/bips, bip-0340/test-vectors.csv; BSD-2-Clause, MIT or CC0). All is hex.',
    vectors: rows.map((row) => {
      const [index, , key, , message, signature, result, comment] = row.split(',');
      return {
        id: `bip340-${index}`,
        ...(comment && { comment }),
        public_key: key.toLowerCase(),
        message: message.toLowerCase(),
        signature: signature.toLowerCase(),
        expected: result === 'TRUE' ? accepted() : refused(['signature']),
      };
    }),
  };
}

/** The second signatures of bindings of keys of Nostr. */
export function nostr() {
  const key = keyOf(wallet.npub);
  /** @param {string} id @param {object} [fields] */
  const textOf = (id, fields = {}) =>
    linkPayload({
      ...{ action: 'create', avatar: alice.avatar, created_at: '1718000000', platform: 'nostr', prev: null },
      ...{ identity: wallet.npub, uuid: uuidOf(id) },
      ...fields,
    });
  const text = textOf('nostr');
  const signature = signedEvent(text);
  /** @param {string} id @param {string} wallet_signature @param {Expected} expected @param {object} [more] */
  const vector = (id, wallet_signature, expected, more = {}) => ({
    ...{ id, platform: 'nostr', identity: wallet.npub, text, extra: { wallet_signature } },
    ...more,
    expected,
  });
  /** @param {string} id @param {string} written @param {object} [more] */
  const good = (id, written, more) => vector(id, written, accepted(), more);
  /** @param {string} id @param {string} written @param {object} [more] */
  const bad = (id, written, more) => vector(id, written, refused(['wallet_signature']), more);
  /** A signature over another event, which programs of Nostr make with `JSON.stringify`. @param {object} change */
  const over = (change) => hex(wallet.signId(eventId(key, text, change)));
  const otherTime = textOf('nostr at 0', { created_at: '0' });
  const quoted = textOf('nostr with quotes', { uuid: 'a "quoted" \\ \u2028 \u007f 😀' });
  const words = bech32.toWords(key);
  // 52 letters have four bits more than 32 bytes.
  const padded = [...words.slice(0, -1), Number(words.at(-1)) | 1];
  const upper = (/** @type {string} */ letter) => letter.toUpperCase();
  const spaced = `${text}\n\r\t`;
  const notOnCurve = 'eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34';
  return [
    good('nostr-hex', hex(signature)),
    good('nostr-hex-in-capitals', hex(signature).toUpperCase()),
    good('nostr-hex-behind-0x', `0x${hex(signature)}`),
    good('nostr-base64', base64(signature)),
    good('nostr-at-time-0', hex(signedEvent(otherTime)), { text: otherTime }),
    good('nostr-quotes-and-scripts', hex(signedEvent(quoted)), { text: quoted }),
    bad('nostr-of-another-key', hex(mallory.signId(eventId(key, text)))),
    bad('nostr-another-kind', over({ kind: 22242 })),
    bad('nostr-a-tag', over({ tags: [['client', 'signet']] })),
    bad('nostr-another-time', over({ created_at: 1718000001 })),
    bad('nostr-another-content', over({ content: `${text} ` })),
    bad('nostr-another-pubkey', over({ pubkey: hex(keyOf(mallory.npub)) })),
    bad('nostr-escaped-unicode', over({ content: text.replace('n', '\\u006e') })),
    bad('nostr-over-the-text-itself', hex(wallet.signId(createHash('sha256').update(text).digest()))),
    bad('nostr-63-bytes', base64(signature.subarray(0, 63))),
    bad('nostr-65-bytes', `${hex(signature)}00`),
    bad('nostr-base64-without-padding', base64(signature).replaceAll('=', '')),
    bad('nostr-r-of-another-parity', hex(changed(signature, 31))),
    bad('nostr-s-changed', hex(changed(signature, 63))),
    bad('nostr-missing', ''),
    bad('nostr-identity-in-capitals', hex(signature), { identity: wallet.npub.toUpperCase() }),
    bad('nostr-identity-in-hex', hex(signature), { identity: hex(key) }),
    bad('nostr-identity-with-a-wrong-checksum', hex(signature), {
      identity: `${wallet.npub.slice(0, -1)}${wallet.npub.endsWith('q') ? 'p' : 'q'}`,
    }),
    bad('nostr-identity-with-the-checksum-of-bech32m', hex(signature), {
      identity: bech32m.encodeFromBytes('npub', key),
    }),
    bad('nostr-identity-with-bits-behind-the-key', hex(signature), { identity: bech32.encode('npub', padded) }),
    bad('nostr-identity-with-one-capital', hex(signature), {
      identity: wallet.npub.replace(/[a-z]$|[a-z](?=\d*$)/, upper),
    }),
    bad('nostr-identity-with-another-prefix', hex(signature), { identity: bech32.encodeFromBytes('note', key) }),
    bad('nostr-identity-of-a-byte-more', hex(signature), {
      identity: bech32.encodeFromBytes('npub', Buffer.of(...key, 0)),
    }),
    bad('nostr-identity-of-another-key', hex(signature), { identity: mallory.npub }),
    bad('nostr-identity-that-is-empty', hex(signature), { identity: '' }),
    bad('nostr-identity-off-the-curve', hex(signature), { identity: encodeNpub(Buffer.from(notOnCurve, 'hex')) }),
    bad('nostr-text-without-a-time', hex(wallet.signId(eventId(key, '{}'))), { text: '{}' }),
    bad('nostr-time-as-a-number', over({}), { text: text.replace('"1718000000"', '1718000000') }),
    bad('nostr-time-with-a-fraction', over({}), { text: text.replace('"1718000000"', '"1718000000.0"') }),
    good('nostr-white-space-behind-the-json', hex(signedEvent(spaced)), { text: spaced }),
  ];
}

/** @param {string} npub */
function keyOf(npub) {
  return /** @type {Uint8Array} */ (decodeNpub(npub));
}

/** @param {string} text */
function signedEvent(text) {
  return wallet.signId(eventId(keyOf(wallet.npub), text, { created_at: Number(JSON.parse(text).created_at) }));
}

/**
 * The id of an event as programs of Nostr compute it.
 * @param {Uint8Array} key
 * @param {string} content
 * @param {object} [change]
 */
function eventId(key, content, change = {}) {
  const event = { pubkey: hex(key), created_at: 1718000000, kind: 26743, tags: [], content, ...change };
  const { pubkey, created_at, kind, tags, content: said } = event;
  return createHash('sha256')
    .update(JSON.stringify([0, pubkey, created_at, kind, tags, said]))
    .digest();
}

/**
 * @param {Uint8Array} signature
 * @param {number} at
 */
function changed(signature, at) {
  return signature.map((byte, index) => (index === at ? byte ^ 1 : byte));
}
