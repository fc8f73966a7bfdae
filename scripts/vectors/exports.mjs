/** Exports: some that are right, and each with one thing changed (JSON Patch, RFC 6902). */
import { canonicalJson } from '@signet/verify';
import { rewrittenJson, utf8 } from '@signet/verify/internal';
import { writeProofDocument } from '@signet/verify/internal/signatures';
import { linkEntry, patchEntry } from '@signet/verify/internal/log';
import { MapState, writeMapEntry } from '@signet/verify/internal/map';
import { linkHash } from '@signet/verify/seen';
import { answerOf, completeErased, completeExports } from './complete-exports.mjs';
import { entryOf, erasedLink, erasedPatch } from './erased.mjs';
import { Log, policyOf, witnesses } from './log.mjs';
import {
  accepted,
  alice,
  base64,
  forms,
  hex,
  linksOf,
  mallory,
  numbered,
  patchesOf,
  refused,
  START,
  uuidOf,
  wallet,
  without,
} from './people.mjs';
import { PROOFS } from './platform-proofs.mjs';
import { noteOf, observersOf } from './seen.mjs';

/**
 * @import { SignedLink, SignedPatch } from '@signet/verify'
 * @import { Change, Expected } from './types.d.ts'
 */

const GITHUB = { platform: 'github', identity: 'alice' };
const DNS = { platform: 'dns', identity: 'alice.example' };

/** An entry that was not written by Alice. */
const STRANGE = 'an entry of somebody else';

/** @param {SignedLink[]} links @param {Record<string, string>} [texts] of posts, by platform */
function bindingsOf(links, texts = {}) {
  const live = new Map();
  for (const { action, platform, identity, created_at } of links) {
    live.delete(`${platform} ${identity}`);
    if (action === 'create') live.set(`${platform} ${identity}`, { platform, identity, created_at });
  }
  return [...live.values()].map((binding) => ({
    ...binding,
    last_checked_at: String(START + 3600),
    is_valid: true,
    invalid_reason: '',
    evidence: texts[binding.platform]
      ? {
          url: `https://${binding.platform}.example/post`,
          seen_at: String(START + 3600),
          sha256: 'ab'.repeat(32),
          account_id: '7',
          matched_text: texts[binding.platform],
        }
      : null,
  }));
}

/** @param {SignedLink[]} links @param {SignedPatch[]} patches @param {Record<string, string>} [texts] */
function exportOf(links, patches, texts) {
  return {
    format: 'signet-export',
    version: 1,
    exported_at: String(START + 7200),
    server: 'https://signet.example',
    avatar: alice.avatar,
    links: links.map((link) => ({ ...link, archive_id: '' })),
    patches,
    bindings: bindingsOf(links, texts),
  };
}

/**
 * The numbers of the entries of records in the log below, by their uuids.
 * @param {{ uuid: string }[]} links @param {{ uuid: string }[]} patches
 */
const placesOf = (links, patches) => [
  ...links.map(({ uuid }, index) => /** @type {const} */ ([uuid, 1 + index])),
  ...patches.map(({ uuid }, index) => /** @type {const} */ ([uuid, 9 + index])),
];

/** All kinds of links and patches, and all of them in a log that two witnesses have seen. */
function full() {
  const links = linksOf(alice, [
    {},
    GITHUB,
    { platform: 'solana', identity: wallet.solana },
    { action: 'delete' },
    DNS,
    { ...DNS, action: 'delete' },
    { ...GITHUB, uuid: uuidOf('refreshed') },
  ]);
  links[2].extra = { wallet_signature: base64(wallet.signBytes(utf8(links[2].signature_payload))) };
  const own = { platform: 'self', identity: alice.uncompressed };
  const patches = patchesOf(alice, [
    { ...own, patch: { name: 'Alice', links: ['https://alice.example'] } },
    { ...own, patch: { 10: 'ten', 9: 'nine', name: null }, rewrite: rewrittenJson },
    { platform: 'github', identity: 'alice', patch: { zoë: [1.5, null] } },
  ]);
  const { signature, signature_payload, uuid, created_at } = links[6];
  const fields = { avatar: alice.avatar, identity: 'alice', sign_payload: signature_payload, created_at, uuid };
  const text = writeProofDocument(fields, 'github_username', 'I am alice.').replace('%SIG_BASE64%', signature);
  const log = new Log([
    STRANGE,
    ...numbered(links).map((link) => linkEntry(link, START + 1000)),
    STRANGE,
    ...numbered(patches).map((patch) => patchEntry(patch, START + 1000)),
  ]);
  const checkpoint = log.checkpoint(witnesses.slice(0, 2), log.leaves.length, START + 1100);
  const places = placesOf(links, patches);
  const proofs = Object.fromEntries(places.map(([name, place]) => [name, log.proof(place, checkpoint)]));
  const file = { ...exportOf(links, patches, { github: text }), log: { verifier_key: log.key, proofs } };
  return { file, log, links, patches };
}

