/** Answers of `GET /v1/log/map`, good ones, and one for each way to leave something out or to make something up. */
import { createHash } from 'node:crypto';
import { canonicalJson, encodeHex } from '@signet/verify';
import {
  avatarKey,
  holderKey,
  identityKey,
  MapState,
  SparseTree,
  valueHash,
  valueText,
  writeMapEntry,
} from '@signet/verify/internal/map';
import { Log, logAlone, ORIGIN, policyOf, RECORDED, witnesses } from './log.mjs';
import { accepted, alice, copyOf, mallory, person, refused, uuidOf, without } from './people.mjs';

/** @import { Expected, Person, Question, Vector } from './types.d.ts' */

/** @param {string} text */
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const [bob, carol, dave] = ['bob', 'carol', 'dave'].map(person);
const NAME = { platform: 'github', identity: 'alice' };
const OTHER = { platform: 'dns', identity: 'example.org' };

/**
 * Links and patches in the order of the log; a map entry stands behind each round.
 * @type {{ owner: Person, platform?: string, identity?: string, kind?: string, action?: string }[][]}
 */
const ROUNDS = [
  [
    { ...NAME, owner: alice },
    { ...NAME, owner: bob },
    { ...OTHER, owner: alice },
    { owner: bob, kind: 'kv' },
  ],
  [
    { ...NAME, owner: carol },
    { ...NAME, owner: carol, action: 'delete' },
    { ...NAME, owner: mallory },
    { ...OTHER, owner: mallory },
    { owner: alice, kind: 'kv' },
    { owner: alice, kind: 'kv' },
  ],
  [
    { ...OTHER, owner: alice, action: 'delete' },
    { ...NAME, owner: dave },
    // Of kinds that later versions may have.
    { owner: dave, kind: 'key' },
    { owner: dave, kind: 'key' },
    { owner: dave, kind: 'op' },
    { owner: carol, kind: 'op' },
  ],
];

/**
 * @typedef {ReturnType<MappedLog['answer']>} Answer
 * @typedef {NonNullable<Parameters<MappedLog['answer']>[1]>} AnswerOptions
 * @typedef {(answer: any) => unknown} ChangeOf makes something of an answer, which a forger may change in any way
 */

/** A log with a map, and the state of the map at each map entry. */
class MappedLog {
  constructor() {
    const state = new MapState();
    /** @type {string[]} */
    const entries = [];
    /** @type {Record<string, number>} */
    const ids = { link: 0, kv: 0, key: 0, op: 0 };
    /** @type {MapState[]} */
    this.states = [];
    for (const round of ROUNDS) {
      for (const { owner, kind = 'link', action = 'create', ...name } of round) {
        const id = ++ids[kind];
        const { avatar } = owner;
        const { platform = NAME.platform, identity = NAME.identity } = name;
        const place = { id, uuid: uuidOf(`${kind} ${id} of the map`), record: sha256(`${kind} ${id}`) };
        const about = { ...(kind === 'link' && { action }), identity_key: encodeHex(identityKey(platform, identity)) };
        const isKnown = kind === 'link' || kind === 'kv';
        const entry = canonicalJson({
          ...{ avatar, kind },
          ...(isKnown && { ...place, ...about, recorded_at: RECORDED, v: 1 }),
        });
        entries.push(entry);
        state.apply(JSON.parse(entry));
      }
      this.states.push(new MapState(undefined, state.save()));
      entries.push(entryOf(state));
      state.apply(null);
    }
    this.log = new Log(entries);
  }

  /**
   * An honest answer; `state` and the checkpoint may be others.
   * @param {Question} question
   * @param {{ state?: MapState, log?: Log, checkpoint?: string, index?: number, names?: boolean }} [options]
   */
  answer(
    question,
    { state = this.states[this.states.length - 1], log = this.log, checkpoint, index, names = true } = {},
  ) {
    const { platform, identity, avatar } = question;
    const key = platform === undefined ? avatarKey(avatar) : identityKey(platform, identity);
    const held = platform === undefined ? null : state.holders(platform, identity);
    const tree = treeOf(held ?? new Map());
    const ofIdentity = held?.size ? { holders: held.size, root: encodeHex(tree.root()) } : null;
    const value = platform === undefined ? state.avatar(avatar) : ofIdentity;
    const asksOne = platform !== undefined && avatar !== undefined;
    const link = avatar === undefined ? undefined : held?.get(avatar);
    return {
      key: encodeHex(key),
      value,
      proof: proofOf(state, key),
      holders: held && !asksOne && names ? ordered(held) : null,
      holder:
        asksOne && value
          ? { value: link === undefined ? null : { link }, proof: proofOf(tree, holderKey(avatar)) }
          : null,
      log_proof: log.proof(index ?? log.entries.length - 1, checkpoint),
    };
  }

