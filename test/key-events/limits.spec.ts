import { readFileSync } from 'node:fs';
import {
  acceptKeyEvent,
  KEY_RULES,
  type KeyFact,
  type KeyRefusal,
  type KeyState,
  keyStateAt,
  NO_KEY_EVENTS,
} from '@signet/verify/key-events';
import { APP_KEYS, KEYS, START, uuidOf } from './random-events.js';

const { events: MOST, eventsInADay: MOST_TODAY, kept, day: DAY } = KEY_RULES;
const RECOVERY = KEYS.slice(0, KEY_RULES.recoveryKeys.most);
/** Who signs, the main key together with the highest one first; the main key alone is the last. */
const BOTH = 'both';
const PLACES = [BOTH, ...RECOVERY, 'main'];

const commit: KeyFact = {
  ...{ action: 'key.commit', fields: { recovery: RECOVERY, delay_hours: 24 }, uuid: uuidOf(0), signer: 'main' },
  ...{ cosigner: null, links: 0, recorded_at: START },
};
const committed = keyStateAt([commit], START);

/** An event of an Avatar with links by the key of a place. */
function said(place: string, action: KeyFact['action'], fields: object, at: number): KeyFact {
  const signer = place === BOTH ? 'main' : place;
  const cosigner = place === BOTH ? RECOVERY[0]! : action === 'key.add' ? (fields as { key: string }).key : null;
  return { action, fields, signer, cosigner, links: 1, uuid: uuidOf(at - START), recorded_at: at } as KeyFact;
}

const named = (place: string, at: number) => said(place, 'key.commit', commit.fields, at);
const frozen = (place: string, at: number) => said(place, 'key.freeze', {}, at);
const thawed = (place: string, at: number) => said(place, 'key.thaw', {}, at);
const revoked = (place: string, at: number) => said(place, 'key.revoke', { key: APP_KEYS[0] }, at);
const added = (at: number, key = APP_KEYS[0]!) =>
  said('main', 'key.add', { key, scopes: ['kv'], origin: null, expires_at: at + DAY }, at);
const succeeded = (place: string, at: number) =>
  said(place, 'key.succeed', { successor: `0x02${'3'.repeat(64)}`, since_link: null, since_patch: null }, at);

/** An event that counts, which the table allows by the key of a place. */
const anEventOf = (place: string, at: number) => (place === BOTH || place === 'main' ? named : frozen)(place, at);

function taken(state: KeyState, event: KeyFact): KeyState {
  const outcome = acceptKeyEvent(state, event);
  if (outcome.refusal !== null) throw new Error(`${event.action} of ${event.signer}: ${outcome.refusal}`);
  return outcome.state;
}

const refusalOf = (state: KeyState, event: KeyFact): KeyRefusal | null => acceptKeyEvent(state, event).refusal;

/** How many events the key of a place may bring an Avatar to, and in 24 hours. */
const mostOf = (place: string) => {
  const above = PLACES.indexOf(place);
  return { inAll: MOST - above * kept.events, today: MOST_TODAY - above * kept.inADay };
};