/** The full export behind the erasure of a link that was bound again, of a revoke, and of a patch. */
function erasedFile() {
  const { file, log, links, patches } = full();
  const gone = [1, 5].map((place) => erasedLink(numbered(links)[place]));
  const gonePatch = erasedPatch(numbered(patches)[0]);
  const grown = new Log([...log.entries, ...gone.map((link) => entryOf(link)), entryOf(gonePatch)]);
  const checkpoint = grown.checkpoint(witnesses.slice(0, 2), grown.leaves.length, START + 6000);
  /** @template {{ uuid: string }} Item @param {Item} item */
  const inChain = (item) => without(item, 'id', 'avatar');
  /** @param {{ uuid: string }[]} list */
  const shown = (list) =>
    list.map((item) => [...gone, gonePatch].map(inChain).find(({ uuid }) => uuid === item.uuid) ?? item);
  const erasures = Object.fromEntries(
    [...gone, gonePatch].map(({ uuid }, place) => [uuid, grown.proof(log.leaves.length + place, checkpoint)]),
  );
  return {
    ...file,
    links: shown(file.links).map((link) => ({ ...link, archive_id: '' })),
    patches: shown(file.patches),
    log: { ...file.log, erasures },
  };
}

/**
 * The full export with what the map says of Alice: seven links and three patches.
 * @param {{ checkpoint?: (log: Log) => string }} [changes]
 */
function completeFile(changes = {}) {
  const { file, log, links, patches } = full();
  const state = new MapState();
  for (const entry of log.entries) state.apply(entry === STRANGE ? null : JSON.parse(entry));
  const root = hex(state.root());
  const mapped = new Log([...log.entries, writeMapEntry({ recorded_at: START + 1000, root, size: state.size })]);
  const checkpoint = mapped.checkpoint(witnesses.slice(0, 2), mapped.leaves.length, START + 1100);
  /** @param {string} avatar */
  const ofMap = (avatar) =>
    answerOf(state, avatar, mapped.proof(state.size, changes.checkpoint?.(mapped) ?? checkpoint));
  const places = placesOf(links, patches);
  const proofs = Object.fromEntries(places.map(([uuid, place]) => [uuid, mapped.proof(place, checkpoint)]));
  const whole = { ...file, log: { ...file.log, proofs, map: ofMap(alice.avatar) } };
  return { file: whole, ofMallory: ofMap(mallory.avatar) };
}

/** The files, by their names. */
export function exportFiles() {
  const contract = linksOf(alice, [
    { extra: { wallet_signature: base64(Buffer.alloc(100, 9)), chain_id: 1, block_number: 24_000_000 } },
  ]);
  const asked = { chain_id: 10, block_number: 123_456_789 };
  const signedChain = linksOf(alice, [
    { signed: asked, extra: { wallet_signature: base64(Buffer.alloc(100, 9)), ...asked } },
  ]);
  const { file, log } = full();
  return {
    'exports/full.json': file,
    'exports/erased.json': erasedFile(),
    'exports/complete.json': completeFile().file,
    'exports/complete-erased.json': completeErased(exportOf),
    'exports/one-wallet.json': exportOf(linksOf(alice, [{}]), []),
    'exports/wrong-clock.json': exportOf(linksOf(alice, [{ created_at: String(START + 10_800) }, GITHUB]), []),
    'exports/patches-alone.json': exportOf(
      [],
      patchesOf(alice, [{ patch: { name: 'Alice' } }, { patch: { name: null } }]),
    ),
    'exports/contract-wallet.json': exportOf(contract, []),
    'exports/signed-chain.json': exportOf(signedChain, []),
    'exports/policy.txt': policyOf(log),
  };
}

