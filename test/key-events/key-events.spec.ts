import { readFileSync } from 'node:fs';
import {
  acceptKeyEvent,
  KEY_RULES,
  KEY_TABLE,
  type KeyFact,
  keyEventPayload,
  keyStateAt,
  NO_KEY_EVENTS,
  type SignedKeyEvent,
  verifyKeyChain,
} from '@signet/verify/key-events';
import { KEYS, START, uuidOf } from './random-events.js';

const { vectors } = JSON.parse(readFileSync(new URL('../../vectors/key-events.json', import.meta.url), 'utf8')) as {
  vectors: { id: string; events: SignedKeyEvent[] }[];
};
const eventsOf = (id: string): SignedKeyEvent[] => structuredClone(vectors.find((vector) => vector.id === id)!.events);

describe('docs/keys.md', () => {
  const text = readFileSync(new URL('../../docs/keys.md', import.meta.url), 'utf8');

  it('has the table that the code goes by, row by row', () => {
    const rows = [...text.matchAll(/^\| (`key\.\w+` \| .* \| .*) \|$/gm)].map(([, row]) => row);

    expect(rows).toEqual(KEY_TABLE.map(({ action, signedBy, effect }) => `\`${action}\` | ${signedBy} | ${effect}`));
  });

  it('names the fields that are signed', () => {
    for (const { action, fields } of KEY_TABLE) {
      const row = new RegExp(`^\\| [^|]*\`${action}\`[^|]* \\| ([^|]*) \\|$`, 'm').exec(text)![1]!;

      expect([...row.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(expect.arrayContaining([...fields]));
    }
  });
});

describe('limits', () => {
  const thaw = { action: 'key.thaw' as const, fields: {}, signer: 'main', cosigner: null, links: 0 };
  /** An Avatar without links may commit as often as the limits allow. All but the first are of both keys. */
  const commits = (count: number, apart: number): KeyFact[] =>
    Array.from({ length: count }, (_, number) => ({
      ...{ action: 'key.commit' as const, fields: { recovery: [KEYS[0]!], delay_hours: 24 }, uuid: uuidOf(number) },
      ...{ signer: 'main', cosigner: number === 0 ? null : KEYS[0]!, links: 0, recorded_at: START + number * apart },
    }));
  const refusalBehind = (events: KeyFact[], event: KeyFact) => {
    let state = NO_KEY_EVENTS;
    for (const one of events) {
      const outcome = acceptKeyEvent(state, one);
      if (outcome.refusal !== null) throw new Error(`${one.uuid} is refused: ${outcome.refusal}`);
      ({ state } = outcome);
    }
    return acceptKeyEvent(state, event).refusal;
  };

  it('are thirty events in any 24 hours', () => {
    const events = commits(1 + KEY_RULES.eventsInADay, 60);
    const first = events[1]!.recorded_at;
    const next = (recorded_at: number) => ({ ...events[1]!, uuid: uuidOf(99), recorded_at });

    expect(refusalBehind(events, next(first + KEY_RULES.day - 1))).toBe('too_many_key_events_today');
    expect(refusalBehind(events, next(first + KEY_RULES.day))).toBeNull();
  });

  it('of a lower key leave a higher one all of its own: a thief cannot use them up', () => {
    const commit = { ...commits(1, 0)[0]!, fields: { recovery: [KEYS[0]!, KEYS[1]!], delay_hours: 24 } } as KeyFact;
    const by = (signer: string, action: 'key.freeze' | 'key.thaw', number: number): KeyFact => ({
      ...{ action, fields: {}, signer, cosigner: null, links: 0, uuid: uuidOf(number), recorded_at: START + number },
    });
    const thief = Array.from({ length: KEY_RULES.eventsInADay }, (_, number) =>
      by(KEYS[1]!, number % 2 === 0 ? 'key.freeze' : 'key.thaw', number + 1),
    );
    const fields = { successor: `0x02${'3'.repeat(64)}`, since_link: null, since_patch: null };
    const succeed = (signer: string, cosigner: string | null = null): KeyFact => ({
      ...{ action: 'key.succeed', fields, signer, cosigner, links: 0, uuid: uuidOf(99), recorded_at: START + 99 },
    });

    expect(refusalBehind([commit, ...thief], by(KEYS[1]!, 'key.freeze', 98))).toBe('too_many_key_events_today');
    expect(refusalBehind([commit, ...thief], succeed(KEYS[0]!))).toBeNull();
    expect(refusalBehind([commit, ...thief], succeed('main', KEYS[0]!))).toBeNull();
    expect(refusalBehind([commit, ...thief], by('main', 'key.freeze', 98))).toBeNull();
  });

  it('of the main key leave the highest one its own, also where both sign', () => {
    const first = commits(1, 0)[0]!;
    const said = { fields: {}, signer: 'main', cosigner: null, links: 0 };
    const [freeze, thaw] = ['key.freeze', 'key.thaw'].map(
      (action, number) => ({ ...said, action, uuid: uuidOf(number), recorded_at: START }) as KeyFact,
    );
    const vetoed = Array.from(
      { length: KEY_RULES.eventsInADay - 3 },
      (_, number): KeyFact[] =>
        [
          { ...first, uuid: uuidOf(number + 100) },
          { ...said, action: 'key.veto', fields: { event: uuidOf(number + 100) }, signer: KEYS[0]!, uuid: uuidOf(9) },
        ] as KeyFact[],
    )
      .flat()
      .map((event) => ({ ...event, recorded_at: START + 1 }) as KeyFact);
    const events = [first, freeze!, thaw!, ...vetoed];
    const next = (cosigner: string | null) => ({ ...first, uuid: uuidOf(99), cosigner, recorded_at: START + 2 });

    expect(refusalBehind(events, next(null))).toBe('too_many_key_events_today');
    expect(refusalBehind(events, next(KEYS[0]!))).toBeNull();
  });

  it('are a thousand events, and a veto does not count', () => {
    const events = commits(1 + KEY_RULES.events, 3_600);
    const at = START + (1 + KEY_RULES.events) * 3_600;
    const last: KeyFact = { ...events[1]!, uuid: uuidOf(5_000), cosigner: null, recorded_at: at };
    const veto: KeyFact = {
      ...{ action: 'key.veto', fields: { event: last.uuid }, uuid: uuidOf(5_001), signer: KEYS[0]! },
      ...{ cosigner: null, links: 0, recorded_at: at + 1 },
    };

    expect(refusalBehind([...events, last], { ...thaw, uuid: uuidOf(5_002), recorded_at: at + 2 })).toBe('not_frozen');
    expect(refusalBehind([...events, last], { ...last, uuid: uuidOf(5_003), cosigner: KEYS[0]! })).toBe(
      'too_many_key_events',
    );
    expect(refusalBehind([...events, last], veto)).toBeNull();
  });
});

describe('an event that the rules refuse', () => {
  it('is named by its place, and changes nothing', () => {
    const events = eventsOf('a-veto-at-the-second-at-which-it-is-due');
    const { ok, steps } = verifyKeyChain(events);

    expect(ok).toBe(false);
    expect(steps).toEqual([
      expect.objectContaining({ name: 'rules', detail: expect.stringMatching(/^3 of 3: .*succeeded/) }),
    ]);
    expect(keyStateAt(events, events.at(-1)!.recorded_at).succession).not.toBeNull();
  });
});

describe('an event that was changed behind its signature', () => {
  it('changes nothing: a commit of other keys leaves the main key alone', () => {
    const events = eventsOf('a-succession-that-is-final').slice(0, 1);
    (events[0] as { fields: { recovery: string[] } }).fields.recovery = [KEYS[0]!];

    expect(verifyKeyChain(events).state).toEqual(NO_KEY_EVENTS);
  });
});

describe('the signed text', () => {
  it('is canonical JSON of one level', () => {
    const fields = { event: uuidOf(1) };
    const said = { action: 'key.veto' as const, fields, avatar: '0x02', created_at: 1, prev: null, uuid: uuidOf(2) };

    expect(keyEventPayload(said)).toBe(
      `{"action":"key.veto","avatar":"0x02","created_at":1,"event":"${uuidOf(1)}","prev":null,"uuid":"${uuidOf(2)}"}`,
    );
  });
});
