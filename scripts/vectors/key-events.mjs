/** Chains of key events, with the state that they lead to. */
import { liveAppKeys } from '@signet/verify/internal/key-events';
import {
  keyEventPayload,
  keyStateAt,
  NO_KEY_EVENTS,
  acceptKeyEvent,
  recoveryNamesOf,
  MAIN_KEY,
} from '@signet/verify/key-events';
import { accepted, alice, copyOf, mallory, person, refused, START, uuidOf } from './people.mjs';

/**
 * @import { KeyFact, KeyState, SignedKeyEvent } from '@signet/verify/key-events'
 * @import { Person } from './types.d.ts'
 */

/**
 * @typedef {object} Said what is to be signed, and by whom
 * @property {string} action
 * @property {object} [fields]
 * @property {Person} [by] the Avatar when absent
 * @property {string} [name] under which `by` signs
 * @property {Person} [also] the highest committed key
 * @property {string} [alsoName]
 * @property {Person} [successor]
 * @property {number} after seconds after the event before
 * @property {number} [patches] that the Avatar had
 * @property {number} [links] that it had
 */

const DAY = 86_400;
const paper = person('words on paper');
const phone = person('phone');
const next = person('next key of alice');
const paperName = recoveryNamesOf(paper.avatar).hash;
const phoneName = recoveryNamesOf(phone.avatar).address;

/** @param {Person} who */
const nameOf = (who) => (who === alice ? MAIN_KEY : who === phone ? phoneName : recoveryNamesOf(who.avatar).hash);

/**
 * Signs events of alice, each on the one before; `due_at` is that of the rules, or the time of an event that they
 * refuse.
 * @param {Said[]} said
 * @returns {SignedKeyEvent[]}
 */
export function eventsOf(said) {
  let [at, state, prev] = [START, NO_KEY_EVENTS, /** @type {string | null} */ (null)];
  return said.map((one, place) => {
    const { action, fields = {}, by = alice, name = nameOf(by), also, alsoName, successor } = one;
    const { links = 2, patches = 1 } = one;
    at += one.after;
    const uuid = uuidOf(`key event ${place}`);
    const signed = /** @type {any} */ ({ action, fields, avatar: alice.avatar, created_at: at - 5, prev, uuid });
    const text = keyEventPayload(signed);
    const cosigner = also ? (alsoName ?? nameOf(also)) : null;
    const fact = /** @type {KeyFact} */ (
      /** @type {unknown} */ ({ action, fields, uuid, signer: name, cosigner, links, recorded_at: at })
    );
    const outcome = acceptKeyEvent(state, fact);
    if (outcome.refusal === null) state = outcome.state;
    prev = by.sign(text);
    return /** @type {SignedKeyEvent} */ ({
      ...fact,
      created_at: at - 5,
      signature_payload: text,
      signature: prev,
      cosignature: also ? also.sign(text) : null,
      successor_signature: successor ? successor.sign(text) : null,
      patches,
      due_at: outcome.refusal === null ? outcome.dueAt : at,
    });
  });
}

/** @param {KeyState} state @param {number} now */
function stateOf(state, now) {
  const { committed, pendingCommit, pendingSuccession, freeze, isFrozen, succession } = state;
  return {
    app_keys: liveAppKeys(state, now).map(({ key }) => key),
    recovery: committed?.recovery ?? [],
    pending: [pendingCommit, pendingSuccession].flatMap((pending) => (pending ? [pending.event] : [])),
    frozen_until: freeze?.until ?? null,
    is_frozen: isFrozen,
    successor: succession?.successor ?? null,
  };
}

