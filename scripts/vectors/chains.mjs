/** Chains of links: good ones, and each kind of forging with its reason. */
import { erasedChains } from './erased.mjs';
import {
  accepted,
  alice,
  base64,
  byNostr,
  bySolana,
  copyOf,
  forms,
  linksOf,
  mallory,
  refused,
  START,
  uuidOf,
  wallet,
} from './people.mjs';
import { signedChains } from './signed-chains.mjs';

/** @import { ChainVector, ChainVectors, Link, LinkStep } from './types.d.ts' */

const GITHUB = { platform: 'github', identity: 'alice' };
const SOLANA = { platform: 'solana', identity: wallet.solana };
/** @param {number} seconds */
const later = (seconds) => String(START + seconds);

/** Six links: a wallet, an account and another wallet are bound, the account twice, and the first wallet is revoked. */
function sixLinks() {
  const links = linksOf(alice, [
    {},
    GITHUB,
    SOLANA,
    { ...GITHUB, action: 'delete' },
    { ...GITHUB, uuid: uuidOf('bound again') },
    { action: 'delete' },
  ]);
  bySolana(links[2]);
  return links;
}

/** Chains of links. */
export function chains() {
  const links = sixLinks();
  const theirs = linksOf(mallory, [GITHUB, {}]);
  const [one] = linksOf(alice, [GITHUB]);
  const [bound] = linksOf(alice, [{}]);
  const NOSTR = { platform: 'nostr', identity: wallet.npub };
  const byKey = linksOf(alice, [NOSTR]).map(byNostr);
  const [otherByKey] = linksOf(alice, [{ ...NOSTR, uuid: uuidOf('another') }]).map(byNostr);
  /** @param {string} text */
  const inCapitals = (text) => text.replace(alice.avatar, alice.avatar.toUpperCase().replace('0X', '0x'));
  const [signedInCapitals] = linksOf(alice, [{ rewrite: inCapitals }]);
  const capitals = [signedInCapitals];
  const POST = ['post'];
  /** @type {ChainVectors['vector']} */
  const vector = (id, list, expected, more = {}) => ({ id, links: list, ...more, expected });
  /** @type {ChainVectors['good']} */
  const good = (id, list, bindings, open = [], more = {}) =>
    vector(id, list, accepted({ avatar: alice.avatar, bindings: bindings.map(({ uuid }) => uuid) }, open), more);
  /** @type {ChainVectors['bad']} */
  const bad = (id, list, reasons, open = [], more = {}) => vector(id, list, refused(reasons, open), more);
  /**
   * The one link of an account, changed behind its signature.
   * @param {string} id
   * @param {object} change
   * @param {string[]} reasons
   * @param {string[]} [open]
   * @param {Link} [link]
   */
  const changed = (id, change, reasons, open = POST, link = one) =>
    bad(id, [{ ...copyOf(link), ...change }], reasons, open);
  /**
   * The one link of an account, signed anew over a text that was changed.
   * @param {string} id
   * @param {(text: string) => string} rewrite
   * @param {string[]} reasons
   * @param {string[]} [open]
   */
  const resigned = (id, rewrite, reasons, open = POST) =>
    bad(id, linksOf(alice, [{ ...GITHUB, rewrite }]), reasons, open);
  /** @param {LinkStep} step @param {Link[]} [list] */
  const behind = (step, list = links.slice(0, 2)) => [...list, ...linksOf(alice, [step], list.at(-1))];
  const back = behind({ created_at: later(60 - 300) });
  const wrong = behind({ created_at: later(60 - 301) });
  const moved = behind({ created_at: later(-301) })[2];
  const ofNothing = { ...copyOf(theirs[0]), avatar: mallory.avatar, action: 'add' };
  const [unnamed] = linksOf(alice, [{ ...GITHUB, rewrite: (text) => text.replace(/"avatar":"[^"]*",/, '') }]);
  // No point of the curve has the x 5, so no key has made a signature with this r.
  const ofNobody = Buffer.concat([Buffer.alloc(31), Buffer.of(5), Buffer.alloc(31), Buffer.of(1, 27)]);
  const byNobody = linksOf({ ...alice, avatar: '', sign: () => base64(ofNobody) }, [GITHUB]);
  /** @param {Uint8Array} bytes */
  const signedAs = (bytes) => ({ ...copyOf(one), signature: base64(bytes) });
  return {
    description:
      'Chains of links, oldest first, as `GET /v1/proofchain` answers them. `avatar`: the one that is expected. `bindings`: the uuids of the links that made what is bound at the end, in their order.',
    vectors: [
      good('six-links', links, [links[2], links[4]], POST),
      good('six-links-of-the-expected-avatar', links, [links[2], links[4]], POST, { avatar: alice.avatar }),
      vector('no-links', [], accepted({ avatar: '', bindings: [] })),
      // A server that hides a chain answers this, too.
      good('no-links-of-the-expected-avatar', [], [], ['all'], { avatar: alice.avatar }),
      good('a-wallet', [bound], [bound]),
      good('a-key-of-nostr', byKey, byKey),
      bad(
        'a-key-of-nostr-that-signed-another-link',
        [{ ...copyOf(byKey[0]), extra: otherByKey.extra }],
        ['wallet_signature'],
      ),
      good('a-link-that-names-its-avatar', [{ ...bound, avatar: alice.avatar, id: 7 }], [bound]),
      good('bound-twice', behind({ ...GITHUB, uuid: uuidOf('twice') }), [links[0], { uuid: uuidOf('twice') }], POST),
      good('300-seconds-back-in-time', back, [links[1], back[2]], POST),
      good(
        'contract-wallet-erc-1271',
        linksOf(alice, [{ extra: { wallet_signature: base64(Buffer.alloc(100, 9)), chain_id: 1, block_number: 5 } }]),
        [bound],
        ['wallet_signature'],
      ),
      bad('behind-a-link-without-a-shape-that-names-another-avatar', [ofNothing, ...links.slice(0, 1)], ['shape']),
      bad(
        'a-first-link-whose-text-names-no-avatar',
        [unnamed, ...linksOf(alice, [GITHUB], unnamed)],
        ['canonical_text', 'fields', 'signature'],
        POST,
      ),
      bad('a-signature-of-no-key-for-an-empty-avatar', byNobody, ['signature'], POST, { avatar: '' }),
      ...signedChains({ good, bad }, bound),
      ...erasedChains({ vector, good, bad }, links),
      good('signature-v-0-or-1', [signedAs(forms.withV(one.signature, (v) => v - 27))], [one], POST),
      good('signature-high-s', [signedAs(forms.highS(one.signature))], [one], POST),
      good('signature-eip-2098', [signedAs(forms.compact(one.signature))], [one], POST),

      bad('without-its-first-link', links.slice(1), ['prev', 'binding'], POST),
      bad('without-a-link-in-the-middle', links.toSpliced(2, 1), ['prev'], POST),
      bad('without-the-link-that-is-deleted', links.toSpliced(0, 1).slice(0, 5), ['prev', 'binding'], POST),
      bad('two-links-exchanged', [links[0], links[2], links[1], ...links.slice(3)], ['prev'], POST),
      bad('a-link-repeated', [...links.slice(0, 3), links[2], ...links.slice(3)], ['prev', 'uuid'], POST),
      bad('in-reverse-order', [...links].reverse(), ['prev', 'binding'], POST),
      bad(
        'forked',
        [links[0], ...linksOf(alice, [{ ...GITHUB, identity: 'alice2' }], links[0]), links[1]],
        ['prev'],
        POST,
      ),
      bad('a-link-of-somebody-else', [...links, theirs[0]], ['fields', 'canonical_text', 'signature', 'prev'], POST),
      bad(
        'a-link-that-names-somebody-else',
        [...links, { ...theirs[0], avatar: mallory.avatar }],
        ['avatar', 'fields', 'canonical_text', 'signature', 'prev'],
        POST,
      ),
      bad('of-another-avatar-than-expected', [bound], ['fields', 'canonical_text', 'signature'], [], {
        avatar: mallory.avatar,
      }),
      bad('names-another-avatar', [{ ...bound, avatar: mallory.avatar }], ['fields', 'canonical_text', 'signature']),
      bad(
        'names-its-avatar-in-capitals',
        [{ ...bound, avatar: alice.avatar.toUpperCase().replace('0X', '0x') }],
        ['fields', 'canonical_text', 'signature'],
      ),
      bad(
        'names-its-avatar-in-capitals-where-it-is-expected',
        [{ ...bound, avatar: alice.avatar.toUpperCase().replace('0X', '0x') }],
        ['avatar'],
        [],
        { avatar: alice.avatar },
      ),
      bad(
        'names-its-avatar-uncompressed',
        [{ ...bound, avatar: alice.uncompressed }],
        ['fields', 'canonical_text', 'signature'],
      ),
      bad('its-avatar-signed-in-capitals', capitals, ['signature']),
      bad('its-avatar-signed-in-capitals-and-expected', capitals, ['fields', 'canonical_text'], [], {
        avatar: alice.avatar,
      }),
      bad('deletes-what-was-never-bound', linksOf(alice, [{ ...GITHUB, action: 'delete' }]), ['binding']),
      bad(
        'deletes-twice',
        behind({ ...GITHUB, action: 'delete', uuid: uuidOf('again') }, links.slice(0, 4)),
        ['binding'],
        POST,
      ),
      good('301-seconds-back-in-time', wrong, [links[1], wrong[2]], [...POST, 'time']),
      bad(
        '301-seconds-back-in-time-by-a-changed-time',
        [...links.slice(0, 1), { ...links[1], created_at: later(-301) }],
        ['fields', 'canonical_text'],
        [...POST, 'time'],
      ),
      bad('301-seconds-back-in-time-in-another-place', [links[0], moved], ['prev'], ['time']),
      bad('uuid-used-twice', behind({ uuid: links[0].uuid }), ['uuid'], POST),
      bad('first-link-names-one-before', linksOf(alice, [GITHUB], links[0]), ['prev'], POST),
      bad(
        'second-link-says-that-it-is-the-first',
        [links[0], ...linksOf(alice, [{ ...GITHUB, uuid: uuidOf('first') }])],
        ['prev'],
        POST,
      ),
      bad(
        'signature-exchanged-for-its-high-s-twin',
        [{ ...links[0], signature: base64(forms.highS(links[0].signature)) }, links[1]],
        ['prev'],
        POST,
      ),

      changed('another-action', { action: 'delete' }, ['fields', 'canonical_text', 'binding'], []),
      changed('another-platform', { platform: 'minds' }, ['fields', 'canonical_text']),
      changed('another-identity', { identity: 'bob' }, ['fields', 'canonical_text']),
      changed('another-time', { created_at: later(1) }, ['fields', 'canonical_text']),
      changed('another-uuid', { uuid: uuidOf('another') }, ['fields', 'canonical_text']),
      changed(
        'another-wallet',
        { identity: mallory.address },
        ['fields', 'canonical_text', 'wallet_signature'],
        [],
        bound,
      ),
      changed(
        'another-identity-in-its-text-too',
        { identity: 'bob', signature_payload: one.signature_payload.replace('"alice"', '"bob"') },
        ['signature'],
      ),
      changed('signed-by-another-key', { signature: mallory.sign(one.signature_payload) }, ['signature']),
      changed('signature-over-another-text', { signature: alice.sign('another text') }, ['signature']),
      changed('signature-empty', { signature: '' }, ['signature']),
      changed('signature-in-hex', { signature: `0x${Buffer.from(one.signature, 'base64').toString('hex')}` }, [
        'signature',
      ]),
      changed(
        'signature-in-base64url',
        { signature: one.signature.replaceAll('+', '-').replaceAll('/', '_').replace('=', '') },
        ['signature'],
      ),
      changed('signature-wrong-recovery-byte', { signature: base64(forms.withV(one.signature, (v) => 55 - v)) }, [
        'signature',
      ]),
      changed('signature-v-29', { signature: base64(forms.withV(one.signature, () => 29)) }, ['signature']),
      changed('wallet-signature-missing', { extra: {} }, ['wallet_signature'], [], bound),
      changed('extra-missing', { extra: undefined }, ['wallet_signature'], [], bound),
      changed('extra-null', { extra: null }, ['wallet_signature'], [], bound),
      changed(
        'wallet-signature-of-another-wallet',
        { extra: { wallet_signature: mallory.sign(bound.signature_payload) } },
        ['wallet_signature'],
        [],
        bound,
      ),

      resigned('signed-text-with-a-blank', (text) => text.replace(',"uuid"', ', "uuid"'), ['canonical_text']),
      resigned(
        'signed-text-in-another-order',
        (text) => `{"platform":"github",${text.slice(1).replace('"platform":"github",', '')}`,
        ['canonical_text'],
      ),
      resigned('signed-text-with-another-member', (text) => text.replace(',"uuid"', ',"role":"admin","uuid"'), [
        'canonical_text',
      ]),
      resigned(
        'signed-text-with-a-member-twice',
        (text) => text.replace('{"action":"create"', '{"action":"create","action":"create"'),
        ['canonical_text'],
      ),
      resigned('signed-text-with-an-escape', (text) => text.replace('"alice"', '"\\u0061lice"'), ['canonical_text']),
      resigned('signed-text-without-prev', (text) => text.replace('"prev":null,', ''), ['canonical_text', 'prev']),
      resigned('signed-text-without-identity', (text) => text.replace('"identity":"alice",', ''), [
        'fields',
        'canonical_text',
      ]),
      resigned('signed-text-is-a-list', () => '[]', ['fields', 'prev']),
      resigned('signed-text-is-not-json', (text) => text.slice(1), ['fields', 'prev']),
      resigned('signed-text-behind-a-byte-order-mark', (text) => `\ufeff${text}`, ['fields', 'prev']),
      resigned('signed-text-with-half-a-surrogate-pair', (text) => text.replace('"alice"', '"\\ud83d"'), [
        'fields',
        'prev',
      ]),
      resigned('signed-text-with-a-number-out-of-range', (text) => text.replace('"prev":null', '"prev":1e999'), [
        'fields',
        'prev',
      ]),
      resigned(
        'signed-text-300-deep',
        (text) => text.replace('"prev":null', `"prev":${'['.repeat(300)}${']'.repeat(300)}`),
        ['fields', 'prev'],
      ),

      ...['action', 'platform', 'identity', 'created_at', 'uuid', 'signature', 'signature_payload'].map((name) =>
        changed(`without-${name.replaceAll('_', '-')}`, { [name]: undefined }, ['shape'], []),
      ),
      changed('without-proof-location', { proof_location: undefined }, [], POST),
      changed('action-add', { action: 'add' }, ['shape'], []),
      changed('created-at-a-number', { created_at: START }, ['shape'], []),
      ...Object.entries({
        'with-a-leading-zero': `0${START}`,
        'in-hex': '0x66670680',
        empty: '',
        'with-a-fraction': `${START}.5`,
        'with-a-blank': ` ${START}`,
        negative: '-1',
        'of-13-digits': '1718000000000',
      }).map(([what, created_at]) => bad(`created-at-${what}`, linksOf(alice, [{ ...GITHUB, created_at }]), ['shape'])),
      changed('avatar-not-a-text', { avatar: 7 }, ['shape'], []),
      bad('a-link-that-is-null', [null], ['shape']),
      bad('a-link-that-is-a-text', ['link'], ['shape']),
      bad('a-link-that-is-a-list', [[]], ['shape']),
      bad('a-link-in-the-middle-that-is-null', [links[0], null, links[2]], ['shape', 'prev']),
      bad('null-between-two-links', [links[0], null, links[1]], ['shape'], POST),
    ].map((given) => (given.expected.reasons.length === 0 && !given.expected.ok ? asGood(given) : given)),
  };
}

/**
 * A change that does not matter.
 * @param {ChainVector} given
 */
function asGood(given) {
  const bindings = /** @type {Link[]} */ (given.links).map(({ uuid }) => uuid);
  return { ...given, expected: accepted({ avatar: alice.avatar, bindings }, given.expected.not_checkable) };
}
