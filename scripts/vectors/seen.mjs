/** What other servers saw: statements, observers and quorums. */
import { SEEN_KEY, statementText } from '@signet/verify/internal/log';
import { linkHash, writeVerifierKey } from '@signet/verify/seen';
import { verifierKey } from '@signet/verify/log';
import { cosigner, noteSigner, observer } from '@signet/verify/log-sign';
import { accepted, alice, linksOf, person, refused, START } from './people.mjs';

/** @import { Statement } from '@signet/verify/seen' */

/** The example of docs/verify.md: two observers, whose seeds are 32 bytes 01 and 32 bytes 02. */
const EXAMPLE_TEXT = statementText({
  link: linkHash('payload of the link'),
  platform: 'github',
  identity: 'alice-demo',
  account: '9000001',
  seen: true,
});
const [mirror, other] = /** @type {[string, number, number][]} */ ([
  ['mirror.example/seen', 1, 1_763_846_400],
  ['other.example/seen', 2, 1_763_850_000],
]).map(([name, fill, time]) => ({ ...observer(name, new Uint8Array(32).fill(fill)), time }));

const DAY = 24 * 3600;
export const NOW = START + 30 * DAY;

/** Observers of the lists below: `o1` to `o7`. */
const watchers = [1, 2, 3, 4, 5, 6, 7].map((n) =>
  observer(`observer${n}.example/seen`, person(`observer ${n}`).secret),
);
/** @param {number} n */
const keyOf = (n) => writeVerifierKey(watchers[n - 1].key);
/** @param {number} count @param {...string} more */
export const observersOf = (count, ...more) =>
  [...watchers.slice(0, count).map((_, n) => `observer o${n + 1} ${keyOf(n + 1)}`), ...more, ''].join('\n');

const [link] = linksOf(alice, [{ platform: 'github', identity: 'alice' }]);
const ABOUT = { link: linkHash(link.signature_payload), platform: 'github', identity: 'alice' };

/**
 * The note of some observers; of each its number and, if not an hour before `NOW`, the time.
 * @param {Statement} statement
 * @param {(number | number[])[]} signers
 */
export function noteOf(statement, signers) {
  const text = statementText(statement);
  const lines = signers.map((one) => {
    const [n, time] = Array.isArray(one) ? one : [one, NOW - 3600 - one];
    return watchers[n - 1].sign(text, time);
  });
  return `${text}\n${lines.join('')}`;
}
/** @param {(number | number[])[]} signers @param {Partial<Statement>} [changes] */
const yes = (signers, changes = {}) => noteOf({ ...ABOUT, account: '9000001', seen: true, ...changes }, signers);
/** @param {(number | number[])[]} signers @param {Partial<Statement>} [changes] */
const no = (signers, changes = {}) => noteOf({ ...ABOUT, account: null, seen: false, ...changes }, signers);

