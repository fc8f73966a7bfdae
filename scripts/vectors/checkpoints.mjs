/** Checkpoints and proof files. */
import { utf8 } from '@signet/verify/internal';
import { linkEntry, patchEntry } from '@signet/verify/internal/log';
import { checkpointText } from '@signet/verify/log';
import { noteSigner, signCheckpoint } from '@signet/verify/log-sign';
import { entryOf, ERASED, erasedLink, erasedPatch } from './erased.mjs';
import { feed, Log, logAlone, ORIGIN, policyOf, RECORDED, SIGNED, witnesses } from './log.mjs';
import { accepted, alice, base64, hex, person, refused, without } from './people.mjs';

/**
 * @import { LogProof } from '@signet/verify/log'
 * @import { Expected } from './types.d.ts'
 */

/** Checkpoints with the signatures of logs and witnesses. */
export function checkpoints() {
  const log = new Log(['one', 'two', 'three']);
  const two = log.checkpoint(witnesses.slice(0, 2));
  const own = log.checkpoint();
  const head = { origin: ORIGIN, size: 3, root: log.root() };
  const [policy, alone] = [policyOf(log), logAlone(log)];
  const [, second, third] = witnesses;
  const text = checkpointText(head);
  /** @param {number} index */
  const lineOf = (index) => own.split('\n\n')[1].split('\n')[index];
  const other = noteSigner('other.example/log', person('other log').secret);
  const stranger = noteSigner(ORIGIN, person('other log').secret);
  /** @param {string} noteText */
  const signed = (noteText) => `${noteText}\n${log.signer.sign(noteText)}`;
  /** @param {object} cosigned @param {object} [more] */
  const facts = (cosigned, more = {}) => ({ origin: ORIGIN, size: 3, root: hex(log.root()), cosigned, ...more });
  /** @param {...string} names */
  const times = (...names) => Object.fromEntries(names.map((name) => [name, SIGNED]));
  /** @param {string} id @param {string} note @param {string} given @param {Expected} expected @param {number} [now] */
  const vector = (id, note, given, expected, now) => ({
    id,
    note,
    policy: given,
    ...(now === undefined ? {} : { now }),
    expected,
  });
  /** @param {string} id @param {string} note @param {string[]} names @param {number} [now] */
  const good = (id, note, names, now) => vector(id, note, policy, accepted(facts(times(...names))), now);
  /** @param {string} id @param {string} note @param {object} [more] */
  const byLog = (id, note, more) => vector(id, note, alone, accepted(facts({}, more), ['witnesses']));
  /** @param {string} id @param {string} note @param {string[]} reasons @param {number} [now] */
  const bad = (id, note, reasons, now) => vector(id, note, policy, refused(reasons), now);
  /** @param {string} id @param {string} note */
  const unread = (id, note) => vector(id, note, alone, refused(['checkpoint']));
  /** @param {string} note @param {number} at */
  const spoilt = (note, at) => {
    const lines = note.split('\n');
    const [dash, name, signature] = lines[at].split(' ');
    const bytes = Buffer.from(signature, 'base64');
    bytes[20] ^= 1;
    lines[at] = [dash, name, bytes.toString('base64')].join(' ');
    return lines.join('\n');
  };
  return {
    description:
      'Signed checkpoints (C2SP tlog-checkpoint 1.0, tlog-cosignature 1.0) before a policy. `now` is in UNIX seconds; `cosigned` tells which witnesses of the policy signed, and when; `root` is in hex.',
    vectors: [
      byLog('signed-by-the-log', own),
      byLog('signed-by-the-log-twice', `${own}${lineOf(0)}\n`),
      byLog('with-unknown-signatures', `${own}${other.sign(text)}${stranger.sign(text)}`),
      byLog('with-an-unknown-signature-that-is-nonsense', `${own}— ${ORIGIN} AAAAAAA=\n`),
      byLog('with-a-line-behind-the-root', signed(`${text}a line\n`)),
      byLog('with-101-signatures', own + Array(100).fill(other.sign(text)).join('')),
      vector(
        'of-a-tree-without-entries',
        log.checkpoint([], 0),
        alone,
        accepted(facts({}, { size: 0, root: hex(log.root(0)) }), ['witnesses']),
      ),
      good('two-witnesses-of-three', two, ['w1', 'w2']),
      good('three-witnesses', log.checkpoint(witnesses), ['w1', 'w2', 'w3']),
      good('the-third-spoilt', spoilt(log.checkpoint(witnesses), 7), ['w1', 'w2']),
      good('at-the-time-of-the-witnesses', two, ['w1', 'w2'], SIGNED),
      good('300-seconds-before-the-time-of-the-witnesses', two, ['w1', 'w2'], SIGNED - 300),
      bad('one-witness', log.checkpoint([second]), ['witnesses']),
      bad('one-witness-twice', log.checkpoint([third, third]), ['witnesses']),
      bad('301-seconds-before-the-time-of-the-witnesses', two, ['witnesses'], SIGNED - 301),
      bad('a-cosignature-spoilt', spoilt(two, 6), ['witnesses']),
      bad('a-cosignature-of-another-time', changedTime(two), ['witnesses']),
      bad(
        'a-cosignature-of-another-checkpoint',
        `${log.checkpoint([second])}${third.cosign(checkpointText({ ...head, size: 2 }), SIGNED)}`,
        ['witnesses'],
      ),
      bad('two-good-lines-of-a-witness', `${two}${second.cosign(text, SIGNED + 1)}`, ['witnesses']),
      bad('one-good-and-one-bad-line-of-a-witness', `${two}${spoilt(two, 6).split('\n')[6]}\n`, ['witnesses']),
      bad('without-the-log', two.replace(`${lineOf(0)}\n`, ''), ['log_signature']),
      bad('the-log-spoilt', spoilt(two, 4), ['log_signature']),
      bad('one-good-and-one-bad-line-of-the-log', `${two}${spoilt(own, 4).split('\n')[4]}\n`, ['log_signature']),
      bad('another-size', two.replace('\n3\n', '\n4\n'), ['log_signature', 'witnesses']),
      bad('another-root', two.replace(base64(log.root()), base64(log.root(2))), ['log_signature', 'witnesses']),
      bad(
        'another-origin-signed-by-this-log',
        `${checkpointText({ ...head, origin: 'other.example/log' })}\n${log.signer.sign(checkpointText({ ...head, origin: 'other.example/log' }))}`,
        ['log_signature', 'witnesses'],
      ),
      bad('of-a-log-that-the-policy-does-not-know', signCheckpoint({ ...head, origin: 'other.example/log' }, other), [
        'log_signature',
        'witnesses',
      ]),
      unread('empty', ''),
      unread('without-signatures', text),
      unread('without-an-empty-line', own.replace('\n\n', '\n')),
      unread('without-its-last-line-break', own.slice(0, -1)),
      unread('with-a-hyphen-for-the-dash', own.replace('—', '-')),
      unread('with-two-blanks', own.replace('— ', '—  ')),
      unread('signature-without-padding', own.replace(/=\n$/, '\n')),
      unread('signature-of-4-bytes', own.replace(lineOf(0), `— ${ORIGIN} AAAAAA==`)),
      unread('with-an-empty-signature-line', `${own}\n`),
      unread('with-a-carriage-return', own.replaceAll('\n', '\r\n')),
      unread('size-with-a-leading-zero', signed(text.replace('\n3\n', '\n03\n'))),
      unread('size-negative', signed(text.replace('\n3\n', '\n-3\n'))),
      unread('size-above-2-to-53', signed(text.replace('\n3\n', '\n9007199254740992\n'))),
      unread('root-of-31-bytes', signed(text.replace(base64(log.root()), base64(log.root().subarray(1))))),
      unread('without-an-origin', signed(text.replace(ORIGIN, ''))),
      unread('with-an-empty-line-behind-the-root', signed(`${text}\na line\n`)),
    ],
  };
}

