/** Receipts of writes, before a policy, a link or patch, and a proof of the log. */
import { linkEntry, patchEntry, receiptHash, receiptText } from '@signet/verify/internal/log';
import { noteSigner } from '@signet/verify/log-sign';
import { entryOf, erasedLink } from './erased.mjs';
import { feed, Log, logAlone, ORIGIN, policyOf, RECORDED, SIGNED, witnesses } from './log.mjs';
import { accepted, alice, person, refused, uuidOf, without } from './people.mjs';

/**
 * @import { FeedLink, FeedPatch } from '@signet/verify/log'
 * @import { RecordedLinkItem, RecordedPatchItem } from '@signet/verify/internal/log'
 * @import { NoteSigner } from '@signet/verify/log-sign'
 * @import { Expected } from './types.d.ts'
 */

const DEADLINE = RECORDED + 86_400;

/** Good receipts, and each kind of forging. */
export function receipts() {
  const { links, patches } = feed();
  const [link, post] = links;
  const [patch] = patches;
  const otherwise = { ...post, proof_location: '1' };
  const late = linkEntry({ ...links[2], id: 99 }, RECORDED + 301);
  const log = new Log([
    linkEntry(link, RECORDED),
    linkEntry(otherwise, RECORDED),
    patchEntry(patch, RECORDED),
    late,
    linkEntry(links[2], RECORDED + 300),
    entryOf(erasedLink(link)),
  ]);
  const [policy, alone] = [policyOf(log), logAlone(log)];
  const seen = log.checkpoint(witnesses);
  const seenLate = log.checkpoint(witnesses, log.leaves.length, DEADLINE + 1);
  const other = new Log(log.entries, 'second log', 'other.example/log');
  const bothLogs = `log ${other.key}\n${policy}`;

  /** @param {object} item */
  const about = (item) => ('patch' in item ? { kind: 'kv', item } : { kind: 'link', item });
  /** @param {RecordedLinkItem | RecordedPatchItem} item */
  const hashOf = (item) => receiptHash('patch' in item ? { patch: item } : { link: item });
  /** @param {FeedLink | FeedPatch} item @param {object} [changes] */
  const fields = (item, changes = {}) => ({
    log: ORIGIN,
    kind: 'patch' in item ? 'kv' : 'link',
    avatar: alice.avatar,
    uuid: item.uuid,
    hash: hashOf(item),
    time: RECORDED,
    deadline: DEADLINE,
    ...changes,
  });
  /** @param {string} text @param {NoteSigner} [signer] */
  const sign = (text, signer = log.signer) => `${text}\n${signer.sign(text)}`;
  /** @param {FeedLink | FeedPatch} item @param {object} [changes] */
  const receiptOf = (item, changes) => sign(receiptText(fields(item, changes)));
  /**
   * @param {string} id
   * @param {string} receipt
   * @param {object} more
   * @param {Expected} expected
   * @param {string} [given]
   */
  const vector = (id, receipt, more, expected, given = policy) => ({ id, receipt, ...more, policy: given, expected });
  /**
   * @param {string} id
   * @param {FeedLink | FeedPatch} item
   * @param {object} more
   * @param {string[]} [open]
   * @param {object} [changes]
   * @param {string} [given]
   */
  const good = (id, item, more, open, changes, given) =>
    vector(id, receiptOf(item, changes), more, accepted(fields(item, changes), open), given);
  /**
   * @param {string} id
   * @param {string} receipt
   * @param {string[]} reasons
   * @param {object} [more]
   * @param {string[]} [open]
   * @param {string} [given]
   */
  const bad = (id, receipt, reasons, more = {}, open = [], given = policy) =>
    vector(id, receipt, more, refused(reasons, open), given);
  /** @param {string} id @param {string} receipt */
  const unread = (id, receipt) => vector(id, receipt, {}, refused(['receipt']));
  const own = receiptOf(link);
  const text = receiptText(fields(link));
  const stranger = noteSigner(ORIGIN, person('other log').secret);
  /** @param {object} item @param {number} index @param {string} [checkpoint] */
  const proven = (item, index, checkpoint = seen) => ({ ...about(item), proof: log.proof(index, checkpoint) });
  const withoutProof = ['logged_in_time'];
  /** @param {(text: string) => string} change */
  const changedText = (change) => sign(change(text));
  return {
    description:
      'Receipts of writes. `item` is the link (`kind` is `link`) or patch (`kv`) that is at hand, and `proof` the proof file, where there are any; `now` is in UNIX seconds.',
    vectors: [
      good('alone', link, {}, ['logged_in_time', 'record']),
      good('of-a-link', link, about(link), withoutProof),
      good('of-a-patch', patch, about(patch), withoutProof),
      good('of-a-link-of-a-chain', link, about(without(link, 'id', 'avatar')), withoutProof),
      good('of-a-link-whatever-its-number', link, about({ ...link, id: 77, archive_id: 'later' }), withoutProof),
      good('in-the-log', link, proven(link, 0), []),
      good('a-patch-in-the-log', patch, proven(patch, 2), []),
      good('in-the-log-without-the-link', link, { proof: log.proof(0, seen) }, ['entry', 'record']),
      good('of-a-link-that-was-erased', link, about(erasedLink(link)), ['logged_in_time', 'record']),
      good('in-the-log-and-erased', link, { ...about(erasedLink(link)), proof: log.proof(0, seen) }, [
        'entry',
        'record',
      ]),
      bad(
        'with-the-proof-of-the-erasure',
        own,
        ['entry', 'logged_in_time'],
        { ...about(erasedLink(link)), proof: log.proof(5, seen) },
        ['record'],
      ),
      good('seen-by-witnesses-after-the-deadline', link, proven(link, 0, seenLate), ['logged_in_time']),
      good(
        'asked-for-before-the-deadline',
        link,
        { ...proven(link, 0, log.checkpoint()), now: DEADLINE },
        ['witnesses'],
        {},
        alone,
      ),
      good(
        'asked-for-after-the-deadline',
        link,
        { ...proven(link, 0, log.checkpoint()), now: DEADLINE + 1 },
        ['logged_in_time', 'witnesses'],
        {},
        alone,
      ),
      good('of-a-key-that-is-no-point', link, {}, ['logged_in_time', 'record'], { avatar: `0x02${'ff'.repeat(32)}` }),
      bad('proof-without-an-entry', own, ['entry', 'inclusion', 'logged_in_time'], {
        ...about(link),
        proof: log.proof(0, seen, { extra: null }),
      }),
      bad('of-a-link-without-its-platform', own, ['record'], about(without(link, 'platform')), withoutProof),
      bad('in-the-log-and-another-link-at-hand', own, ['entry', 'record'], {
        ...about({ ...link, extra: {} }),
        proof: log.proof(0, seen),
      }),
      good('recorded-300-seconds-behind-the-receipt', links[2], proven(links[2], 4), []),
      good('without-time-to-wait', link, about(link), withoutProof, { deadline: RECORDED }),
      bad('of-another-link', own, ['record'], about(post), withoutProof),
      bad('of-a-patch-for-a-link', receiptOf(patch), ['record'], about(link), withoutProof),
      bad('of-a-link-with-another-place-of-its-post', receiptOf(post), ['record'], about(otherwise), withoutProof),
      bad('of-a-link-with-another-extra', own, ['record'], about({ ...link, extra: {} }), withoutProof),
      bad('of-a-link-without-extra', own, ['record'], about(without(link, 'extra')), withoutProof),
      bad(
        'of-another-avatar',
        receiptOf(link, { avatar: person('mallory').avatar }),
        ['record'],
        about(link),
        withoutProof,
      ),
      bad('with-another-uuid', receiptOf(link, { uuid: uuidOf('another') }), ['record'], about(link), withoutProof),
      bad('logged-with-another-place-of-its-post', receiptOf(post), ['record'], proven(otherwise, 1)),
      bad('logged-otherwise-than-it-was-sent', receiptOf(post), ['entry'], proven(post, 1)),
      bad('proof-of-another-entry', own, ['entry'], proven(link, 2)),
      bad('proof-of-another-entry-and-no-link', own, ['entry'], { proof: log.proof(2, seen) }, ['record']),
      bad(
        'recorded-301-seconds-behind-the-receipt',
        receiptOf(links[2]),
        ['logged_in_time'],
        proven({ ...links[2], id: 99 }, 3),
      ),
      bad(
        'promised-for-another-log',
        sign(receiptText(fields(link, { log: other.origin })), other.signer),
        ['logged_in_time'],
        proven(link, 0),
        [],
        bothLogs,
      ),
      bad('proof-that-leads-nowhere', own, ['inclusion'], { ...about(link), proof: log.proof(0, seen, { index: 1 }) }),
      bad('proof-that-no-witness-signed', own, ['witnesses'], proven(link, 0, log.checkpoint()), withoutProof),
      bad('proof-not-readable', own, ['proof'], { ...about(link), proof: 'nothing\n' }),
      bad('signed-by-another-key', sign(text, stranger), ['receipt_signature'], about(link), withoutProof),
      bad(
        'signed-by-a-log-of-another-name',
        sign(text, other.signer),
        ['receipt_signature'],
        about(link),
        withoutProof,
        bothLogs,
      ),
      bad(
        'changed-after-it-was-signed',
        own.replace(String(DEADLINE), String(DEADLINE + 1)),
        ['receipt_signature'],
        about(link),
        withoutProof,
      ),
      bad(
        'signed-by-a-witness',
        `${text}\n${witnesses[0].cosign(text, SIGNED)}`,
        ['receipt_signature'],
        about(link),
        withoutProof,
      ),
      unread('a-checkpoint', seen),
      unread('a-checkpoint-whose-origin-is-the-format', new Log(log.entries, 'log', 'signet-receipt/1').checkpoint()),
      unread('a-proof', log.proof(0, seen)),
      unread('empty', ''),
      unread('without-signatures', text),
      unread(
        'of-another-version',
        changedText((all) => all.replace('/1\n', '/2\n')),
      ),
      unread('of-another-kind', receiptOf(link, { kind: 'erasure' })),
      unread(
        'without-a-deadline',
        changedText((all) => all.replace(/deadline .*\n/, '')),
      ),
      unread(
        'with-one-line-more',
        changedText((all) => `${all}more 1\n`),
      ),
      unread(
        'with-lines-exchanged',
        changedText((all) => all.replace(/(time .*\n)(deadline .*\n)/, '$2$1')),
      ),
      unread(
        'with-two-blanks',
        changedText((all) => all.replace('kind ', 'kind  ')),
      ),
      unread('with-a-carriage-return', own.replaceAll('\n', '\r\n')),
      unread('avatar-in-capitals', receiptOf(link, { avatar: alice.avatar.toUpperCase().replace('0X', '0x') })),
      unread('avatar-uncompressed', receiptOf(link, { avatar: alice.uncompressed })),
      unread('uuid-in-capitals', receiptOf(link, { uuid: link.uuid.toUpperCase() })),
      unread('hash-in-capitals', receiptOf(link, { hash: hashOf(link).toUpperCase() })),
      unread('time-with-a-leading-zero', receiptOf(link, { time: `0${RECORDED}` })),
      unread('deadline-above-2-to-53', receiptOf(link, { deadline: '9007199254740992' })),
      unread('deadline-before-the-time', receiptOf(link, { deadline: RECORDED - 1 })),
      unread('log-with-a-blank', receiptOf(link, { log: 'a b' })),
    ],
  };
}