/** Exports with one thing changed. */
export function exports() {
  const { file: whole, log, links, patches } = full();
  const policy = policyOf(log);
  const FULL = 'exports/full.json';
  const POST = ['post'];
  /**
   * @param {string} id
   * @param {string} file
   * @param {Change[]} changes
   * @param {Expected} expected
   * @param {string | null} [given]
   */
  const plain = (id, file, changes, expected, given = policy) => ({
    id,
    file,
    changes,
    ...(given === null ? {} : { policy: given, now: START + 7200 }),
    expected,
  });
  /**
   * @param {string} id
   * @param {string} file
   * @param {Change[]} changes
   * @param {Expected} expected
   * @param {string | null} [given]
   */
  const vector = (id, file, changes, expected, given) =>
    plain(id, file, changes, carriesNoMap(file, changes, expected) ? withOpenMap(expected) : expected, given);
  /** @param {Expected} expected */
  const withOpenMap = ({ not_checkable: others, ...rest }) => ({
    ...rest,
    not_checkable: [...others, 'complete'].sort(),
  });
  /**
   * Whether the log of the file is read, and holds no answer of the map.
   * @param {string} file
   * @param {Change[]} changes
   * @param {Expected} expected
   */
  const carriesNoMap = (file, changes, { reasons }) =>
    (file === FULL || file === GONE) &&
    !reasons.some((reason) => ['file', 'log_key'].includes(reason)) &&
    !changes.some(({ path }) => path === '/log');
  /** @param {string} id @param {string} file @param {string[]} open @param {string | null} [given] */
  const good = (id, file, open, given = policy) => vector(id, file, [], accepted({}, open), given);
  /** @param {string} id @param {Change[]} changes @param {string[]} notCheckable @param {string | null} [given] */
  const open = (id, changes, notCheckable, given) => vector(id, FULL, changes, accepted({}, notCheckable), given);
  /**
   * @param {string} id
   * @param {Change[]} changes
   * @param {string[]} reasons
   * @param {string[]} [notCheckable]
   * @param {string | null} [given]
   */
  const bad = (id, changes, reasons, notCheckable = POST, given = policy) =>
    vector(id, FULL, changes, refused(reasons, notCheckable), given);
  /** @param {string} path @param {unknown} value */
  const replace = (path, value) => [{ op: 'replace', path, value }];
  /** @param {string} path */
  const remove = (path) => [{ op: 'remove', path }];
  /** @param {string} path @param {unknown} value */
  const add = (path, value) => [{ op: 'add', path, value }];
  const GONE = 'exports/erased.json';
  /** @param {string} id @param {Change[]} changes @param {Expected} expected */
  const inErased = (id, changes, expected) => vector(id, GONE, changes, expected);
  /** @param {string} id @param {Change[]} changes */
  const noLog = (id, changes) => plain(id, FULL, changes, refused(['logged'], POST));
  /** With what a platform has signed. @param {string} id @param {object} proofs @param {string[]} open */
  const signed = (id, proofs, open) =>
    vector(
      id,
      FULL,
      Object.entries(proofs).flatMap(([name, proof]) => add(`/bindings/${gist}/evidence/${name}`, proof)),
      accepted({}, [...POST, ...open]),
    );
  /** @param {string} id @param {Change[]} changes */
  const shape = (id, changes) => vector(id, FULL, changes, refused(['file']));
  /** @param {string} id @param {string} written */
  const text = (id, written) => ({ id, text: written, expected: refused(['file']) });
  /** What a link or patch that was changed fails at in its own chain, and in the log. */
  const LOGGED = ['entry', 'logged'];
  /** @param {string} uuid */
  const proofOf = (uuid) => `/log/proofs/${uuid}`;
  /** @param {string} uuid */
  const erasureOf = (uuid) => `/log/erasures/${uuid}`;
  /** @param {string} uuid */
  const proofText = (uuid) => whole.log.proofs[uuid];
  const [first] = links;
  const forked = new Log([...log.entries.slice(0, 8), 'another entry', ...log.entries.slice(9)]);
  const otherTree = forked.proof(11, forked.checkpoint(witnesses.slice(0, 2), forked.leaves.length, START + 1100));
  const stranger = new Log(log.entries, 'other log');
  const unseen = log.proof(1, log.checkpoint([witnesses[2]], log.leaves.length, START + 1100));
  const gist = whole.bindings.findIndex(({ platform }) => platform === 'github');
  const solana = whole.bindings.findIndex(({ platform }) => platform === 'solana');
  const EMPTY =
    '{"format":"signet-export","version":1,"exported_at":"1","server":"","avatar":"' +
    alice.avatar +
    '","links":[],"patches":[],"bindings":[]}';
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
  const json = JSON.stringify(whole);
  const resigned = (() => {
    const [link] = linksOf(alice, [{ ...GITHUB, identity: 'alice2', created_at: String(START + 500) }], links.at(-1));
    return { ...link, archive_id: '' };
  })();
  /** What observers said at the time of the export; of each its number. */
  const statement = { link: linkHash(links[6].signature_payload), ...GITHUB, account: '7', seen: true };
  /** @param {number[]} signers @param {object} [changes] @param {number} [time] */
  const said = (signers, changes = {}, time = START + 7000) =>
    noteOf(
      { ...statement, ...changes },
      signers.map((n) => [n, time]),
    );
  const gone = { account: null, seen: false };
  /** @param {string} id @param {Change[]} changes @param {Expected} expected @param {string | null} [observers] */
  const withSeen = (id, changes, expected, observers = observersOf(3)) => ({
    ...vector(id, FULL, changes, expected),
    ...(observers === null ? {} : { observers }),
  });
  /** @param {...string} notes */
  const seen = (...notes) => add('/seen', notes);
  const { file: all, ofMallory } = completeFile();
  const unwitnessed = completeFile({ checkpoint: (one) => one.checkpoint([witnesses[2]]) }).file.log.map;
  const COMPLETE = 'exports/complete.json';
  /** @param {string} id @param {Change[]} changes @param {Expected} expected @param {string | null} [given] */
  const ofMap = (id, changes, expected, given) => vector(`complete-${id}`, COMPLETE, changes, expected, given);
  const newest = all.links[6].uuid;
  return {
    description:
      'Exports of `file`, to which `changes` (JSON Patch, RFC 6902) are applied first, or of `text`; with the `policy`, the `observers` and the time `now` of the reader, where there are any.',
    vectors: [
      good('full', FULL, POST),
      good('full-without-a-policy', FULL, ['post', 'log_key', 'witnesses'], null),
      good('erased', GONE, ['erased', 'post']),
      inErased(
        'erased-without-the-proof-of-it',
        remove(erasureOf(links[1].uuid)),
        accepted({}, ['erased', 'logged', 'post']),
      ),
      inErased(
        'erased-without-the-proof-of-the-link-itself',
        remove(proofOf(links[1].uuid)),
        accepted({}, ['erased', 'logged', 'post']),
      ),
      inErased('erased-without-any-erasure', remove('/log/erasures'), accepted({}, ['erased', 'logged', 'post'])),
      inErased(
        'erased-with-the-proof-of-the-link-itself-as-that-of-its-erasure',
        replace(erasureOf(links[1].uuid), proofText(links[1].uuid)),
        refused(LOGGED, ['erased', 'post']),
      ),
      inErased(
        'erased-with-the-proof-of-its-erasure-as-its-own',
        replace(proofOf(links[1].uuid), erasedFile().log.erasures[links[1].uuid]),
        refused(LOGGED, ['erased', 'post']),
      ),
      inErased(
        'erased-under-the-key-of-another-name',
        replace('/links/5/erased/identity_key', 'ab'.repeat(32)),
        refused(['bindings', ...LOGGED], ['erased', 'post']),
      ),
      inErased(
        'erased-patch-under-the-key-of-another-name',
        replace('/patches/0/erased/identity_key', 'ab'.repeat(32)),
        refused(LOGGED, ['erased', 'post']),
      ),
      inErased(
        'erased-a-create-and-called-a-delete',
        replace('/links/1/action', 'delete'),
        refused(LOGGED, ['erased', 'post']),
      ),
      inErased(
        'erased-for-another-reason',
        replace('/links/1/erased/reason', 'another'),
        refused(LOGGED, ['erased', 'post']),
      ),
      inErased(
        'erased-and-nothing-says-so',
        remove('/links/1/erased'),
        refused(['fields', 'prev', 'bindings', ...LOGGED], ['erased', 'post']),
      ),
      inErased(
        'erased-and-the-post-is-there',
        replace('/links/1/proof_location', '1'),
        refused(['shape', 'prev', 'link', ...LOGGED], ['erased', 'post']),
      ),
      good('one-wallet', 'exports/one-wallet.json', ['logged']),
      good('wrong-clock', 'exports/wrong-clock.json', ['logged', 'post', 'time']),
      good('patches-alone', 'exports/patches-alone.json', ['logged']),
      good('contract-wallet-erc-1271', 'exports/contract-wallet.json', ['link', 'logged', 'wallet_signature']),
      good('signed-chain', 'exports/signed-chain.json', ['link', 'logged', 'wallet_signature']),
      vector(
        'signed-chain-asked-on-another',
        'exports/signed-chain.json',
        replace('/links/0/extra/chain_id', 1),
        refused(['fields', 'link'], ['logged', 'wallet_signature']),
      ),
      open('evidence-erased', replace(`/bindings/${gist}/evidence/matched_text`, ''), ['post', 'evidence']),
      open('evidence-not-kept', replace(`/bindings/${gist}/evidence`, null), POST),
      open('a-member-that-is-not-known', add('/later', {}), ['post', 'members']),
      open('a-member-of-a-link-that-is-not-known', add('/links/0/later', {}), POST),
      open('a-member-of-a-binding-that-is-not-known', add(`/bindings/${gist}/later`, {}), POST),
      open('a-member-of-evidence-that-is-not-known', add(`/bindings/${gist}/evidence/later`, {}), POST),
      open('a-member-of-the-log-that-is-not-known', add('/log/later', {}), POST),
      open('a-link-names-the-avatar', add('/links/0/avatar', alice.avatar), POST),
      open(
        'the-server-says-that-it-is-not-valid',
        [...replace(`/bindings/${gist}/is_valid`, false), ...replace(`/bindings/${gist}/invalid_reason`, 'gone')],
        POST,
      ),
      open('another-evidence-url', replace(`/bindings/${gist}/evidence/url`, 'https://other.example'), POST),
      open('without-a-log', remove('/log'), ['post', 'logged']),
      open('without-the-proof-of-the-newest-patch', remove(proofOf(patches[2].uuid)), ['post', 'logged']),
      open('without-any-proof', replace('/log/proofs', {}), ['post', 'logged']),
      open('another-verifier-key-before-a-policy', replace('/log/verifier_key', 'nonsense'), POST),
      good('complete', COMPLETE, POST),
      good('complete-without-a-policy', COMPLETE, ['post', 'log_key', 'witnesses'], null),
      ofMap(
        'without-the-newest-link',
        [
          ...remove('/links/6'),
          ...remove(proofOf(newest)),
          ...replace(
            `/bindings/${gist}`,
            bindingsOf(links.slice(0, 6)).find(({ platform }) => platform === 'github'),
          ),
        ],
        refused(['complete'], POST),
      ),
      ofMap(
        'without-the-newest-patch',
        [...remove('/patches/2'), ...remove(proofOf(patches[2].uuid))],
        refused(['complete'], POST),
      ),
      ofMap(
        'without-the-proof-of-the-newest-patch',
        remove(proofOf(patches[2].uuid)),
        accepted({}, [...POST, 'complete', 'logged']),
      ),
      ofMap('without-the-proof-of-an-older-patch', remove(proofOf(patches[1].uuid)), accepted({}, [...POST, 'logged'])),
      ofMap('by-the-map-of-another', replace('/log/map', ofMallory), refused(['complete'], POST)),
      ofMap('by-another-value', replace('/log/map/value/links', 6), refused(['complete'], POST)),
      ofMap('by-no-value', replace('/log/map/value', null), refused(['complete'], POST)),
      ofMap('by-nothing', replace('/log/map', null), refused(['complete'], POST)),
      ofMap('by-a-map-that-too-few-witnesses-saw', replace('/log/map', unwitnessed), refused(['complete'], POST)),
      ofMap('without-the-map', remove('/log/map'), accepted({}, [...POST, 'complete'])),
      ...completeExports(exportOf, vector),
      signed('with-a-proof-of-a-zone', { proof: PROOFS.dnssec }, ['platform_proof']),
      signed('with-a-proof-of-an-account-server', { proof: PROOFS.atproto }, ['platform_proof']),
      signed('with-a-proof-of-an-end', { gone_proof: PROOFS.atproto }, ['platform_proof']),
      signed('with-a-proof-of-an-unknown-kind', { proof: { type: 'other' } }, ['platform_proof']),
      signed('with-a-proof-that-is-null', { proof: null, gone_proof: null }, []),
      withSeen('seen-by-three-of-three', seen(said([1, 2, 3])), accepted({}, POST)),
      withSeen('seen-by-two-of-three', seen(said([1]), said([2]), said([3], gone)), accepted({}, POST)),
      withSeen('seen-by-one-of-three', seen(said([1])), accepted({}, ['post', 'seen'])),
      withSeen('seen-by-nobody', seen(), accepted({}, ['post', 'seen'])),
      withSeen('seen-and-the-file-has-no-statements', [], accepted({}, ['post', 'seen'])),
      withSeen(
        'seen-by-observers-that-the-reader-does-not-name',
        seen(said([1, 2, 3])),
        accepted({}, ['post', 'seen']),
        null,
      ),
      withSeen('seen-a-week-before', seen(said([1, 2], {}, START + 7200 - 7 * 24 * 3600)), accepted({}, POST)),
      withSeen(
        'seen-longer-ago-than-a-week',
        seen(said([1, 2], {}, START + 7199 - 7 * 24 * 3600)),
        accepted({}, ['post', 'seen']),
      ),
      withSeen('seen-after-the-export', seen(said([1, 2], {}, START + 7501)), accepted({}, ['post', 'seen'])),
      withSeen('seen-as-another-account', seen(said([1, 2, 3], { account: '8' })), accepted({}, ['post', 'seen'])),
      withSeen(
        'seen-the-link-before',
        seen(said([1, 2, 3], { link: linkHash(links[1].signature_payload) })),
        accepted({}, ['post', 'seen']),
      ),
      withSeen(
        'gone-for-two-of-three-where-the-server-says-so-too',
        [...replace(`/bindings/${gist}/is_valid`, false), ...seen(said([1, 2], gone))],
        accepted({}, POST),
      ),
      withSeen('gone-for-two-of-three', seen(said([1, 2], gone), said([3])), refused(['seen'], POST)),
      withSeen('seen-is-not-a-list', add('/seen', 'yes'), refused(['seen'], POST)),
      withSeen('seen-is-not-a-list-of-texts', add('/seen', [1]), refused(['seen'], POST)),

      text('empty', ''),
      text('not-json', json.slice(0, -1)),
      // The mark is no part of the text: what is wrong is that the file holds nothing.
      { ...text('behind-a-byte-order-mark', `\ufeff${EMPTY}`), expected: refused(['content'], ['logged']) },
      text('behind-two-byte-order-marks', `\ufeff\ufeff${EMPTY}`),
      text('a-list', '[]'),
      text('null', 'null'),
      text(
        'half-a-surrogate-pair',
        `{"format":"signet-export","version":1,"exported_at":"1","server":"\\ud83d","avatar":"${alice.avatar}","links":[],"patches":[],"bindings":[]}`,
      ),
      text(
        'a-number-out-of-range',
        `{"format":"signet-export","version":1,"exported_at":"1","server":"","avatar":"${alice.avatar}","links":[],"patches":[],"bindings":[],"n":1e400}`,
      ),
      text(
        '300-deep',
        `{"format":"signet-export","version":1,"exported_at":"1","server":"","avatar":"${alice.avatar}","links":[],"patches":[],"bindings":[],"deep":${deep}}`,
      ),
      shape('another-format', replace('/format', 'other')),
      shape('version-2', replace('/version', 2)),
      shape('version-a-text', replace('/version', '1')),
      shape('without-exported-at', remove('/exported_at')),
      shape('server-a-number', replace('/server', 1)),
      shape('without-an-avatar', remove('/avatar')),
      shape('avatar-empty', replace('/avatar', '')),
      shape('avatar-that-is-no-key', replace('/avatar', 'alice')),
      shape('avatar-that-is-no-point', replace('/avatar', `0x02${'ff'.repeat(32)}`)),
      shape('without-links', remove('/links')),
      shape('patches-a-text', replace('/patches', 'none')),
      shape('bindings-an-object', replace('/bindings', {})),
      shape('a-binding-of-nothing', replace('/bindings/0', null)),
      shape('a-binding-without-its-state', remove('/bindings/0/is_valid')),
      shape('a-binding-without-evidence', remove('/bindings/0/evidence')),
      shape('evidence-a-text', replace(`/bindings/${gist}/evidence`, 'seen')),
      ...['url', 'seen_at', 'sha256', 'account_id', 'matched_text'].flatMap((member) => [
        shape(`evidence-without-its-${member}`, remove(`/bindings/${gist}/evidence/${member}`)),
        shape(`evidence-with-an-object-as-${member}`, replace(`/bindings/${gist}/evidence/${member}`, {})),
      ]),

      vector(
        'nothing-in-it',
        'exports/one-wallet.json',
        [...replace('/links', []), ...replace('/bindings', [])],
        refused(['content'], ['logged']),
      ),
      bad('of-another-avatar', replace('/avatar', mallory.avatar), [
        'fields',
        'canonical_text',
        'signature',
        'link',
        'evidence',
        ...LOGGED,
      ]),
      bad('avatar-in-capitals', replace('/avatar', alice.avatar.toUpperCase().replace('0X', '0x')), [
        'fields',
        'canonical_text',
        'signature',
        'link',
        'evidence',
        ...LOGGED,
      ]),
      bad('avatar-uncompressed', replace('/avatar', alice.uncompressed), [
        'fields',
        'canonical_text',
        'signature',
        'link',
        'evidence',
        ...LOGGED,
      ]),
      bad('without-its-first-link', remove('/links/0'), ['prev', 'binding', 'logged']),
      bad('without-its-newest-link', remove('/links/6'), ['binding', 'logged']),
      bad('without-a-link-in-the-middle', remove('/links/2'), ['prev', 'binding', 'logged']),
      bad('two-links-exchanged', [{ op: 'move', from: '/links/1', path: '/links/2' }], ['prev', 'link', 'logged']),
      bad('a-link-of-nothing', replace('/links/2', null), ['shape', 'prev', 'binding', 'logged']),
      bad('a-link-of-another-action', replace('/links/0/action', 'other'), ['shape', 'prev', 'binding', ...LOGGED]),
      bad('a-link-without-its-text', remove('/links/0/signature_payload'), ['shape', 'prev', 'binding', ...LOGGED]),
      bad('another-identity-in-a-link', replace('/links/1/identity', 'bob'), [
        'fields',
        'canonical_text',
        'bindings',
        ...LOGGED,
      ]),
      bad(
        'another-identity-in-a-link-and-its-binding',
        [...replace('/links/2/identity', mallory.solana), ...replace(`/bindings/${solana}/identity`, mallory.solana)],
        ['fields', 'canonical_text', 'wallet_signature', 'link', ...LOGGED],
      ),
      bad('another-time-of-a-link', replace('/links/0/created_at', String(START + 1)), [
        'fields',
        'canonical_text',
        ...LOGGED,
      ]),
      bad('a-delete-made-a-create', replace('/links/3/action', 'create'), [
        'fields',
        'canonical_text',
        'wallet_signature',
        'bindings',
        ...LOGGED,
      ]),
      bad('another-place-of-a-post', replace('/links/1/proof_location', '1'), LOGGED),
      bad(
        'another-wallet-signature',
        replace('/links/0/extra/wallet_signature', mallory.sign(first.signature_payload)),
        ['wallet_signature', ...LOGGED],
      ),
      bad('a-link-names-another-avatar', add('/links/0/avatar', mallory.avatar), ['avatar']),
      bad('a-signature-of-another-key', replace('/links/6/signature', mallory.sign(links[6].signature_payload)), [
        'signature',
        'link',
        ...LOGGED,
      ]),
      bad(
        'a-signature-as-its-high-s-twin',
        replace('/links/6/signature', base64(forms.highS(links[6].signature))),
        LOGGED,
      ),
      bad(
        'a-signed-text-with-a-blank',
        replace('/links/6/signature_payload', links[6].signature_payload.replace(',', ', ')),
        ['canonical_text', 'signature', 'link', 'evidence', ...LOGGED],
      ),
      bad('another-patch', replace('/patches/0/patch/name', 'Bob'), ['fields', 'canonical_text', ...LOGGED]),
      bad('a-number-in-a-patch', replace('/patches/2/patch/zoë/0', 1.25), ['fields', 'canonical_text', ...LOGGED]),
      bad('without-its-first-patch', remove('/patches/0'), ['prev', 'logged']),
      bad('without-its-newest-patch', remove('/patches/2'), ['logged']),
      bad('a-patch-repeated', [{ op: 'copy', from: '/patches/2', path: '/patches/3' }], ['prev', 'uuid', 'logged']),
      bad(
        'a-rewritten-text-in-canonical-order',
        replace('/patches/1/signature_payload', canonicalOf(patches[1].signature_payload)),
        ['signature', ...LOGGED],
      ),
      bad('a-binding-that-nobody-signed', add('/bindings/0', { ...whole.bindings[solana], identity: mallory.solana }), [
        'binding',
      ]),
      bad(
        'a-binding-that-was-deleted',
        add('/bindings/0', {
          ...whole.bindings[solana],
          platform: 'ethereum',
          identity: wallet.address,
          created_at: first.created_at,
        }),
        ['binding'],
      ),
      bad('a-binding-from-before', replace(`/bindings/${gist}/created_at`, links[1].created_at), ['binding']),
      bad('silent-about-a-binding', remove(`/bindings/${solana}`), ['bindings']),
      bad(
        'a-post-of-somebody-else',
        replace(`/bindings/${gist}/evidence/matched_text`, mallory.sign(links[6].signature_payload)),
        ['evidence'],
      ),
      bad('a-post-over-an-older-link', replace(`/bindings/${gist}/evidence/matched_text`, links[1].signature), [
        'evidence',
      ]),
      bad('a-link-that-is-not-in-the-log', add('/links/7', resigned), ['bindings'], ['post', 'logged']),

      bad('log-null', replace('/log', null), ['logged']),
      noLog('log-without-a-key', remove('/log/verifier_key')),
      noLog('log-without-proofs', remove('/log/proofs')),
      noLog('erasures-that-are-a-list', add('/log/erasures', [])),
      noLog('an-erasure-that-is-not-a-text', add('/log/erasures', { [first.uuid]: 1 })),
      bad('an-erasure-of-a-link-that-is-there', add('/log/erasures', { [first.uuid]: proofText(first.uuid) }), [
        'logged',
      ]),
      noLog('a-proof-that-is-not-a-text', replace(proofOf(first.uuid), {})),
      bad('a-proof-that-is-not-one', replace(proofOf(first.uuid), 'nothing'), ['proof', 'witnesses', 'logged']),
      bad('a-proof-of-another-link', replace(proofOf(first.uuid), proofText(links[1].uuid)), LOGGED),
      bad('a-proof-of-an-unknown-uuid', add(proofOf(uuidOf('unknown')), proofText(first.uuid)), ['logged']),
      bad('a-hash-of-a-proof-changed', replace(proofOf(first.uuid), spoiltHash(proofText(first.uuid))), [
        'inclusion',
        'logged',
      ]),
      bad('an-index-changed', replace(proofOf(first.uuid), proofText(first.uuid).replace('index 1\n', 'index 2\n')), [
        'inclusion',
        'logged',
      ]),
      bad(
        'a-proof-of-another-log',
        replace(proofOf(first.uuid), stranger.proof(1, stranger.checkpoint(witnesses.slice(0, 2)))),
        ['log_signature', 'logged'],
      ),
      bad('a-checkpoint-with-one-witness', replace(proofOf(first.uuid), unseen), ['witnesses', 'logged']),
      bad('another-tree-of-the-same-size', replace(proofOf(patches[2].uuid), otherTree), ['log_history']),
      bad('witnesses-from-the-future', [], ['witnesses', 'logged']),
      bad('nobody-is-believed', [], ['log_signature', 'logged'], ['post', 'witnesses'], 'quorum none\n'),
      bad('another-log-is-believed', [], ['log_signature', 'logged'], POST, policyOf(stranger)),
      bad('verifier-key-is-nonsense', replace('/log/verifier_key', 'nonsense'), ['log_key'], POST, null),
      bad(
        'verifier-key-of-a-witness',
        replace('/log/verifier_key', policy.split('\n')[1].split(' ')[2]),
        ['log_key'],
        POST,
        null,
      ),
      bad(
        'verifier-key-of-another-log',
        replace('/log/verifier_key', stranger.key),
        ['log_signature', 'logged'],
        ['post', 'log_key', 'witnesses'],
        null,
      ),
      bad(
        'no-proof-is-one-and-no-policy',
        replace('/log/proofs', { [first.uuid]: 'nothing' }),
        ['proof', 'logged'],
        ['post', 'log_key', 'witnesses'],
        null,
      ),
    ].map((given) => (given.id === 'witnesses-from-the-future' ? { ...given, now: START + 1100 - 301 } : given)),
  };
}

/** @param {string} written */
const canonicalOf = (written) => canonicalJson(JSON.parse(written));

/** @param {string} proof */
function spoiltHash(proof) {
  const lines = proof.split('\n');
  const bytes = Buffer.from(lines[3], 'base64');
  bytes[0] ^= 1;
  lines[3] = bytes.toString('base64');
  return lines.join('\n');
}
