/** Exports whose map is older than their records, of another log, or counts other ones: erased ones hide none. */
import { verifyChain } from '@signet/verify';
import { linkEntry, patchEntry } from '@signet/verify/internal/log';
import { avatarKey, MapState, writeMapEntry } from '@signet/verify/internal/map';
import { entryOf, erasedLink, erasedPatch } from './erased.mjs';
import { Log, ORIGIN, policyOf, witnesses } from './log.mjs';
import { accepted, alice, hex, linksOf, numbered, patchesOf, refused, START, without } from './people.mjs';

/**
 * @import { ExportedLog, SignedLink, SignedPatch } from '@signet/verify'
 * @import { Change, Expected, Vector } from './types.d.ts'
 */

const GITHUB = { platform: 'github', identity: 'alice' };
const SIGNED = START + 6000;
const STRANGE = 'an entry of somebody else';

const LINKS = numbered(
  linksOf(alice, [
    { platform: 'dns', identity: 'alice.example' },
    GITHUB,
    { ...GITHUB, action: 'delete' },
    { platform: 'dns', identity: 'alice.test' },
    { platform: 'dns', identity: 'alice.invalid' },
    { platform: 'github', identity: 'alice2' },
  ]),
);
const PATCHES = numbered(
  patchesOf(alice, [
    { patch: { name: 'Alice' } },
    ...['Ulm', 'Bonn', 'Kiel', 'Trier', 'Jena'].map((city) => ({ patch: { city } })),
  ]),
);

/**
 * @typedef {{ links: SignedLink[], patches: SignedPatch[], log: ExportedLog }} Records of an export
 * @typedef {(links: SignedLink[], patches: SignedPatch[]) => Omit<Records, 'log'> & { bindings: object[] }} ExportOf
 * @typedef {{ uncounted?: string[], shown?: string[], mapBy?: number, provenBy?: number, lies?: Record<string, object>,
 *   first?: string, signer?: string, origin?: string }} RecordsOptions see `recordsOf`
 */

/**
 * What the log, the map and a file have of a record, named by `link` or `patch` and its number.
 * @param {string} name
 */
function recordOf(name) {
  const [what, number] = name.split(' ');
  if (what === 'patch') {
    const item = PATCHES[Number(number)];
    return { item, gone: erasedPatch(item), entry: patchEntry(item, START + 1000) };
  }
  const item = LINKS[Number(number)];
  return { item, gone: erasedLink(item), entry: linkEntry(item, START + 1000) };
}

/**
 * The links, patches and log of an export. `steps` are the entries of the log behind a first one of somebody else:
 * records, `erase` and a record, and `map`, which is the last. The file has the answer by the map number `mapBy`, and
 * proofs by the tree of the map number `provenBy`. Records of `uncounted` are left out of a map that is wrong. `shown`
 * are the records of the file, all by themselves; `lies` has, by the name of an erased one, what the file and its
 * erasure say in its place. `first`, `signer` and `origin` make it another log.
 * @param {string[]} steps
 * @param {RecordsOptions} [options]
 * @returns {Records}
 */