  /**
   * The log with another last entry.
   * @param {string} entry
   */
  endingWith(entry) {
    return new Log([...this.log.entries.slice(0, -1), entry]);
  }
}

/**
 * What an answer shows.
 * @param {Pick<Answer, 'value' | 'holders' | 'holder'>} answer
 */
const factsOf = ({ value, holders, holder }) => ({ value, holders, holder: holder?.value ?? null });

/** @param {MapState} state @param {{ size?: number }} [options] */
function entryOf(state, { size = state.size } = {}) {
  return writeMapEntry({ recorded_at: RECORDED, root: encodeHex(state.root()), size });
}

/** @param {Map<string, number>} holders */
function treeOf(holders) {
  const tree = new SparseTree();
  for (const [avatar, link] of holders) tree.set(holderKey(avatar), valueHash(valueText({ link })));
  return tree;
}

/** @param {Map<string, number>} holders */
function ordered(holders) {
  const keyed = [...holders].map(([avatar, link]) => ({ key: encodeHex(holderKey(avatar)), avatar, link }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : 1));
  return keyed.map((holder) => without(holder, 'key'));
}

/** @param {Pick<SparseTree, 'prove'>} tree @param {Uint8Array} key */
function proofOf(tree, key) {
  const { siblings, end } = tree.prove(key);
  return {
    siblings: siblings.map(encodeHex),
    end: end && { key: encodeHex(end.key), value_hash: encodeHex(end.valueHash) },
  };
}