export function seenStatements() {
  const lines = [mirror, other].map((one) => one.sign(EXAMPLE_TEXT, one.time));
  const note = `${EXAMPLE_TEXT}\n${lines.join('')}`;
  const key = writeVerifierKey(mirror.key);
  const facts = { link: linkHash('payload of the link'), platform: 'github', identity: 'alice-demo' };
  /** @param {string} id @param {string} text @param {object} expected @param {string} [by] */
  const good = (id, text, expected, by = key) => ({ id, note: text, key: by, expected: accepted(expected) });
  /** @param {string} id @param {string} text @param {string} [reason] @param {string} [by] */
  const bad = (id, text, reason = 'statement', by = key) => ({
    id,
    note: text,
    key: by,
    expected: refused([reason]),
  });
  /** @param {string} text @param {number} [time] */
  const signed = (text, time = mirror.time) => `${text}\n${mirror.sign(text, time)}`;
  /** @param {Partial<Statement>} changes */
  const of = (changes) => statementText({ ...facts, account: '9000001', seen: true, ...changes });
  const read = { ...facts, account: '9000001', seen: true };
  /** @param {number} type */
  const ofType = (type) => writeVerifierKey(verifierKey(mirror.key.name, type, mirror.key.publicKey));
  /** @template Signer @param {(name: string, seed: Uint8Array) => Signer} signer */
  const lineOf = (signer) => signer(mirror.key.name, new Uint8Array(32).fill(1));
  return {
    description: 'Statements of observers (signet-seen/1): which can be read, and which a key has signed, when.',
    vectors: [
      good('example-of-the-first', note, { ...read, time: mirror.time }),
      good('example-of-the-second', note, { ...read, time: other.time }, writeVerifierKey(other.key)),
      good('not-there', signed(of({ seen: false, account: null })), {
        ...{ ...read, account: null, seen: false },
        time: mirror.time,
      }),
      good('an-identity-with-blanks-and-letters-outside-ascii', signed(of({ identity: ' zoë 𝒳 ' })), {
        ...{ ...read, identity: ' zoë 𝒳 ' },
        time: mirror.time,
      }),
      good('at-the-beginning-of-time', signed(of({}), 0), { ...read, time: 0 }),
      good('a-line-twice', note + lines[0], { ...read, time: mirror.time }),
      bad('a-key-with-two-lines-that-differ', note + mirror.sign(EXAMPLE_TEXT, 1), 'seen_signature'),
      bad('of-another-key', signed(EXAMPLE_TEXT), 'seen_signature', writeVerifierKey(other.key)),
      bad('another-time', note.replace('QcGtKAAAAABp', 'QcGtKAAAAABq'), 'seen_signature'),
      bad('another-text-under-the-line', note.replace('seen yes', 'seen no'), 'seen_signature'),
      bad('another-account', note.replace('account 9000001', 'account 9000002'), 'seen_signature'),
      bad('another-name-on-the-line', note.replace('— mirror.example', '— mirrar.example'), 'seen_signature'),
      bad('line-without-a-time', `${EXAMPLE_TEXT}\n${lineOf(noteSigner).sign(EXAMPLE_TEXT)}`, 'seen_signature'),
      bad('cosignature-instead', `${EXAMPLE_TEXT}\n${lineOf(cosigner).cosign(EXAMPLE_TEXT, 5)}`, 'seen_signature'),
      bad(
        'key-of-a-witness',
        `${EXAMPLE_TEXT}\n${lineOf(cosigner).cosign(EXAMPLE_TEXT, 5)}`,
        'seen_signature',
        ofType(4),
      ),
      bad('key-of-a-log', `${EXAMPLE_TEXT}\n${lineOf(noteSigner).sign(EXAMPLE_TEXT)}`, 'seen_signature', ofType(1)),
      bad('empty', ''),
      bad('without-signatures', EXAMPLE_TEXT),
      bad('carriage-returns', note.replaceAll('\n', '\r\n')),
      bad('another-format', signed(EXAMPLE_TEXT.replace('seen/1', 'seen/2'))),
      bad('lines-in-another-order', signed(EXAMPLE_TEXT.replace(/(platform.*\n)(identity.*\n)/, '$2$1'))),
      bad('a-line-less', signed(EXAMPLE_TEXT.replace(/account.*\n/, ''))),
      bad('a-line-more', signed(`${EXAMPLE_TEXT}more 1\n`)),
      bad('link-in-capitals', signed(of({ link: facts.link.toUpperCase() }))),
      bad('link-too-short', signed(of({ link: facts.link.slice(2) }))),
      bad('platform-in-capitals', signed(of({ platform: 'GitHub' }))),
      bad('without-an-identity', signed(of({ identity: '' }))),
      bad('identity-of-1025-bytes', signed(of({ identity: `${'ë'.repeat(512)}e` }))),
      bad('without-an-account', signed(of({ account: '' }))),
      bad('account-with-a-blank', signed(of({ account: 'a b' }))),
      bad('account-of-129-characters', signed(of({ account: '9'.repeat(129) }))),
      bad('seen-perhaps', signed(EXAMPLE_TEXT.replace('seen yes', 'seen perhaps'))),
    ],
  };
}

