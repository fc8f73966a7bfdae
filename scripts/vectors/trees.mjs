/** Entries of the log, and proofs in trees. */
import { readFileSync } from 'node:fs';
import { canonicalJson } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';
import { linkEntry, linkRecord, patchEntry, patchRecord, recordEntry } from '@signet/verify/internal/log';
import { KEY_ENTRIES, leafHash } from '@signet/verify/log';
import { entryOf, ERASED, erasedLink, erasedPatch } from './erased.mjs';
import { eventsOf } from './key-events.mjs';
import { feed, Log, RECORDED } from './log.mjs';
import { accepted, alice, base64, copyOf, hex, refused } from './people.mjs';

/**
 * @import { Erasure } from '@signet/verify'
 * @import { FeedLink, FeedPatch } from '@signet/verify/log'
 * @import { Expected } from './types.d.ts'
 */

/**
 * An item of a feed with members that do not matter to the log.
 * @typedef {Item & { archive_id?: string, later?: unknown }} Answered
 * @template Item
 */

/** Entries, written and read. */
export function entries() {
  const { links, patches } = feed();
  /** @param {string} id @param {string} kind @param {Answered<FeedLink | FeedPatch>} item @param {object} [more] */
  const written = (id, kind, item, more = {}) => {
    const text = 'action' in item ? linkEntry(item, RECORDED) : patchEntry(item, RECORDED);
    const record = 'action' in item ? linkRecord(item) : patchRecord(item);
    const leaf_hash = hex(leafHash(utf8(text)));
    return { id, kind, item, recorded_at: RECORDED, ...more, expected: accepted({ entry: text, record, leaf_hash }) };
  };
  /** @param {string} id @param {string} kind @param {Answered<(FeedLink | FeedPatch) & { erased: Erasure }>} item */
  const erasure = (id, kind, item) => {
    const text = entryOf(item);
    const { record } = JSON.parse(text);
    const leaf_hash = hex(leafHash(utf8(text)));
    return { id, kind, item, recorded_at: ERASED, expected: accepted({ entry: text, record, leaf_hash }) };
  };
  const event = { ...eventsOf([{ action: 'key.freeze', after: 0 }])[0], avatar: alice.avatar, id: 1 };
  const ofKey = recordEntry(KEY_ENTRIES, event, RECORDED);
  /** @param {string} id @param {object} item */
  const ofEvent = (id, item) => {
    const leaf_hash = hex(leafHash(utf8(ofKey)));
    const { record } = JSON.parse(ofKey);
    return { id, kind: 'key', item, recorded_at: RECORDED, expected: accepted({ entry: ofKey, record, leaf_hash }) };
  };
  const text = linkEntry(links[0], RECORDED);
  /** @param {object} members */
  const change = (members) => JSON.stringify({ ...JSON.parse(text), ...members });
  /** @param {string} id @param {Uint8Array} bytes @param {Expected} expected */
  const read = (id, bytes, expected) => ({ id, kind: 'bytes', entry_base64: base64(bytes), expected });
  /** @param {string} id @param {string} changed */
  const good = (id, changed) => read(id, utf8(changed), accepted({ leaf_hash: hex(leafHash(utf8(changed))) }));
  /** @param {string} id @param {string} written @param {string} kind */
  const other = (id, written, kind) =>
    read(id, utf8(written), accepted({ leaf_hash: hex(leafHash(utf8(written))), other_kind: kind }));
  /** @param {string} written */
  const withoutKey = (written) => written.replace(/"identity_key":"\w+",/, '');
  /** @param {string} written */
  const withKey = (written) => canonicalJson({ ...JSON.parse(written), identity_key: 'ab'.repeat(32) });
  /** @param {string} id @param {string | Uint8Array} changed */
  const bad = (id, changed) => read(id, typeof changed === 'string' ? utf8(changed) : changed, refused(['entry']));
  return {
    description:
      'Entries of the log. `link`, `kv` and `key`: the entry of a link, patch or key event of a feed, with its `record` and leaf hash in hex; `erased_link` and `erased_kv`: that of its erasure. `bytes`: whether bytes are an entry; `other_kind` is the kind of one that later versions may write.',
    vectors: [
      written('link', 'link', links[0]),
      written('link-with-more-members', 'link', { ...links[1], archive_id: 'x'.repeat(43), later: true }),
      written('link-of-an-account', 'link', links[1]),
      written('patch', 'kv', patches[0]),
      written('patch-with-more-members', 'kv', { ...patches[1], archive_id: '' }),
      written('link-that-was-erased', 'link', erasedLink(links[0])),
      written('patch-that-was-erased', 'kv', erasedPatch(patches[0])),
      erasure('erasure-of-a-link', 'erased_link', erasedLink(links[0])),
      erasure('erasure-of-a-link-with-more-members', 'erased_link', {
        ...erasedLink(links[1], { later: 1 }),
        later: 2,
      }),
      erasure('erasure-of-a-patch', 'erased_kv', erasedPatch(patches[0])),
      ofEvent('key-event', event),
      ofEvent('key-event-with-more-members', { ...event, later: true }),
      good('read-a-key-event', ofKey),
      bad('of-a-key-event-with-the-key-of-an-identity', withKey(ofKey)),
      good('read', text),
      good('read-a-patch', patchEntry(patches[0], RECORDED)),
      good('read-an-erasure', entryOf(erasedLink(links[0]))),
      other(
        'read-of-a-later-kind',
        canonicalJson({ avatar: links[0].avatar, kind: 'later', later: [1, null] }),
        'later',
      ),
      other('read-of-a-later-kind-with-digits', '{"kind":"erased_key2"}', 'erased_key2'),
      other('read-of-a-later-kind-with-32-characters', `{"kind":"${'k'.repeat(32)}"}`, 'k'.repeat(32)),
      bad('of-a-kind-with-33-characters', `{"kind":"${'k'.repeat(33)}"}`),
      bad('of-a-kind-with-one-letter', '{"kind":"k"}'),
      bad('of-a-kind-in-capitals', '{"kind":"Key"}'),
      bad('of-a-kind-that-begins-with-a-digit', '{"kind":"2key"}'),
      bad('of-a-kind-that-is-a-number', '{"kind":2}'),
      bad('of-the-kind-of-the-map', change({ kind: 'map' })),
      bad('of-a-later-kind-with-a-blank', '{"kind": "key"}'),
      bad('of-no-kind', '{"avatar":"a"}'),
      bad('of-a-link-without-its-action', text.replace('"action":"create",', '')),
      bad('of-a-link-with-another-action', text.replace('"create"', '"update"')),
      bad('of-a-link-without-the-key-of-its-identity', withoutKey(text)),
      bad('of-a-link-with-half-a-key', text.replace(/("identity_key":"\w{32})\w+/, '$1')),
      bad('of-a-link-with-its-key-in-capitals', change({ identity_key: 'AB'.repeat(32) })),
      bad('of-a-patch-without-the-key-of-its-identity', withoutKey(patchEntry(patches[0], RECORDED))),
      bad(
        'of-a-patch-with-an-action',
        canonicalJson({ ...JSON.parse(patchEntry(patches[0], RECORDED)), action: 'create' }),
      ),
      bad('of-an-erasure-with-a-key', withKey(entryOf(erasedLink(links[0])))),
      bad('empty', ''),
      bad('not-json', text.slice(1)),
      bad('null', 'null'),
      bad('with-a-blank', text.replace(',', ', ')),
      bad('with-a-line-break-behind', `${text}\n`),
      bad('behind-a-byte-order-mark', `\ufeff${text}`),
      bad('not-utf-8', Uint8Array.of(...utf8(text.slice(0, -1)), 0xff, 0x7d)),
      bad('members-in-another-order', `{"v":1,${text.slice(1).replace(',"v":1', '')}`),
      bad('with-another-member', change({ w: 1 })),
      bad('without-a-member', text.replace(`,"recorded_at":${RECORDED}`, '')),
      bad('version-2', change({ v: 2 })),
      bad('version-a-text', change({ v: '1' })),
      bad(
        'record-in-capitals',
        text.replace(/"record":"[^"]*"/, (member) => member.toUpperCase().replace('RECORD', 'record')),
      ),
      bad('record-of-31-bytes', change({ record: 'ab'.repeat(31) })),
      bad('id-negative', change({ id: -1 })),
      bad('id-with-a-fraction', change({ id: 1.5 })),
      bad('id-a-text', change({ id: '11' })),
      bad('id-above-2-to-53', text.replace('"id":11', '"id":9007199254740992')),
      bad('uuid-null', change({ uuid: null })),
    ],
  };
}

/** Proofs in trees. */
export function trees() {
  const log = new Log(Array.from({ length: 9 }, (_, n) => `entry ${n}`));
  /** @param {Uint8Array[]} list */
  const hashes = (list) => list.map(hex);
  /** @param {number} index @param {number} size */
  const inclusion = (index, size) => ({
    proof_of: 'inclusion',
    leaf_hash: hex(log.leaves[index]),
    index,
    size,
    root: hex(log.root(size)),
    hashes: hashes(log.inclusion(index, size)),
  });
  /** @param {number} size1 @param {number} size2 */
  const consistency = (size1, size2) => ({
    proof_of: 'consistency',
    size1,
    root1: hex(log.root(size1)),
    size2,
    root2: hex(log.root(size2)),
    hashes: hashes(log.consistency(size1, size2)),
  });
  const pairs = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((size) => Array.from({ length: size }, (_, n) => [n, size]));
  /** @param {string} id @param {object} given */
  const good = (id, given) => ({ id, ...given, expected: accepted() });
  /**
   * @template {{ proof_of: string }} Given
   * @param {string} id
   * @param {Given} given
   * @param {(given: Given) => void} change
   */
  const bad = (id, given, change) => {
    const changed = copyOf(given);
    change(changed);
    return { id, ...changed, expected: refused([given.proof_of]) };
  };
  /** @param {{ hashes: string[] }} given */
  const swap = (given) => given.hashes.reverse();
  return {
    description:
      'Proofs in Merkle trees (RFC 6962), hashes in hex: that an entry is in a tree (`inclusion`), and that one tree is the beginning of another (`consistency`). Those whose id begins with `merkle/` come from transparency-dev/merkle (Apache-2.0).',
    vectors: [
      ...pairs.map(([index, size]) => good(`entry-${index}-of-${size}`, inclusion(index, size))),
      ...pairs.map(([before, size]) => good(`from-${before + 1}-to-${size}`, consistency(before + 1, size))),
      good('from-0-to-5', { ...consistency(1, 5), size1: 0, root1: hex(log.root(0)), hashes: [] }),
      good('from-0-to-0', {
        ...consistency(1, 1),
        size1: 0,
        root1: hex(log.root(0)),
        size2: 0,
        root2: hex(log.root(0)),
      }),
      good('from-3-to-3-with-roots-of-31-bytes', {
        ...consistency(3, 3),
        root1: hex(log.root(3)).slice(2),
        root2: hex(log.root(3)).slice(2),
      }),
      bad('inclusion-another-index', inclusion(5, 8), (given) => (given.index = 4)),
      bad('inclusion-index-is-the-size', inclusion(7, 8), (given) => (given.index = 8)),
      bad('inclusion-negative-index', inclusion(0, 8), (given) => (given.index = -1)),
      bad('inclusion-another-size', inclusion(5, 8), (given) => (given.size = 9)),
      bad('inclusion-another-root', inclusion(5, 8), (given) => (given.root = hex(log.root(7)))),
      bad('inclusion-another-leaf', inclusion(5, 8), (given) => (given.leaf_hash = hex(log.leaves[4]))),
      bad('inclusion-hashes-exchanged', inclusion(5, 8), swap),
      bad('inclusion-a-hash-too-few', inclusion(5, 8), (given) => given.hashes.pop()),
      bad('inclusion-a-hash-too-many', inclusion(5, 8), (given) => given.hashes.push(given.hashes[0])),
      bad('inclusion-a-hash-of-31-bytes', inclusion(5, 8), (given) => (given.hashes[0] = given.hashes[0].slice(2))),
      bad('inclusion-a-leaf-of-31-bytes', inclusion(5, 8), (given) => (given.leaf_hash = given.leaf_hash.slice(2))),
      bad('inclusion-a-root-of-31-bytes', inclusion(5, 8), (given) => (given.root = given.root.slice(2))),
      bad('inclusion-of-a-leaf-of-31-bytes-that-is-the-root', inclusion(0, 1), (given) => {
        given.leaf_hash = given.leaf_hash.slice(2);
        given.root = given.leaf_hash;
      }),
      bad('inclusion-in-a-tree-without-entries', inclusion(0, 1), (given) => (given.size = 0)),
      bad('inclusion-size-above-2-to-53', inclusion(0, 1), (given) => (given.size = 2 ** 53)),
      bad('consistency-sizes-exchanged', consistency(3, 7), (given) => ([given.size1, given.size2] = [7, 3])),
      bad('consistency-another-first-root', consistency(3, 7), (given) => (given.root1 = hex(log.root(4)))),
      bad('consistency-another-second-root', consistency(3, 7), (given) => (given.root2 = hex(log.root(8)))),
      bad(
        'consistency-another-first-root-of-a-power-of-two',
        consistency(4, 7),
        (given) => (given.root1 = hex(log.root(5))),
      ),
      bad('consistency-hashes-exchanged', consistency(3, 7), swap),
      bad('consistency-a-hash-too-few', consistency(3, 7), (given) => given.hashes.pop()),
      bad('consistency-a-hash-too-many', consistency(3, 7), (given) => given.hashes.push(given.hashes[0])),
      bad('consistency-without-hashes', consistency(4, 7), (given) => (given.hashes = [])),
      bad('consistency-of-one-size-with-a-hash', consistency(5, 5), (given) => given.hashes.push(given.root1)),
      bad('consistency-of-one-size-with-two-roots', consistency(5, 5), (given) => (given.root2 = hex(log.root(6)))),
      bad('consistency-from-0-with-another-root', consistency(5, 7), (given) =>
        Object.assign(given, { size1: 0, hashes: [] }),
      ),
      bad('consistency-from-0-with-a-hash', consistency(5, 7), (given) =>
        Object.assign(given, { size1: 0, root1: hex(log.root(0)) }),
      ),
      bad('consistency-a-root-of-31-bytes', consistency(3, 7), (given) => (given.root1 = given.root1.slice(2))),
      bad('consistency-from-0-to-a-root-of-31-bytes', consistency(5, 7), (given) =>
        Object.assign(given, { size1: 0, root1: hex(log.root(0)), root2: given.root2.slice(2), hashes: [] }),
      ),
      bad('consistency-from-0-to-0-with-another-root', consistency(5, 5), (given) =>
        Object.assign(given, { size1: 0, size2: 0 }),
      ),
      ...merkleVectors(),
    ],
  };
}

function merkleVectors() {
  /** @type {{ inclusion: Record<string, any>[], consistency: Record<string, any>[] }} */
  const recorded = JSON.parse(readFileSync(new URL('../../test/vectors/merkle-proofs.json', import.meta.url), 'utf8'));
  /** @param {string | null} base64Text */
  const text = (base64Text) => Buffer.from(base64Text ?? '', 'base64').toString('hex');
  /** @param {boolean} wantErr @param {string} reason */
  const expected = (wantErr, reason) => (wantErr ? refused([reason]) : accepted());
  /** @param {string[] | null} proof */
  const hashes = (proof) => (proof ?? []).map(text);
  return [
    ...recorded.inclusion.map(({ leafIdx, treeSize, root, leafHash: leaf, proof, wantErr, file }) => ({
      id: `merkle/${file}`,
      proof_of: 'inclusion',
      leaf_hash: text(leaf),
      index: leafIdx,
      size: treeSize,
      root: text(root),
      hashes: hashes(proof),
      expected: expected(wantErr, 'inclusion'),
    })),
    ...recorded.consistency.map(({ size1, size2, root1, root2, proof, wantErr, file }) => ({
      id: `merkle/${file}`,
      proof_of: 'consistency',
      size1,
      root1: text(root1),
      size2,
      root2: text(root2),
      hashes: hashes(proof),
      expected: expected(wantErr, 'consistency'),
    })),
  ];
}