function recordsOf(steps, options = {}) {
  const {
    uncounted = [],
    shown = steps.filter((step) => /^(link|patch)/.test(step)),
    mapBy = 0,
    provenBy = -1,
    lies = {},
  } = options;
  /** @param {string} name */
  const goneOf = (name) => ({ ...recordOf(name).gone, ...lies[name] });
  const { first = STRANGE, signer = 'log', origin = ORIGIN } = options;
  const entries = [first];
  const state = new MapState();
  state.apply(null);
  const places = new Map();
  /** @type {{ log: Log, checkpoint: string, map: object }[]} */
  const trees = [];
  for (const step of steps) {
    const name = step.replace('erase ', '');
    places.set(step, entries.length);
    if (step === 'map') {
      const size = entries.length;
      entries.push(writeMapEntry({ recorded_at: SIGNED, root: hex(state.root()), size }));
      const log = new Log([...entries], signer, origin);
      const checkpoint = log.checkpoint(witnesses.slice(0, 2), entries.length, SIGNED);
      trees.push({ log, checkpoint, map: answerOf(state, alice.avatar, log.proof(size, checkpoint)) });
      state.apply(null);
      continue;
    }
    const text = step === name ? recordOf(name).entry : entryOf(goneOf(name));
    entries.push(text);
    state.apply(uncounted.includes(step) ? null : JSON.parse(text));
  }
  /** @param {number} place from the end, where it is negative */
  const treeAt = (place) => trees[place < 0 ? trees.length + place : place];
  const { log, checkpoint } = treeAt(provenBy);
  const { map } = treeAt(mapBy);
  /** @param {string} name */
  const isGone = (name) => steps.includes(`erase ${name}`);
  /** @param {string} name */
  const itemOf = (name) => without(isGone(name) ? goneOf(name) : recordOf(name).item, 'id', 'avatar');
  /** @param {string[]} names @param {(name: string) => string} stepOf */
  const proofsOf = (names, stepOf) =>
    Object.fromEntries(names.map((name) => [itemOf(name).uuid, log.proof(places.get(stepOf(name)), checkpoint)]));
  const proofs = proofsOf(shown, (name) => name);
  const erasures = proofsOf(shown.filter(isGone), (name) => `erase ${name}`);
  /** @param {string} what */
  const listOf = (what) => shown.filter((name) => name.startsWith(what)).map(itemOf);
  const links = /** @type {SignedLink[]} */ (listOf('link'));
  const patches = /** @type {SignedPatch[]} */ (listOf('patch'));
  return { links, patches, log: { verifier_key: log.key, proofs, erasures, map } };
}

/**
 * What the map has of an Avatar, with the proof that it is in the log.
 * @param {MapState} state
 * @param {string} avatar
 * @param {string} logProof
 */
export function answerOf(state, avatar, logProof) {
  const key = avatarKey(avatar);
  const { siblings, end } = state.prove(key);
  return {
    key: hex(key),
    value: state.avatar(avatar),
    proof: { siblings: siblings.map(hex), end: end && { key: hex(end.key), value_hash: hex(end.valueHash) } },
    holders: null,
    holder: null,
    log_proof: logProof,
  };
}

const REVOKED = ['link 0', 'link 1', 'link 2'];

/**
 * An export whose newest link and newest patch were erased before the map was made.
 * @param {ExportOf} exportOf
 */
export function completeErased(exportOf) {
  const steps = [...REVOKED, 'link 3', 'patch 0', 'patch 1', 'erase link 3', 'erase patch 1', 'map'];
  return fileOf(exportOf, recordsOf(steps));
}

/** @param {ExportOf} exportOf @param {Records} records */
function fileOf(exportOf, { links, patches, log }) {
  const { bindings } = verifyChain(links, { avatar: alice.avatar });
  return { ...exportOf(links, patches), bindings: exportOf(bindings, []).bindings, log };
}

/**
 * The vectors; each changes the file of `completeErased`.
 * @param {ExportOf} exportOf
 * @param {(id: string, file: string, changes: Change[], expected: Expected, policy?: string) => Vector} vector
 */