export function answers() {
  const mapped = new MappedLog();
  const { log, states } = mapped;
  const [first, before, last] = states;
  const [policy, alone] = [policyOf(log), logAlone(log)];
  const size = log.entries.length - 1;
  const seen = log.checkpoint(witnesses.slice(1));
  const ofAlice = { avatar: alice.avatar };
  const nobody = { ...NAME, identity: 'nobody' };
  const stranger = { avatar: person('stranger').avatar };
  /** @param {Question} question @param {AnswerOptions} [options] */
  const honest = (question, options) => mapped.answer(question, { checkpoint: seen, ...options });
  /**
   * @param {string} id
   * @param {Question} question
   * @param {unknown} answer
   * @param {Expected} expected
   * @param {string} [given]
   */
  const vector = (id, question, answer, expected, given = policy) => ({
    id: `answer-${id}`,
    kind: 'answer',
    question,
    answer,
    policy: given,
    expected,
  });
  /**
   * @param {string} id
   * @param {Question} question
   * @param {AnswerOptions} [options]
   * @param {string} [given]
   * @param {(answer: Answer) => object} [change]
   */
  const good = (id, question, options, given, change = (answer) => answer) => {
    const said = honest(question, options);
    const answer = change(said);
    const facts = { size, ...factsOf(said) };
    return vector(id, question, answer, accepted(facts, given === alone ? ['witnesses'] : []), given);
  };
  /**
   * @param {string} id
   * @param {Question} question
   * @param {ChangeOf} change
   * @param {string[]} reasons
   * @param {AnswerOptions} [options]
   */
  const bad = (id, question, change, reasons, options) => {
    const answer = copyOf(honest(question, options));
    return vector(id, question, change(answer) ?? answer, refused(reasons));
  };
  /** @param {Answer} answer */
  const keep = (answer) => answer;
  /** @param {object} changes @returns {ChangeOf} */
  const changed = (changes) => (answer) => ({ ...answer, ...changes });
  const old = mapped.answer(ofAlice, { state: before, checkpoint: seen });
  const ofName = honest(NAME);
  const ofOther = honest(OTHER);
  const asked = { ...NAME, avatar: bob.avatar };
  const unheld = { ...NAME, avatar: carol.avatar };
  const later = mapped.endingWith(entryOf(last, { size: size + 1 }));
  const short = mapped.endingWith(entryOf(last, { size: size - 1 }));
  const another = mapped.endingWith(log.entries[0]);
  const strange = new Log(log.entries, 'another log', ORIGIN);
  /** @param {Log} other */
  const witnessed = (other) => other.checkpoint(witnesses.slice(1));
  /** @param {Log} other */
  const withEntry = (other) => changed({ log_proof: other.proof(size, witnessed(other)) });
  /**
   * What a map says that has one identity, held by so many Avatars, without their names.
   * @param {number} holders
   */
  const crowd = (holders) => {
    const key = identityKey(NAME.platform, NAME.identity);
    return falseMap(key, { holders, root: sha256('the tree of its holders') });
  };
  /**
   * What a map says that has one value.
   * @param {Uint8Array} key
   * @param {any} value
   */
  const falseMap = (key, value) => {
    const tree = new SparseTree();
    tree.set(key, valueHash(valueText(value)));
    const other = mapped.endingWith(writeMapEntry({ recorded_at: RECORDED, root: encodeHex(tree.root()), size }));
    const logProof = other.proof(size, witnessed(other));
    return { key: encodeHex(key), value, proof: proofOf(tree, key), holders: null, holder: null, log_proof: logProof };
  };
  /** A state of Alice that names entries which are not there. @param {object} changes */
  const stateOfAlice = (changes) =>
    falseMap(avatarKey(alice.avatar), { link: null, links: 0, patch: null, patches: 0, ...changes });
  // One Avatar holds a name by an entry that is not there: what is said of all holders, and of this one.
  const lateHolders = treeOf(new Map([[bob.avatar, size]]));
  const heldLater = falseMap(identityKey(NAME.platform, NAME.identity), {
    holders: 1,
    root: encodeHex(lateHolders.root()),
  });
  const ofBob = { value: { link: size }, proof: proofOf(lateHolders, holderKey(bob.avatar)) };
  return [
    good('avatar', ofAlice),
    good('avatar-without-links', { avatar: dave.avatar }),
    good('avatar-with-entries-of-later-kinds', { avatar: dave.avatar }),
    good('avatar-of-the-newest-entry', { avatar: carol.avatar }),
    good('avatar-without-entries', stranger),
    good('without-witnesses', ofAlice, { checkpoint: log.checkpoint() }, alone),
    good('identity', NAME),
    good('identity-of-one', OTHER),
    good('identity-of-nobody', nobody),
    vector('identity-of-1001-without-names', NAME, crowd(1001), accepted({ size, ...factsOf(crowd(1001)) })),
    good('holder', asked),
    good('no-holder', unheld),
    good('holder-where-there-is-none', { ...nobody, avatar: bob.avatar }),
    good('with-more-members-than-are-known', ofAlice, {}, policy, (answer) => ({
      ...answer,
      more: 1,
      proof: { ...answer.proof, more: 1, end: { ...answer.proof.end, more: 1 } },
    })),
    // The newest links of Alice are left out, and one of two holders of a name.
    bad('value-of-before', ofAlice, changed({ value: old.value }), ['map_value']),
    bad('value-and-proof-of-before', ofAlice, changed({ value: old.value, proof: old.proof }), ['map_proof']),
    bad('an-old-map-with-a-new-tree-head', ofAlice, keep, ['map_last'], {
      state: first,
      index: ROUNDS[0].length,
    }),
    bad('an-entry-that-is-not-the-last', ofAlice, keep, ['map_last', 'map_proof'], { index: ROUNDS[0].length }),
    bad('a-map-of-more-entries', ofAlice, withEntry(later), ['map_size']),
    bad('a-map-of-fewer-entries', ofAlice, withEntry(short), ['map_size']),
    bad('a-tree-head-without-a-map', ofAlice, withEntry(another), ['map_entry']),
    bad('of-another-log', ofAlice, withEntry(strange), ['log_signature']),
    bad('of-one-witness', ofAlice, keep, ['witnesses'], { checkpoint: log.checkpoint(witnesses.slice(2)) }),
    bad('entry-not-in-the-tree', ofAlice, changed({ log_proof: log.proof(size, seen, { proof: [] }) }), ['inclusion']),
    bad('without-an-entry', ofAlice, changed({ log_proof: log.proof(size, seen, { extra: null }) }), [
      'inclusion',
      'map_entry',
    ]),
    bad('no-proof-of-the-log', ofAlice, changed({ log_proof: seen }), ['proof']),
    bad('of-another-avatar', ofAlice, () => honest({ avatar: bob.avatar }), ['map_key', 'map_proof']),
    bad('of-another-avatar-under-this-key', ofAlice, ({ key }) => ({ ...honest({ avatar: bob.avatar }), key }), [
      'map_proof',
    ]),
    bad('with-the-key-of-another', ofAlice, changed({ key: encodeHex(avatarKey(bob.avatar)) }), ['map_key']),
    bad('says-nothing-where-there-is-a-value', ofAlice, changed({ value: null }), ['map_value']),
    bad('says-a-value-where-there-is-none', stranger, changed({ value: old.value }), ['map_value']),
    bad('absence-by-a-leaf-of-another-place', ofAlice, changed({ value: null, proof: honest(stranger).proof }), [
      'map_proof',
    ]),
    bad('absence-by-nothing-at-all', ofAlice, changed({ value: null, proof: { siblings: [], end: null } }), [
      'map_proof',
    ]),
    bad(
      'proof-of-257-siblings',
      ofAlice,
      ({ proof, ...answer }) => ({
        ...answer,
        proof: { ...proof, siblings: Array(257).fill('00'.repeat(32)) },
      }),
      ['map_proof'],
    ),
    bad('a-holder-left-out', NAME, ({ holders }) => ({ ...ofName, holders: holders.slice(1) }), ['map_holders']),
    bad('all-holders-left-out', NAME, changed({ holders: [] }), ['map_holders']),
    bad(
      'a-holder-more',
      NAME,
      ({ holders }) => ({ ...ofName, holders: [...holders, { avatar: carol.avatar, link: 6 }] }),
      ['map_holders'],
    ),
    bad('a-holder-twice', NAME, ({ holders }) => ({ ...ofName, holders: [...holders.slice(1), holders[1]] }), [
      'map_holders',
    ]),
    bad(
      'a-holder-exchanged',
      NAME,
      ({ holders: [one, ...others] }) => ({
        ...ofName,
        holders: [{ ...one, avatar: carol.avatar }, ...others],
      }),
      ['map_holders'],
    ),
    bad(
      'a-holder-of-another-link',
      NAME,
      ({ holders: [one, ...others] }) => ({
        ...ofName,
        holders: [{ ...one, link: one.link + 1 }, ...others],
      }),
      ['map_holders'],
    ),
    bad('few-holders-without-names', NAME, keep, ['map_holders'], { names: false }),
    vector('identity-of-1000-without-names', NAME, crowd(1000), refused(['map_holders'])),
    // Entries that are newer than the map, which was signed so.
    bad('newest-link-behind-the-map', ofAlice, () => stateOfAlice({ link: size, links: 1 }), ['map_value']),
    bad('newest-patch-behind-the-map', ofAlice, () => stateOfAlice({ patch: size + 7, patches: 1 }), ['map_value']),
    bad('newest-of-a-later-kind-behind-the-map', ofAlice, () => stateOfAlice({ key: size, keys: 1 }), ['map_value']),
    bad(
      'holders-by-an-entry-behind-the-map',
      NAME,
      () => ({ ...heldLater, holders: [{ avatar: bob.avatar, link: size }] }),
      ['map_holders'],
    ),
    bad('holder-by-an-entry-behind-the-map', asked, () => ({ ...heldLater, holder: ofBob }), ['map_holder']),
    bad('nobody-without-a-list', nobody, keep, ['map_holders'], { names: false }),
    bad('holders-of-nobody', nobody, changed({ holders: ofOther.holders }), ['map_holders']),
    bad('holders-of-another-identity', NAME, changed({ value: ofOther.value, holders: ofOther.holders }), [
      'map_value',
    ]),
    bad('value-of-another-identity', NAME, ({ key }) => ({ ...ofOther, key }), ['map_proof']),
    bad('holder-denied', asked, ({ holder, ...answer }) => ({ ...answer, holder: { ...holder, value: null } }), [
      'map_holder',
    ]),
    bad(
      'holder-claimed',
      unheld,
      ({ holder, ...answer }) => ({ ...answer, holder: { ...holder, value: { link: 0 } } }),
      ['map_holder'],
    ),
    bad('holder-by-the-proof-of-another', unheld, changed({ holder: honest(asked).holder }), ['map_holder']),
    bad(
      'holder-by-the-tree-of-another-identity',
      { ...NAME, avatar: carol.avatar },
      changed({
        holder: honest({ ...OTHER, avatar: carol.avatar }).holder,
      }),
      ['map_holder'],
    ),
    bad('holder-not-answered', asked, changed({ holder: null }), ['map_holder']),
    bad('holder-where-nobody-holds', { ...nobody, avatar: bob.avatar }, changed({ holder: honest(asked).holder }), [
      'map_holder',
    ]),
    ...shapes({ ofAlice, ofName, ofHolder: honest(asked), asked, unheld }, bad),
  ];
}

