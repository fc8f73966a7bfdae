/** Links and patches whose texts were erased, and each way in which what stands in their place is not right. */
import { identityKeyText } from '@signet/verify/internal/chains';
import { erasureEntry, linkRecord, patchRecord } from '@signet/verify/internal/log';
import { accepted, alice, linksOf, mallory, START, uuidOf, without } from './people.mjs';

/**
 * @import { Erasure, SignedLink, SignedPatch } from '@signet/verify'
 * @import { FeedLink, FeedPatch } from '@signet/verify/log'
 * @import { ChainVectors, Link } from './types.d.ts'
 */

/** UNIX seconds of the erasures. */
export const ERASED = START + 5000;
const REASON = 'order of a court';
const GITHUB = { platform: 'github', identity: 'alice' };

/**
 * What stands in place of a link; `changes` are to members of `erased`.
 * @template {SignedLink} Item
 * @param {Item} link
 * @param {Partial<Erasure> & { later?: number }} [changes]
 */
export function erasedLink(link, changes = {}) {
  const record = linkRecord(/** @type {FeedLink} */ ({ id: 1, avatar: alice.avatar, ...link }));
  const erased = { at: ERASED, identity_key: identityKeyText(link), reason: REASON, record, ...changes };
  return { ...link, identity: '', proof_location: '', signature_payload: '', extra: {}, erased };
}

/**
 * What stands in place of a patch; `changes` are to members of `erased`.
 * @template {SignedPatch} Item
 * @param {Item} item
 * @param {Partial<Erasure>} [changes]
 */
export function erasedPatch(item, changes = {}) {
  const record = patchRecord({ id: 1, avatar: alice.avatar, ...item });
  return {
    ...item,
    identity: '',
    signature_payload: '',
    patch: {},
    erased: { at: ERASED, identity_key: identityKeyText(item), reason: REASON, record, ...changes },
  };
}

/**
 * The entry of an erasure; `recordedAt` where it is to differ.
 * @param {(FeedLink | FeedPatch) & { erased: Erasure }} item
 * @param {number} [recordedAt]
 */
export function entryOf(item, recordedAt) {
  const text = erasureEntry('action' in item ? { link: item } : { patch: item });
  return recordedAt === undefined ? text : text.replace(/"recorded_at":\d+/, `"recorded_at":${recordedAt}`);
}

/** @param {Link[]} items @param {...number} places */
const erasedAt = (items, ...places) => items.map((item, place) => (places.includes(place) ? erasedLink(item) : item));

/**
 * Vectors of chains of links; `links` are the six of chains.mjs.
 * @param {ChainVectors} makers
 * @param {Link[]} links
 */
export function erasedChains({ vector, good, bad }, links) {
  const [one] = linksOf(alice, [GITHUB]);
  const twice = linksOf(alice, [GITHUB, { ...GITHUB, uuid: uuidOf('twice') }]);
  const all = erasedAt(links, 0, 1, 2, 3, 4, 5);
  const deletedTwice = linksOf(alice, [
    GITHUB,
    { ...GITHUB, action: 'delete' },
    { ...GITHUB, action: 'delete', uuid: uuidOf('again') },
  ]);
  const POST = ['post'];
  /** @param {string} id @param {object} change @param {string[]} [reasons] */
  const changed = (id, change, reasons = ['shape']) =>
    bad(id, [{ ...erasedLink(one), ...change }], reasons, reasons[0] === 'shape' ? [] : ['erased']);
  /** @param {string} id @param {object} change */
  const inErased = (id, change) => changed(id, { erased: { ...erasedLink(one).erased, ...change } });
  return [
    good('erased-and-revoked-behind-it', erasedAt(links, 1), [links[2], links[4]], ['binding', 'erased', ...POST]),
    good('erased-the-first-link', erasedAt(links, 0), [links[2], links[4]], ['binding', 'erased', ...POST]),
    good('erased-a-revoke', erasedAt(links, 3), [links[2], links[4]], ['erased', ...POST]),
    good('erased-the-newest-link', erasedAt(links, 5), [links[2], links[4]], ['erased', ...POST]),
    good('erased-what-was-bound', erasedAt(links, 2), [links[4]], ['erased', ...POST]),
    good('erased-what-was-bound-twice', [twice[0], erasedLink(twice[1])], [], ['erased', ...POST]),
    good('erased-what-was-bound-again', [erasedLink(twice[0]), twice[1]], [twice[1]], ['erased', ...POST]),
    good('erased-all-of-the-expected-avatar', all, [], ['erased'], { avatar: alice.avatar }),
    good(
      'erased-and-names-its-avatar',
      [{ ...erasedLink(one), avatar: alice.avatar }, twice[1]],
      [twice[1]],
      ['erased', ...POST],
    ),
    good(
      'erased-301-seconds-back-in-time',
      [links[0], { ...erasedLink(links[1]), created_at: String(START - 301) }],
      [links[0]],
      ['erased', 'time'],
    ),
    vector('erased-all-of-nobody', all, accepted({ avatar: '', bindings: [] }, ['erased'])),
    good('erased-without-place-and-extra', [without(erasedLink(one), 'proof_location', 'extra')], [], ['erased'], {
      avatar: alice.avatar,
    }),
    good('erased-with-more-members', [{ ...erasedLink(one, { later: 1 }), later: 2 }], [], ['erased'], {
      avatar: alice.avatar,
    }),

    bad(
      'erased-and-deleted-once-more',
      [...erasedAt(deletedTwice.slice(0, 2), 1), deletedTwice[2]],
      ['binding'],
      ['erased', ...POST],
    ),
    bad(
      'erased-with-another-signature',
      [{ ...erasedLink(links[0]), signature: mallory.sign('x') }, ...links.slice(1, 3)],
      ['prev'],
      ['erased', ...POST],
    ),
    bad(
      'erased-with-the-uuid-of-another',
      [...links.slice(0, 1), { ...erasedLink(links[1]), uuid: links[0].uuid }],
      ['uuid'],
      ['erased'],
    ),
    bad('erased-and-names-another-avatar', [{ ...erasedLink(one), avatar: mallory.avatar }], ['avatar'], ['erased'], {
      avatar: alice.avatar,
    }),
    changed('erased-and-the-identity-is-there', { identity: 'alice' }),
    changed('erased-and-the-signed-text-is-there', { signature_payload: one.signature_payload }),
    changed('erased-and-the-place-is-there', { proof_location: one.proof_location }),
    changed('erased-and-extra-is-there', { extra: { chain_id: 1 } }),
    bad(
      'erased-is-null-and-names-another-avatar',
      [{ ...erasedLink(one), avatar: mallory.avatar, erased: null }],
      ['shape'],
      [],
      {
        avatar: alice.avatar,
      },
    ),
    changed('erased-is-null', { erased: null }),
    changed('erased-is-a-text', { erased: 'yes' }),
    changed('erased-is-a-list', { erased: [] }),
    inErased('erased-without-its-time', { at: undefined }),
    inErased('erased-at-a-text', { at: String(ERASED) }),
    inErased('erased-at-a-fraction', { at: 1.5 }),
    inErased('erased-before-1970', { at: -1 }),
    inErased('erased-without-a-reason', { reason: undefined }),
    inErased('erased-for-an-empty-reason', { reason: '' }),
    inErased('erased-without-its-record', { record: undefined }),
    inErased('erased-with-its-record-in-capitals', { record: 'AB'.repeat(32) }),
    inErased('erased-without-the-key-of-its-identity', { identity_key: undefined }),
    inErased('erased-with-half-a-key', { identity_key: 'ab'.repeat(16) }),
  ];
}