const commit = { action: 'key.commit', fields: { delay_hours: 72, recovery: [paperName, phoneName] }, after: 0 };
const since = { since_link: uuidOf('the last good link'), since_patch: null };
const succeed = {
  action: 'key.succeed',
  fields: { ...since, successor: next.avatar },
  successor: next,
  after: 5 * DAY,
};
/** One key under both of its names, the hash above the address. */
const named = recoveryNamesOf(paper.avatar);
const twice = { ...commit, links: 0, fields: { delay_hours: 72, recovery: [named.hash, named.address, phoneName] } };
/** @param {Person} by @param {number} [after] */
const freezeOf = (by, after = 4 * DAY) => ({ action: 'key.freeze', by, after });
const instead = { ...commit, fields: { delay_hours: 72, recovery: [recoveryNamesOf(next.avatar).hash, phoneName] } };
/** The highest key freezes, and both keys name another one in its place. */
const left = [commit, freezeOf(paper), { ...instead, also: paper, after: 9 }];
const theft = { ...succeed, fields: { ...since, successor: mallory.avatar }, successor: mallory };
/** @param {number} place */
const veto = (place) => ({
  action: 'key.veto',
  fields: { event: uuidOf(`key event ${place}`) },
  by: paper,
  after: DAY,
});

/** As many events in a minute as a key of this place may sign in a day: of `most` each freeze counts, and no thaw. */
const wornOut = (/** @type {number} */ most, by = phone) =>
  Array.from({ length: 2 * most }, (_, place) => ({
    ...{ action: place % 2 === 0 ? 'key.freeze' : 'key.thaw', by, after: place === 0 ? 4 * DAY : 1 },
  }));
/** One more. @param {Person} by */
const more = (by) => ({ action: 'key.freeze', by, after: 9 });

/** @param {string} id @param {Said[]} said @param {number} later seconds behind the last event */
export function good(id, said, later) {
  const events = eventsOf(said);
  const now = (events.at(-1)?.recorded_at ?? START) + later;
  const state = stateOf(keyStateAt(events, now), now);
  return { id, events, now, expected: accepted({ avatar: events.length > 0 ? alice.avatar : '', state }) };
}

/** No key events of an Avatar that is named, which show nothing. @param {string} avatar */
function noneOf(avatar) {
  const { expected, ...vector } = good('no-key-events-of-the-expected-avatar', [], 0);
  return { ...vector, avatar, expected: { ...expected, not_checkable: ['all'], avatar } };
}

/**
 * @param {string} id
 * @param {Said[]} said
 * @param {string[]} reasons
 * @param {(events: SignedKeyEvent[]) => void} [change]
 */
export function bad(id, said, reasons, change = () => {}) {
  const events = copyOf(eventsOf(said));
  change(events);
  return { id, events, now: START, expected: refused(reasons) };
}

/** @param {string} id @param {object} change @param {string[]} reasons @param {Said[]} [said] */
export const changed = (id, change, reasons, said = [commit]) =>
  bad(id, said, reasons, (events) => void Object.assign(/** @type {object} */ (events.at(-1)), change));