/**
 * What is no answer at all.
 * @param {{ ofAlice: Question, ofName: Answer, ofHolder: Answer, asked: Question, unheld: Question }} given
 * @param {(id: string, question: Question, change: ChangeOf, reasons: string[]) => Vector} bad
 */
function shapes({ ofAlice, ofName, ofHolder, asked, unheld }, bad) {
  /** @param {object} changes @returns {ChangeOf} */
  const changed = (changes) => (answer) => ({ ...answer, ...changes });
  const k17 = 'k'.repeat(17);
  /** @param {string} id @param {Question} question @param {ChangeOf} change */
  const none = (id, question, change) => bad(id, question, change, ['map_answer']);
  /** @param {object} changes @returns {ChangeOf} */
  const proof = (changes) => (answer) => ({ ...answer, proof: { ...answer.proof, ...changes } });
  /** @param {object} changes @returns {ChangeOf} */
  const value = (changes) => (answer) => ({ ...answer, value: { ...answer.value, ...changes } });
  return [
    none('that-is-a-list', ofAlice, () => []),
    none('without-a-key', ofAlice, (answer) => without(answer, 'key')),
    none('key-in-capitals', ofAlice, ({ key, ...answer }) => ({ ...answer, key: key.toUpperCase() })),
    none('without-a-value', ofAlice, (answer) => without(answer, 'value')),
    none('without-a-proof', ofAlice, (answer) => without(answer, 'proof')),
    none('without-a-proof-of-the-log', ofAlice, (answer) => without(answer, 'log_proof')),
    none('sibling-of-31-bytes', ofAlice, proof({ siblings: ['00'.repeat(31)] })),
    none('siblings-missing', ofAlice, proof({ siblings: null })),
    none('end-without-a-key', ofAlice, proof({ end: { value_hash: '00'.repeat(32) } })),
    none('value-with-another-member', ofAlice, value({ name: 1 })),
    none('value-with-a-number-of-another-kind-alone', ofAlice, value({ keys: 1 })),
    none('value-with-another-kind-that-has-no-entry', ofAlice, value({ key: null, keys: 0 })),
    none('value-with-another-kind-in-capitals', ofAlice, value({ Key: 1, Keys: 1 })),
    none('value-with-another-kind-of-17-letters', ofAlice, value({ [k17]: 1, [`${k17}s`]: 1 })),
    none('value-with-another-kind-that-ends-with-s', ofAlice, value({ keys: 1, keyss: 1 })),
    none('value-with-another-kind-that-is-called-patch', ofAlice, value({ patchs: 1 })),
    none('value-with-a-fraction-of-another-kind', ofAlice, value({ key: 1, keys: 1.5 })),
    none('value-without-a-member', ofAlice, ({ value: all, ...answer }) => ({
      ...answer,
      value: without(all, 'links'),
    })),
    none('value-with-a-negative-number', ofAlice, value({ links: -1 })),
    none('value-with-a-fraction', ofAlice, value({ links: 1.5 })),
    none('value-of-an-identity-for-an-avatar', ofAlice, (answer) => ({ ...answer, value: ofName.value })),
    none('holders-of-an-avatar', ofAlice, (answer) => ({ ...answer, holders: [] })),
    none('holder-of-an-avatar', ofAlice, (answer) => ({ ...answer, holder: ofHolder.holder })),
    none('holders-beside-the-holder-that-was-asked-for', asked, changed({ holders: ofName.holders })),
    none('holders-where-an-avatar-was-asked-for-that-holds-nothing', unheld, changed({ holders: [] })),
    none('holder-where-none-was-asked-for', NAME, changed({ holder: ofHolder.holder })),
    none('holder-in-place-of-all-holders', NAME, changed({ holders: null, holder: ofHolder.holder })),
    none('holders-that-are-no-list', NAME, (answer) => ({ ...answer, holders: {} })),
    none('holder-with-a-long-key', NAME, ({ holders, ...answer }) => ({
      ...answer,
      holders: [{ ...holders[0], avatar: alice.uncompressed }, ...holders.slice(1)],
    })),
    none('holder-with-another-member', NAME, ({ holders, ...answer }) => ({
      ...answer,
      holders: [{ ...holders[0], name: 'x' }, ...holders.slice(1)],
    })),
    none('holder-without-a-proof', asked, ({ holder, ...answer }) => ({ ...answer, holder: without(holder, 'proof') })),
    none('holder-with-another-value', asked, ({ holder, ...answer }) => ({
      ...answer,
      holder: { ...holder, value: { link: 1, links: 1 } },
    })),
  ];
}