/**
 * The first cosignature with another time in it.
 * @param {string} note
 */
function changedTime(note) {
  const lines = note.split('\n');
  const [dash, name, signature] = lines[5].split(' ');
  const bytes = Buffer.from(signature, 'base64');
  bytes[11] ^= 1;
  lines[5] = [dash, name, bytes.toString('base64')].join(' ');
  return lines.join('\n');
}

/** Proof files. */
export function proofs() {
  const { links, patches } = feed();
  const [link, post] = links;
  const strange = linkEntry(link, RECORDED);
  const [gone, gonePatch] = [erasedLink(link), erasedPatch(patches[0])];
  const log = new Log([
    ...links.map((item) => linkEntry(item, RECORDED)),
    ...patches.map((item) => patchEntry(item, RECORDED)),
    `\ufeff${strange}`,
    strange.replace(',', ', '),
    'not an entry',
    entryOf(gone),
    entryOf(gonePatch),
    entryOf(erasedLink(post), ERASED + 1),
    strange.replace('"create"', '"delete"'),
    strange.replace(/"identity_key":"\w+"/, `"identity_key":"${'ab'.repeat(32)}"`),
  ]);
  const [erasure, erasureOfPatch, untimely, wrongAction, wrongKey] = [8, 9, 10, 11, 12];
  const policy = policyOf(log);
  const seen = log.checkpoint(witnesses.slice(1));
  /** @param {object} item */
  const inChain = (item) => without(item, 'id', 'avatar');
  /** @param {number} index */
  const facts = (index) => ({ index, origin: ORIGIN, size: log.leaves.length });
  /**
   * @param {string} id
   * @param {string} proof
   * @param {object} about
   * @param {Expected} expected
   * @param {string} [given]
   */
  const vector = (id, proof, about, expected, given = policy) => ({ id, ...about, proof, policy: given, expected });
  /** @param {string} id @param {number} index @param {object} about */
  const good = (id, index, about) => vector(id, log.proof(index, seen), about, accepted(facts(index)));
  /**
   * @param {string} id
   * @param {string} proof
   * @param {string[]} reasons
   * @param {object} [about]
   * @param {string} [given]
   */
  const bad = (id, proof, reasons, about = { kind: 'link', item: link }, given = policy) =>
    vector(id, proof, about, refused(reasons), given);
  /** @param {Partial<LogProof>} changes */
  const changed = (changes) => log.proof(0, seen, changes);
  const hashes = log.inclusion(0);
  const stranger = new Log(log.entries, 'other log');
  return {
    description:
      'Proof files (C2SP tlog-proof) of a link or patch. `avatar` is given where the item does not name it, because it comes from a chain.',
    vectors: [
      ...links.map((item, index) => good(`link-${index + 1}-of-the-feed`, index, { kind: 'link', item })),
      ...patches.map((item, index) => good(`patch-${index + 1}-of-the-feed`, 3 + index, { kind: 'kv', item })),
      good('link-of-a-chain', 1, { kind: 'link', item: inChain(post), avatar: alice.avatar }),
      good('link-of-a-chain-whose-text-names-the-avatar', 1, { kind: 'link', item: inChain(post) }),
      good('patch-of-a-chain', 3, { kind: 'kv', item: inChain(patches[0]), avatar: alice.avatar }),
      good('link-with-its-archive-id', 0, { kind: 'link', item: { ...link, archive_id: 'later' } }),
      vector(
        'no-witnesses-asked-for',
        log.proof(0),
        { kind: 'link', item: link },
        accepted(facts(0), ['witnesses']),
        logAlone(log),
      ),
      good('of-an-erasure', erasure, { kind: 'link', item: gone }),
      good('of-the-erasure-of-a-patch', erasureOfPatch, { kind: 'kv', item: gonePatch }),
      good('of-an-erasure-for-a-link-of-a-chain', erasure, { kind: 'link', item: inChain(gone), avatar: alice.avatar }),
      bad('of-an-erasure-for-the-link-itself', log.proof(erasure, seen), ['entry']),
      good('of-the-link-itself-for-an-erased-one', 0, { kind: 'link', item: gone }),
      good('of-the-patch-itself-for-an-erased-one', 3, { kind: 'kv', item: gonePatch }),
      bad('of-the-link-itself-for-one-that-was-erased-as-another-action', log.proof(0, seen), ['entry'], {
        kind: 'link',
        item: { ...gone, action: 'delete' },
      }),
      bad('of-the-link-itself-for-one-that-was-erased-under-another-key', log.proof(0, seen), ['entry'], {
        kind: 'link',
        item: erasedLink(link, { identity_key: 'ab'.repeat(32) }),
      }),
      bad('of-the-patch-itself-for-one-that-was-erased-under-another-key', log.proof(3, seen), ['entry'], {
        kind: 'kv',
        item: erasedPatch(patches[0], { identity_key: 'ab'.repeat(32) }),
      }),
      bad('of-an-entry-with-another-action-than-its-link', log.proof(wrongAction, seen), ['entry']),
      bad('of-an-entry-with-another-key-than-its-link', log.proof(wrongKey, seen), ['entry']),
      bad('of-an-erasure-for-another-reason', log.proof(erasure, seen), ['entry'], {
        kind: 'link',
        item: erasedLink(link, { reason: 'another' }),
      }),
      bad('of-an-erasure-of-another-record', log.proof(erasure, seen), ['entry'], {
        kind: 'link',
        item: erasedLink(link, { record: 'ab'.repeat(32) }),
      }),
      bad('of-an-erasure-at-another-time-than-its-entry', log.proof(untimely, seen), ['entry'], {
        kind: 'link',
        item: erasedLink(post),
      }),
      bad('of-the-erasure-of-a-link-for-a-patch', log.proof(erasure, seen), ['entry'], { kind: 'kv', item: gonePatch }),
      bad('of-another-link', log.proof(1, seen), ['entry']),
      bad('of-a-patch-for-a-link', log.proof(3, seen), ['entry']),
      bad('of-a-link-for-a-patch', log.proof(0, seen), ['entry'], { kind: 'kv', item: patches[0] }),
      bad('of-a-link-with-another-place-of-its-post', log.proof(1, seen), ['entry'], {
        kind: 'link',
        item: { ...post, proof_location: '1' },
      }),
      bad('of-a-link-with-another-extra', log.proof(0, seen), ['entry'], {
        kind: 'link',
        item: { ...link, extra: {} },
      }),
      bad('of-a-link-without-extra', log.proof(0, seen), ['entry'], {
        kind: 'link',
        item: { ...link, extra: undefined },
      }),
      bad('of-a-link-with-another-number', log.proof(0, seen), ['entry'], { kind: 'link', item: { ...link, id: 12 } }),
      bad('of-a-link-whose-number-is-null', log.proof(0, seen), ['entry'], {
        kind: 'link',
        item: { ...link, id: null },
      }),
      bad('of-a-link-whose-avatar-is-null', log.proof(0, seen), ['entry'], {
        kind: 'link',
        item: { ...link, avatar: null },
      }),
      bad('of-a-link-of-another-avatar', log.proof(0, seen), ['entry'], {
        kind: 'link',
        item: inChain(link),
        avatar: person('mallory').avatar,
      }),
      bad('without-an-entry', changed({ extra: null }), ['entry', 'inclusion']),
      bad('with-another-entry', changed({ extra: utf8(log.entries[1]) }), ['entry', 'inclusion']),
      bad(
        'with-another-time-in-the-entry',
        changed({ extra: utf8(strange.replace(String(RECORDED), String(RECORDED + 1))) }),
        ['inclusion'],
      ),
      bad('entry-in-the-log-behind-a-byte-order-mark', log.proof(5, seen), ['entry']),
      bad('entry-in-the-log-with-a-blank', log.proof(6, seen), ['entry']),
      bad('not-an-entry-in-the-log', log.proof(7, seen), ['entry']),
      bad('another-index', changed({ index: 1 }), ['inclusion']),
      bad('index-is-the-size', changed({ index: log.leaves.length }), ['inclusion']),
      bad('a-hash-too-few', changed({ proof: hashes.slice(1) }), ['inclusion']),
      bad('a-hash-changed', changed({ proof: [hashes[1], ...hashes.slice(1)] }), ['inclusion']),
      bad('a-checkpoint-before-the-entry', log.proof(4, log.checkpoint(witnesses, 4)), ['inclusion'], {
        kind: 'kv',
        item: patches[1],
      }),
      bad('signed-by-another-key', log.proof(0, stranger.checkpoint(witnesses)), ['log_signature']),
      bad('not-signed', changed({ checkpoint: seen.replace(/— signet.*\n/, '') }), ['log_signature']),
      bad('too-few-witnesses', log.proof(0, log.checkpoint([witnesses[0]])), ['witnesses']),
      bad('nothing-right', stranger.proof(1, stranger.checkpoint([], 7)), [
        'entry',
        'inclusion',
        'log_signature',
        'witnesses',
      ]),
      bad('another-header', changed({}).replace('@v1', '@v2'), ['proof']),
      bad('index-2-to-53-less-1', changed({ index: 2 ** 53 - 1 }), ['inclusion']),
      bad('index-2-to-53', changed({}).replace('index 0', 'index 9007199254740992'), ['proof']),
      bad('index-of-5000-digits', changed({}).replace('index 0', `index ${'9'.repeat(5000)}`), ['proof']),
      bad('index-with-a-leading-zero', changed({}).replace('index 0', 'index 00'), ['proof']),
      bad('without-an-index', changed({}).replace('index 0\n', ''), ['proof']),
      bad('entry-not-base64', changed({}).replace('extra ', 'extra !'), ['proof']),
      bad('hash-of-31-bytes', changed({ proof: [hashes[0].subarray(1), ...hashes.slice(1)] }), ['proof']),
      bad('65-hashes', changed({ proof: Array(65).fill(hashes[0]) }), ['proof']),
      bad('with-carriage-returns', changed({}).replaceAll('\n', '\r\n'), ['proof']),
      bad('checkpoint-not-readable', changed({ checkpoint: 'nothing\n' }), ['proof']),
      bad('empty', '', ['proof']),
    ],
  };
}
