import { readFileSync } from 'node:fs';
import {
  KEY_TABLE,
  keyEventPayload,
  keyStateAt,
  NO_KEY_EVENTS,
  type SignedKeyEvent,
  verifyKeyChain,
} from '@signet/verify/key-events';
import { KEYS, uuidOf } from './random-events.js';

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