describe('docs/keys.md', () => {
  it('has the limits of each place', () => {
    const text = readFileSync(new URL('../../docs/keys.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^ {2}\| [^|]+ \| (\d[\d, ]*) \| (\d[\d, ]*) \|$/gm)];
    const numbers = (column: 1 | 2) =>
      rows.flatMap((row) => row[column]!.split(', ')).map((one) => one.replace(',', ''));

    expect(numbers(1)).toEqual(PLACES.map((place) => String(mostOf(place).inAll)));
    expect(numbers(2)).toEqual(PLACES.map((place) => String(mostOf(place).today)));
  });
});

describe.each(PLACES)('limits of %s', (place) => {
  const { inAll, today } = mostOf(place);
  const at = START + 10 * DAY;

  it('are all events of an Avatar but those that are kept for the places above', () => {
    expect(refusalOf({ ...committed, counted: inAll - 1 }, anEventOf(place, at))).toBeNull();
    expect(refusalOf({ ...committed, counted: inAll }, anEventOf(place, at))).toBe('too_many_key_events');
  });

  it('are in any 24 hours all but those that are kept for the places above', () => {
    const recent = (count: number) => ({ ...committed, recent: Array<number>(count).fill(at - DAY + 1) });

    expect(refusalOf(recent(today - 1), anEventOf(place, at))).toBeNull();
    expect(refusalOf(recent(today), anEventOf(place, at))).toBe('too_many_key_events_today');
    expect(refusalOf(recent(today), anEventOf(place, at + 1))).toBeNull();
  });

  it('leave it enough, whatever all keys below it have signed', () => {
    const below = place === BOTH ? RECOVERY : PLACES.slice(PLACES.indexOf(place) + 1);
    let [state, now] = [committed, START + 1];
    const tries = [frozen, thawed, succeeded, ...(below.includes('main') ? [named] : [])];
    for (const days of Array(MOST).keys()) {
      now = START + 1 + days * DAY;
      for (let isTaken = true; isTaken;) {
        const all = below.flatMap((key) => tries.map((make) => make(key, now)));
        if (below.includes('main')) all.push(added(now));
        const next = all.map((event) => acceptKeyEvent(state, event)).find(({ refusal }) => refusal === null);
        isTaken = next !== undefined;
        if (next?.refusal === null) ({ state } = next);
        if (state.pendingSuccession) state = taken(state, stopOf(place, state, now));
      }
      if (state.counted >= mostOf(below[0] ?? BOTH).inAll) break;
    }

    const isLast = place === 'main';
    expect(state.counted).toBe(isLast ? 1 : mostOf(below[0]!).inAll);
    if (isLast) return;
    if (state.freeze && place !== BOTH) state = taken(state, thawed(place, now));
    state = taken(state, anEventOf(place, now));
    state = taken(state, succeeded(place, now));
    expect((state.pendingSuccession?.fields ?? state.succession)?.successor).toMatch(/^0x023/);
  });
});

/** What ends a succession of a lower key: a veto, or a freeze of the main key with the highest one. */
function stopOf(place: string, { pendingSuccession }: KeyState, at: number): KeyFact {
  const signer = place === BOTH ? RECOVERY[0]! : place;
  return said(signer, 'key.veto', { event: pendingSuccession!.event }, at);
}

describe('what only ends something', () => {
  const at = START + 10 * DAY;
  const full = { counted: MOST, recent: Array<number>(MOST_TODAY).fill(at) };

  it('is never refused for its number, and does not count', () => {
    const pending = { ...taken(committed, succeeded(RECOVERY[1]!, at)), ...full };
    const stopped = { ...taken(committed, frozen(RECOVERY[1]!, at)), ...full };
    const withApp = { ...taken(committed, added(at)), ...full };

    for (const [state, event] of [
      [pending, said(RECOVERY[0]!, 'key.veto', { event: pending.pendingSuccession!.event }, at)],
      [stopped, thawed(RECOVERY[0]!, at)],
      [stopped, thawed(RECOVERY[1]!, at)],
      [withApp, revoked('main', at)],
      [withApp, revoked(RECOVERY[4]!, at)],
      [withApp, revoked(APP_KEYS[0]!, at)],
    ] as const) {
      expect(taken(state, event)).toMatchObject(full);
    }
  });
});

describe('keys of apps', () => {
  it('count among the events of the main key, each time that one is added', () => {
    const most = mostOf('main').today;
    let state = NO_KEY_EVENTS;
    for (let number = 0; number < most; number += 1) state = taken(state, added(START));

    expect(state.counted).toBe(most);
    expect(refusalOf(state, added(START))).toBe('too_many_key_events_today');
    expect(refusalOf(state, frozen('main', START))).toBe('too_many_key_events_today');
  });
});