export function observerLists() {
  /** @param {string} id @param {string} text @param {string[]} names @param {number | null} needed */
  const good = (id, text, names, needed) => ({ id, observers: text, expected: accepted({ names, needed }) });
  /** @param {string} id @param {...string} lines */
  const bad = (id, ...lines) => ({ id, observers: lines.join('\n'), expected: refused(['observers']) });
  /** @param {number} count */
  const names = (count) => watchers.slice(0, count).map((_, n) => `o${n + 1}`);
  /** @param {number} n @param {string} [operator] */
  const line = (n, operator = `o${n}`) => `observer ${operator} ${keyOf(n)}`;
  const second = verifierKey('second.example/seen', SEEN_KEY, watchers[6].key.publicKey);
  /** @param {number} type */
  const ofType = (type) => writeVerifierKey(verifierKey('observer1.example/seen', type, watchers[0].key.publicKey));
  return {
    description: 'Lists of observers: which can be read, and how many observers have to agree.',
    vectors: [
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => good(`of-${n}`, observersOf(n), names(n), [null, 1, 2, 3, 4, 4, 5][n - 1])),
      good('empty', '', [], null),
      good('comments-tabs-and-urls', `# hello\n\n \tobserver\to1  ${keyOf(1)} https://a.example\n`, ['o1'], null),
      good('one-who-is-enough', observersOf(1, 'quorum 1'), ['o1'], 1),
      good('all-of-three', observersOf(3, 'quorum 3'), names(3), 3),
      good('an-operator-with-two-keys', [line(1), line(2), line(3, 'o1')].join('\n'), ['o1', 'o2'], 1),
      bad('quorum-0', observersOf(2), 'quorum 0'),
      bad('quorum-above-the-number', observersOf(2), 'quorum 3'),
      bad('quorum-above-the-number-of-operators', line(1), line(2, 'o1'), 'quorum 2'),
      bad('two-quorums', observersOf(2), 'quorum 1', 'quorum 1'),
      bad('quorum-of-words', observersOf(2), 'quorum all'),
      bad('quorum-of-two-words', observersOf(2), 'quorum 1 2'),
      bad('a-key-twice', line(1), line(1, 'o2')),
      bad('a-key-under-two-names', line(7), `observer o8 ${writeVerifierKey(second)}`),
      bad('unknown-keyword', 'witness w1'),
      bad('without-a-key', 'observer o1'),
      bad('with-four-words', `${line(1)} https://a.example b`),
      good('line-ends-of-windows', `${line(1)}\r\n`, ['o1'], null),
      good('behind-a-byte-order-mark', `\ufeff${line(1)}`, ['o1'], null),
      bad('behind-two-byte-order-marks', `\ufeff\ufeff${line(1)}`),
      bad('a-carriage-return', line(1).replace('o1 ', 'o1\r')),
      bad('two-carriage-returns', `${line(1)}\r\r`),
      bad('key-of-a-log', `observer o1 ${ofType(1)}`),
      bad('key-of-a-witness', `observer o1 ${ofType(4)}`),
      bad('another-id', line(1).replace(/\+[0-9a-f]{8}\+/, '+00000000+')),
    ],
  };
}