export function completeExports(exportOf, vector) {
  const FILE = 'exports/complete-erased.json';
  /**
   * @param {string} id
   * @param {Records & { unproven?: string[], unsaid?: string[] }} records
   * @param {Expected} expected
   * @param {string} [policy]
   */
  const changed = (id, { unproven = [], unsaid = [], ...records }, expected, policy) => {
    const { links, patches, bindings, log } = fileOf(exportOf, records);
    const changes = Object.entries({ links, patches, bindings, log }).map(([name, value]) => ({
      ...{ op: 'replace', path: `/${name}` },
      value,
    }));
    /** @param {string} what @param {string[]} names */
    const remove = (what, names) =>
      names.map((name) => ({ op: 'remove', path: `/log/${what}/${recordOf(name).item.uuid}` }));
    const removed = [...remove('proofs', unproven), ...remove('erasures', unsaid)];
    return vector(`complete-${id}`, FILE, [...changes, ...removed], expected, policy);
  };
  /** @param {...string} open */
  const erased = (...open) => accepted({}, ['erased', 'post', ...open]);
  const wrong = refused(['complete'], ['erased', 'post']);
  const unordered = refused(['complete', 'logged'], ['erased', 'post']);
  const lied = refused(['entry', 'logged'], ['complete', 'erased', 'post']);
  /**
   * A revoke that was erased, and what is said of it.
   * @param {object} changes
   * @param {object} [inErased]
   */
  const revokeSaid = (changes, inErased = {}) => {
    const { gone } = recordOf('link 2');
    const lie = { ...changes, erased: { ...gone.erased, ...inErased } };
    return recordsOf([...REVOKED, 'link 3', 'erase link 2', 'map'], { lies: { 'link 2': lie } });
  };
  /** The create in front and the revoke were erased. Each stands in the place of the other, with its signature. */
  const exchanged = recordsOf([...REVOKED, 'link 3', 'erase link 0', 'erase link 2', 'map'], {
    shown: ['link 2', 'link 1', 'link 0', 'link 3'],
    lies: { 'link 0': { signature: LINKS[2].signature }, 'link 2': { signature: LINKS[0].signature } },
  });
  const POST = accepted({}, ['post']);
  const NOT_ALL = refused(['complete'], ['post']);
  const NEWER = [...REVOKED, 'map', 'link 3', 'map'];
  const NEWER_ERASED = [...REVOKED, 'map', 'link 3', 'erase link 3', 'map'];
  const open = accepted({}, ['complete', 'post']);
  const BOUND = ['link 0', 'link 1'];
  const revokedAfter = ['map', 'link 2', 'map'];
  const ofBound = recordsOf([...BOUND, 'map']);
  /**
   * The file of what is bound, with the map of another log or tree.
   * @param {Records} other
   */
  const withMapOf = ({ log }) => ({ ...ofBound, log: { ...ofBound.log, map: log.map } });
  /** @param {Records} other */
  const bothLogs = ({ log }) => `log ${log.verifier_key}\n${policyOf({ key: ofBound.log.verifier_key })}`;
  const otherLog = recordsOf(['map'], { signer: 'other log', origin: 'other.example/log' });
  const otherKey = recordsOf([...BOUND, 'map'], { signer: 'other log' });
  const otherTree = recordsOf([...BOUND, 'map'], { first: 'another entry' });
  const hidden = recordsOf(NEWER_ERASED, { shown: ['link 0', 'link 1', 'link 3'] });
  /**
   * The third record is hidden; a newer one, which is not erased, stands between two that were erased.
   * @param {string} what
   */
  const between = (what) => {
    const [first, second, third, fourth, fifth, newer] = [0, 1, 2, 3, 4, 5].map((number) => `${what} ${number}`);
    const counted = [first, second, third, fourth, fifth, `erase ${fourth}`, `erase ${fifth}`];
    return recordsOf([...counted, 'map', newer, 'map'], { shown: [first, second, fifth, newer, fourth] });
  };
  return [
    vector('complete-erased', FILE, [], erased()),
    changed(
      'erased-after-the-map',
      recordsOf([...REVOKED, 'link 3', 'map', 'erase link 3', 'map']),
      erased('complete'),
    ),
    changed('with-a-newer-link', recordsOf(NEWER), open),
    changed('by-a-map-newer-than-the-proofs', recordsOf([...REVOKED, 'map', 'map'], { mapBy: -1, provenBy: 0 }), POST),
    changed(
      'before-the-revoke-by-the-map-and-the-proofs-of-that-time',
      recordsOf([...BOUND, ...revokedAfter], { shown: BOUND, provenBy: 0 }),
      POST,
    ),
    changed(
      'with-a-revoke-hidden-behind-a-map-from-before-it',
      recordsOf([...BOUND, ...revokedAfter], { shown: BOUND }),
      open,
    ),
    changed(
      'with-a-revoke-hidden-behind-a-map-from-before-all-links',
      recordsOf(['map', ...REVOKED, 'map'], { shown: BOUND }),
      open,
    ),
    changed('by-a-map-of-another-log-of-the-policy', withMapOf(otherLog), NOT_ALL, bothLogs(otherLog)),
    changed('by-a-map-of-another-key-of-the-log', withMapOf(otherKey), NOT_ALL, bothLogs(otherKey)),
    changed('by-a-map-of-another-tree-of-this-size', withMapOf(otherTree), NOT_ALL),
    changed(
      'with-a-newer-link-without-a-proof',
      { ...recordsOf(NEWER), unproven: ['link 3'] },
      accepted({}, ['complete', 'logged', 'post']),
    ),
    changed('with-a-newer-link-that-was-erased', recordsOf(NEWER_ERASED), erased('complete')),
    changed('with-a-revoke-hidden-behind-a-newer-link-that-was-erased', hidden, wrong),
    changed(
      'with-a-revoke-hidden-behind-an-erased-link-without-a-proof',
      { ...hidden, unproven: ['link 3'] },
      erased('complete', 'logged'),
    ),
    changed(
      'with-a-revoke-hidden-among-erased-links',
      recordsOf([...REVOKED, 'link 3', 'erase link 3', 'link 4', 'map', 'link 5', 'erase link 5', 'map'], {
        shown: ['link 0', 'link 1', 'link 5', 'link 3', 'link 4'],
      }),
      unordered,
    ),
    changed('with-a-revoke-hidden-and-a-newer-link-between-erased-ones', between('link'), unordered),
    changed(
      'with-a-revoke-hidden-and-a-newer-link-between-erased-ones-without-a-proof',
      { ...between('link'), unproven: ['link 5'] },
      unordered,
    ),
    changed(
      'with-a-patch-hidden-and-a-newer-one-between-erased-ones',
      between('patch'),
      refused(['complete', 'logged'], ['erased']),
    ),
    changed(
      'with-a-patch-hidden-and-a-newer-one-between-erased-ones-without-a-proof',
      { ...between('patch'), unproven: ['patch 5'] },
      refused(['complete', 'logged'], ['erased']),
    ),
    changed('with-a-revoke-erased-under-the-key-of-no-name', revokeSaid({}, { identity_key: 'ab'.repeat(32) }), lied),
    changed(
      'with-a-revoke-erased-under-the-key-of-another-name',
      revokeSaid({}, { identity_key: recordOf('link 0').gone.erased.identity_key }),
      lied,
    ),
    changed('with-a-revoke-erased-as-a-create', revokeSaid({ action: 'create' }), lied),
    changed('with-an-erased-revoke-in-the-place-of-another-link', exchanged, refused(['logged'], ['erased', 'post'])),
    changed(
      'erased-and-no-proof-of-the-erasure',
      { ...recordsOf([...REVOKED, 'link 3', 'erase link 2', 'map']), unsaid: ['link 2'] },
      erased('logged'),
    ),
    changed(
      'with-one-erased-link-more-than-the-map',
      recordsOf([...REVOKED, 'link 3', 'erase link 3', 'map'], { uncounted: ['link 3'] }),
      wrong,
    ),
    changed(
      'with-one-erased-patch-more-than-the-map',
      recordsOf(['link 0', 'patch 0', 'patch 1', 'erase patch 1', 'map'], { uncounted: ['patch 1'] }),
      wrong,
    ),
    changed(
      'with-two-links-more-than-the-map-the-first-erased-later',
      recordsOf([...REVOKED, 'link 3', 'map', 'erase link 2', 'map'], { uncounted: ['link 2', 'link 3'] }),
      wrong,
    ),
  ];
}