/** Chains of key events. @param {object[]} others vectors that are about keys of apps */
export function keyEvents(others) {
  return {
    description:
      'Chains of key events, oldest first, as `GET /v1/keys/chain` answers them, and the state that they lead to at `now` (UNIX seconds).',
    vectors: [
      good('no-key-events', [], 0),
      noneOf(alice.avatar),
      good('a-commit-before-it-is-due', [commit], 72 * 3600 - 1),
      good('a-commit-when-it-is-due', [commit], 72 * 3600),
      good('a-commit-that-is-vetoed-where-nothing-is-committed', [commit, { ...veto(0), by: alice }], 9 * DAY),
      good('a-commit-that-the-highest-key-signs-too', [commit, { ...commit, after: 4 * DAY, also: paper }], 0),
      good('a-freeze-of-the-main-key-in-its-last-second', [{ action: 'key.freeze', after: 0 }], 7 * DAY - 1),
      good('a-freeze-of-the-main-key-that-is-over', [{ action: 'key.freeze', after: 0 }], 7 * DAY),
      good('a-freeze-by-a-recovery-key', [commit, { action: 'key.freeze', by: phone, after: 4 * DAY }], 8 * DAY),
      good(
        'a-freeze-that-a-higher-key-ends',
        [commit, { action: 'key.freeze', by: phone, after: 4 * DAY }, { action: 'key.thaw', by: paper, after: 9 }],
        0,
      ),
      good('a-succession-before-it-is-final', [commit, { ...succeed, by: paper }], 72 * 3600 - 1),
      good('a-succession-that-is-final', [commit, { ...succeed, by: paper }], 72 * 3600),
      good('a-succession-of-both-keys-at-once', [commit, { ...succeed, also: paper }], 0),
      good('a-theft-that-the-owner-vetoes', [commit, theft, veto(1)], 9 * DAY),
      good('a-theft-that-the-owner-replaces', [commit, theft, { ...succeed, by: paper, after: DAY }], 9 * DAY),
      good(
        'a-theft-that-a-freeze-of-a-higher-key-voids',
        [commit, theft, { action: 'key.freeze', by: phone, after: 9 }],
        99 * DAY,
      ),
      good('a-key-with-two-names-under-the-higher-one', [twice, freezeOf(paper)], 0),
      bad('a-key-with-two-names-under-the-lower-one', [twice, { ...freezeOf(paper), name: named.address }], ['rules']),
      good('a-commit-that-is-due-at-the-second-of-a-succession', [commit, { ...succeed, after: 0 }], 72 * 3600),
      good(
        'a-freeze-of-a-key-that-left-ended-by-the-lowest',
        [...left, { action: 'key.thaw', by: phone, after: 9 }],
        0,
      ),
      bad('a-freeze-of-a-key-that-left-ended-by-the-main-key', [...left, { action: 'key.thaw', after: 9 }], ['rules']),
      bad('a-second-freeze-while-the-first-is-in-force', [commit, freezeOf(phone), freezeOf(phone, 9)], ['rules']),
      good(
        'a-succession-behind-all-that-a-lower-key-may-sign',
        [commit, ...wornOut(26), { ...succeed, by: paper, after: 9 }],
        0,
      ),
      good(
        'a-succession-of-both-keys-behind-all-that-the-highest-key-may-sign',
        [commit, ...wornOut(28, paper), { ...succeed, also: paper, after: 9 }],
        0,
      ),
      bad('a-key-that-signs-more-than-it-may-in-a-day', [commit, ...wornOut(26), more(phone)], ['rules']),
      bad('the-highest-key-signs-more-than-it-may-in-a-day', [commit, ...wornOut(28, paper), more(paper)], ['rules']),
      bad('a-veto-at-the-second-at-which-it-is-due', [commit, theft, { ...veto(1), after: 72 * 3600 }], ['rules']),
      bad(
        'a-veto-by-a-key-that-is-not-higher',
        [commit, { ...succeed, by: phone }, { ...veto(1), by: phone }],
        ['rules'],
      ),
      bad('a-second-try-within-thirty-days', [commit, theft, veto(1), { ...theft, after: DAY }], ['rules']),
      bad('a-freeze-within-thirty-days-of-a-veto', [commit, theft, veto(1), freezeOf(alice, DAY)], ['rules']),
      bad(
        'a-freeze-while-a-higher-key-has-a-succession-pending',
        [commit, { ...succeed, by: paper }, freezeOf(phone, DAY)],
        ['rules'],
      ),
      bad('a-second-commit-while-one-is-pending', [commit, { ...commit, after: DAY }], ['rules']),
      bad(
        'a-freeze-by-a-key-that-is-not-yet-committed',
        [commit, { action: 'key.freeze', by: phone, after: DAY }],
        ['rules'],
      ),
      bad(
        'a-thaw-by-a-lower-key',
        [commit, { action: 'key.freeze', by: phone, after: 4 * DAY }, { action: 'key.thaw', after: 9 }],
        ['rules'],
      ),
      bad(
        'an-event-behind-a-succession',
        [commit, { ...succeed, also: paper }, { action: 'key.freeze', after: 9 }],
        ['rules'],
      ),
      bad(
        'the-main-key-as-its-own-recovery-key',
        [{ ...commit, fields: { delay_hours: 72, recovery: [recoveryNamesOf(alice.avatar).hash] } }],
        ['rules'],
      ),
      bad(
        'the-address-of-the-main-key-as-recovery-key',
        [{ ...commit, fields: { delay_hours: 72, recovery: [recoveryNamesOf(alice.avatar).address] } }],
        ['rules'],
      ),
      bad(
        'a-succession-by-itself',
        [commit, { ...succeed, fields: { ...since, successor: alice.avatar }, successor: alice }],
        ['rules'],
      ),
      bad('a-cosigner-that-is-not-the-highest', [commit, { ...succeed, also: phone }], ['rules']),
      bad('a-due-time-that-was-moved', [commit], ['due'], ([event]) => void (event && (event.due_at -= 1))),
      bad(
        'the-name-of-a-lower-key',
        [commit, { action: 'key.freeze', by: paper, name: phoneName, after: 4 * DAY }],
        ['signature'],
      ),
      bad('the-signature-of-a-stranger', [{ ...commit, by: mallory, name: MAIN_KEY }], ['signature']),
      bad('the-successor-did-not-sign', [commit, { ...succeed, successor: mallory }], ['successor_signature']),
      bad('the-cosigner-did-not-sign', [commit, { ...succeed, also: mallory, alsoName: paperName }], ['cosignature']),
      bad(
        'one-between-was-left-out',
        [commit, veto(0), { action: 'key.freeze', after: 9 }],
        ['prev'],
        (events) => void events.splice(1, 1),
      ),
      bad(
        'a-time-before-the-one-before',
        [commit, { action: 'key.freeze', after: 4 * DAY }],
        ['time'],
        (events) => void (/** @type {any} */ (events[1].recorded_at = START - 1)),
      ),
      bad(
        'counts-that-go-back',
        [commit, { action: 'key.freeze', after: 4 * DAY }],
        ['time'],
        (events) => void (/** @type {any} */ (events[1].links = 1)),
      ),
      bad(
        'counts-of-patches-that-go-back',
        [commit, { action: 'key.freeze', after: 4 * DAY }],
        ['time'],
        (events) => void (/** @type {any} */ (events[1].patches = 0)),
      ),
      bad(
        'a-uuid-that-was-there',
        [commit, { action: 'key.freeze', after: 4 * DAY }],
        ['canonical_text', 'fields', 'uuid'],
        ([first, second]) => void Object.assign(/** @type {object} */ (second), { uuid: first?.uuid }),
      ),
      changed(
        'another-action-than-was-signed',
        { action: 'key.thaw' },
        ['canonical_text', 'fields'],
        [{ action: 'key.freeze', after: 0 }],
      ),
      changed('another-avatar', { avatar: mallory.avatar }, ['canonical_text', 'fields', 'signature']),
      changed('no-signature', { signature: null }, ['shape']),
      changed('a-cosigner-without-signature', { cosigner: paperName }, ['shape']),
      changed('a-successor-signature-of-a-commit', { successor_signature: 'AA==' }, ['shape']),
      changed('a-delay-below-a-day', { fields: { delay_hours: 23, recovery: [paperName] } }, ['shape']),
      changed('a-delay-above-a-week', { fields: { delay_hours: 169, recovery: [paperName] } }, ['shape']),
      changed('no-recovery-key', { fields: { delay_hours: 72, recovery: [] } }, ['shape']),
      changed(
        'six-recovery-keys',
        { fields: { delay_hours: 72, recovery: [1, 2, 3, 4, 5, 6].map((n) => `key:${String(n).repeat(64)}`) } },
        ['shape'],
      ),
      changed('one-recovery-key-twice', { fields: { delay_hours: 72, recovery: [paperName, paperName] } }, ['shape']),
      changed('an-address-with-capitals', { fields: { delay_hours: 72, recovery: [`eip155:0x${'A'.repeat(40)}`] } }, [
        'shape',
      ]),
      changed('a-field-more', { fields: { delay_hours: 72, name: 'x', recovery: [paperName] } }, ['shape']),
      changed('an-unknown-action', { action: 'key.rotate' }, ['shape']),
      ...others,
    ],
  };
}