export function quorums() {
  const LAST = NOW - 3601;
  /** @param {number[]} names @param {string} state */
  const view = (names, state) => Object.fromEntries(names.map((n) => [`o${n}`, state]));
  /**
   * @param {string} id
   * @param {string[]} notes
   * @param {string} observers
   * @param {object} expected
   * @param {object} [changes]
   */
  const vector = (id, notes, observers, expected, changes = {}) => ({
    id,
    notes,
    ...{ observers, binding: ABOUT, now: NOW },
    ...changes,
    expected: accepted({ last_at: null, account: null, ...expected }),
  });
  /**
   * @param {number} count
   * @param {number} of
   * @param {number} needed
   * @param {object} states
   * @param {object} [changes]
   */
  const seen = (count, of, needed, states, changes = {}) => ({
    ...{ result: 'seen', count, of, needed, last_at: LAST, account: '9000001', states },
    ...changes,
  });
  /**
   * @param {number} count
   * @param {number} of
   * @param {number} needed
   * @param {object} states
   * @param {object} [changes]
   */
  const none = (count, of, needed, states, changes = {}) => ({
    result: 'no_quorum',
    count,
    of,
    needed,
    states,
    ...changes,
  });
  const some = { last_at: LAST, account: '9000001' };
  /** @param {number[]} names */
  const missing = (names) => view(names, 'no_statement');
  const three = observersOf(3);
  return {
    description: 'What observers say together of one binding: statements, a list of observers and a time.',
    vectors: [
      vector('three-of-three', [yes([1, 2, 3])], three, seen(3, 3, 2, view([1, 2, 3], 'seen'))),
      vector(
        'three-in-notes-of-their-own',
        [yes([1]), yes([2]), yes([3])],
        three,
        seen(3, 3, 2, view([1, 2, 3], 'seen')),
      ),
      vector('one-is-missing', [yes([1, 2])], three, seen(2, 3, 2, { ...view([1, 2], 'seen'), ...missing([3]) })),
      vector(
        'one-says-otherwise',
        [yes([1, 2]), no([3])],
        three,
        seen(2, 3, 2, { ...view([1, 2], 'seen'), o3: 'not_seen' }),
      ),
      vector(
        'one-lies-and-one-is-missing',
        [yes([1]), no([2])],
        three,
        none(1, 3, 2, { o1: 'seen', o2: 'not_seen', ...missing([3]) }, some),
      ),
      vector('one-says-yes-where-two-saw-that-it-is-gone', [yes([3]), no([1, 2])], three, {
        result: 'not_seen',
        count: 2,
        of: 3,
        needed: 2,
        last_at: LAST,
        states: { ...view([1, 2], 'not_seen'), o3: 'seen' },
      }),
      vector(
        'the-newest-counts-behind-any-number-of-older-ones',
        [
          yes([[3, NOW - 60]]),
          ...range(1, 30).map((n) => yes([[1, NOW - DAY - n]])),
          ...range(1, 199).map((n) => yes([[3, NOW - DAY]], { account: String(n) })),
          yes([[2, NOW - DAY]]),
          no([1, 2]),
        ],
        three,
        {
          ...{ result: 'not_seen', count: 2, of: 3, needed: 2, last_at: LAST },
          states: { ...view([1, 2], 'not_seen'), o3: 'seen' },
        },
      ),
      vector(
        'behind-twenty-false-lines-of-a-key-nothing-of-it-is-verified',
        [yes([1, 2, 3]), ...range(1, 20).map((n) => yes([[1, NOW - 3600 + n]]).replace('seen yes', 'seen no'))],
        three,
        seen(2, 3, 2, { ...missing([1]), ...view([2, 3], 'seen') }, { last_at: NOW - 3602 }),
      ),
      vector(
        'behind-nineteen-false-lines-of-a-key-it-is-and-copies-do-not-count',
        [
          ...range(1, 19).map((n) => yes([[1, NOW - 3600 + n]]).replace('seen yes', 'seen no')),
          ...range(1, 30).map(() => yes([[1, NOW - 3600 + 1]]).replace('seen yes', 'seen no')),
          yes([1, 2, 3]),
        ],
        three,
        seen(3, 3, 2, view([1, 2, 3], 'seen')),
      ),
      vector('nobody', [], three, none(0, 3, 2, missing([1, 2, 3]))),
      vector('not-there-whatever-the-account-was', [no([1], { account: '9000001' }), no([2])], three, {
        result: 'not_seen',
        count: 2,
        of: 3,
        needed: 2,
        last_at: LAST,
        states: { ...view([1, 2], 'not_seen'), ...missing([3]) },
      }),
      vector('one-alone-claims-nothing', [yes([1])], observersOf(1), {
        ...{ result: 'no_claim', count: 1, of: 1, needed: null, ...some, states: view([1], 'seen') },
      }),
      vector(
        'one-alone-whom-the-reader-believes',
        [yes([1])],
        observersOf(1, 'quorum 1'),
        seen(1, 1, 1, view([1], 'seen')),
      ),
      vector('one-of-two', [yes([1])], observersOf(2), seen(1, 2, 1, { o1: 'seen', ...missing([2]) })),
      vector(
        'two-who-contradict-each-other',
        [yes([1]), no([2])],
        observersOf(2),
        none(1, 2, 1, { o1: 'seen', o2: 'not_seen' }, some),
      ),
      ...[4, 5].map((n) =>
        vector(`two-of-${n}-are-missing`, [yes(range(1, n - 2))], observersOf(n), {
          ...none(n - 2, n, n - 1, { ...view(range(1, n - 2), 'seen'), ...missing([n - 1, n]) }, some),
        }),
      ),
      ...[6, 7].map((n) =>
        vector(`two-of-${n}-are-missing`, [yes(range(1, n - 2))], observersOf(n), {
          ...seen(n - 2, n, n - 2, { ...view(range(1, n - 2), 'seen'), ...missing([n - 1, n]) }),
        }),
      ),
      vector(
        'three-of-7-are-missing',
        [yes([1, 2, 3, 4])],
        observersOf(7),
        none(4, 7, 5, { ...view([1, 2, 3, 4], 'seen'), ...missing([5, 6, 7]) }, some),
      ),
      vector(
        'all-are-asked-for',
        [yes([1, 2])],
        observersOf(3, 'quorum 3'),
        none(2, 3, 3, { ...view([1, 2], 'seen'), ...missing([3]) }, some),
      ),
      vector(
        'an-operator-with-two-keys-counts-once',
        [yes([1, 3])],
        [`observer o1 ${keyOf(1)}`, `observer o2 ${keyOf(2)}`, `observer o1 ${keyOf(3)}`, 'quorum 2'].join('\n'),
        none(1, 2, 2, { o1: 'seen', ...missing([2]) }, some),
      ),
      vector(
        'unknown-keys-do-not-count',
        [yes([1, 4, 5])],
        three,
        none(1, 3, 2, { o1: 'seen', ...missing([2, 3]) }, some),
      ),
      vector(
        'copies-do-not-count',
        [yes([1]), yes([1]), yes([1, 1])],
        three,
        none(1, 3, 2, { o1: 'seen', ...missing([2, 3]) }, some),
      ),
      vector('the-newest-counts', [yes([[1, NOW - 9000]]), no([1]), yes([2, 3])], three, {
        ...seen(2, 3, 2, { o1: 'not_seen', ...view([2, 3], 'seen') }, { last_at: NOW - 3602 }),
      }),
      vector(
        'two-texts-at-one-time',
        [yes([[1, NOW]]), no([[1, NOW]]), yes([2])],
        three,
        none(1, 3, 2, { o1: 'contradictory', o2: 'seen', ...missing([3]) }, { ...some, last_at: NOW - 3602 }),
      ),
      vector(
        'a-week-old',
        [
          yes([
            [1, NOW - 7 * DAY],
            [2, NOW - 7 * DAY],
          ]),
        ],
        three,
        {
          ...seen(2, 3, 2, { ...view([1, 2], 'seen'), ...missing([3]) }, { last_at: NOW - 7 * DAY }),
        },
      ),
      vector(
        'older-than-a-week',
        [yes([[1, NOW - 7 * DAY - 1], 2])],
        three,
        none(1, 3, 2, { o1: 'too_old', o2: 'seen', ...missing([3]) }, { ...some, last_at: NOW - 3602 }),
      ),
      vector('five-minutes-ahead', [yes([[1, NOW + 300], 2])], three, {
        ...seen(2, 3, 2, { ...view([1, 2], 'seen'), ...missing([3]) }, { last_at: NOW + 300 }),
      }),
      vector(
        'from-the-future',
        [yes([[1, NOW + 301], 2])],
        three,
        none(1, 3, 2, { o1: 'from_the_future', o2: 'seen', ...missing([3]) }, { ...some, last_at: NOW - 3602 }),
      ),
      vector(
        'another-account',
        [yes([1, 2]), yes([3], { account: '9000002' })],
        three,
        seen(2, 3, 2, { ...view([1, 2], 'seen'), o3: 'other_account' }),
      ),
      vector(
        'each-another-account',
        [yes([1]), yes([2], { account: '9000002' })],
        observersOf(2),
        none(1, 2, 1, { o1: 'seen', o2: 'other_account' }, some),
      ),
      vector(
        'not-the-account-that-the-reader-knows',
        [yes([1, 2, 3])],
        three,
        none(0, 3, 2, view([1, 2, 3], 'other_account')),
        { binding: { ...ABOUT, account: '9000002' } },
      ),
      vector(
        'the-account-that-the-reader-knows',
        [yes([1, 2], { account: '9000002' }), yes([3])],
        three,
        none(1, 3, 2, { ...view([1, 2], 'other_account'), o3: 'seen' }, { ...some, last_at: NOW - 3603 }),
        { binding: { ...ABOUT, account: '9000001' } },
      ),
      vector('accounts-without-an-id', [yes([1, 2], { account: null })], three, {
        ...seen(2, 3, 2, { ...view([1, 2], 'seen'), ...missing([3]) }, { account: null }),
      }),
      vector(
        'no-id-where-the-reader-knows-that-there-is-none',
        [yes([1, 2], { account: null }), yes([3])],
        three,
        seen(2, 3, 2, { ...view([1, 2], 'seen'), o3: 'other_account' }, { account: null }),
        { binding: { ...ABOUT, account: null } },
      ),
      vector(
        'of-another-link',
        [yes([1, 2, 3], { link: linkHash('another') })],
        three,
        none(0, 3, 2, missing([1, 2, 3])),
      ),
      vector('of-another-identity', [yes([1, 2, 3], { identity: 'bob' })], three, none(0, 3, 2, missing([1, 2, 3]))),
      vector('of-another-platform', [yes([1, 2, 3], { platform: 'gitlab' })], three, none(0, 3, 2, missing([1, 2, 3]))),
      vector(
        'what-is-no-statement-does-not-matter',
        ['nothing', yes([1, 2]), yes([3]).replace('seen yes', 'seen no')],
        three,
        seen(2, 3, 2, { ...view([1, 2], 'seen'), ...missing([3]) }),
      ),
    ],
  };
}

/** @param {number} from @param {number} to */
function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, place) => from + place);
}
