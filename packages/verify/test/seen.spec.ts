import { nobleEd25519 } from '../src/keys/noble-ed25519.js';
import { observer } from '../src/log-sign.js';
import {
  judgeSeen,
  linkHash,
  ObserversError,
  readObservers,
  readStatement,
  type Statement,
  verifyExportSeen,
  writeVerifierKey,
} from '../src/seen.js';
import { neededOf, seenTime, statementText } from '../src/internal/log.js';

/** Seeds of 32 bytes 01 and 32 bytes 02. */
const [mirror, other] = [
  observer('mirror.example/seen', new Uint8Array(32).fill(1)),
  observer('other.example/seen', new Uint8Array(32).fill(2)),
];
const STATEMENT: Statement = {
  link: linkHash('payload of the link'),
  platform: 'github',
  identity: 'alice-demo',
  account: '9000001',
  seen: true,
};
const TEXT = statementText(STATEMENT);

/** Made once by another implementation, and verified with Python (cryptography) and Go (crypto/ed25519). */
const EXAMPLE = `signet-seen/1
link 21d52fa66787adeb03445f32abfc39a5115e4ad5cff83d59a24bce641f74a376
platform github
identity alice-demo
account 9000001
seen yes

— mirror.example/seen QcGtKAAAAABpIikAU65Jd4nu1dQi6RNu0oIc7cHYG6739blw+hdM+yP6amC82XlCbjdpI6OkB6cF59aNGV+eBEnrESQpYQHOrEjODQ==
— other.example/seen 2uS/jwAAAABpIjcQUTibazfcdHVqOaUMACur0N4yCxhZp3lBv4UWnNErBZO4CHynoTdgmpumtwJr4tzTFEQAeDVvq66VcWC60voEAg==
`;

describe('a statement of observers', () => {
  it('is the published example, byte for byte', () => {
    const note = `${TEXT}\n${mirror.sign(TEXT, 1_763_846_400)}${other.sign(TEXT, 1_763_850_000)}`;

    expect(note).toBe(EXAMPLE);
    expect(Buffer.byteLength(note)).toBe(403);
    expect([mirror, other].map(({ key }) => writeVerifierKey(key))).toEqual([
      'mirror.example/seen+41c1ad28+/3NpZ25ldC1zZWVuL3YxAIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c',
      'other.example/seen+dae4bf8f+/3NpZ25ldC1zZWVuL3YxAIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU',
    ]);
  });

  it('is read with the time of each who signed it', () => {
    const { statement, note } = readStatement(EXAMPLE)!;

    expect(statement).toEqual(STATEMENT);
    expect(seenTime(note, mirror.key)).toBe(1_763_846_400);
    expect(seenTime(note, other.key)).toBe(1_763_850_000);
    expect(seenTime(note, observer('mirror.example/seen', new Uint8Array(32).fill(3)).key)).toBeNull();
  });

  it('is never read as another text than that which was signed', () => {
    for (let at = 0; at < EXAMPLE.length; at += 1) {
      const changed = `${EXAMPLE.slice(0, at)}${EXAMPLE[at] === 'x' ? 'y' : 'x'}${EXAMPLE.slice(at + 1)}`;
      const read = readStatement(changed);
      const times = read ? [mirror, other].map(({ key }) => seenTime(read.note, key)) : [null, null];
      const isInText = at < TEXT.length;
      expect(times.filter((time) => time !== null).length).toBeLessThan(isInText ? 1 : 2);
    }
  });

  it('is signed at whole seconds only', () => {
    for (const time of [-1, 1.5, NaN, 2 ** 53]) expect(() => mirror.sign(TEXT, time)).toThrow(RangeError);
  });
});

describe('a list of observers', () => {
  it('has the addresses of an operator once, and names the line that is wrong', () => {
    const [one, two] = [mirror, other].map(({ key }) => writeVerifierKey(key));
    const list = readObservers(`observer a ${one} https://a.example\n# b\nobserver a ${two} https://a.example\n`);

    expect(list.observers).toEqual([{ operator: 'a', keys: [mirror.key, other.key], urls: ['https://a.example'] }]);
    expect(neededOf(list)).toBeNull();
    expect(() => readObservers('\nobserver a b')).toThrow(ObserversError);
    expect(() => readObservers('\nobserver a b')).toThrow(/line 2: the key of an observer/);
    expect(() => readObservers('#'.repeat(64 * 1024 + 1))).toThrow(ObserversError);
  });
});

describe('a judgement about one binding', () => {
  const list = readObservers([mirror, other].map(({ key }, n) => `observer o${n} ${writeVerifierKey(key)}`).join('\n'));

  it('says of each observer when it looked', () => {
    expect(judgeSeen([EXAMPLE], STATEMENT, list, { now: 1_763_850_000 })).toEqual({
      ...{ result: 'seen', count: 2, of: 2, needed: 1, lastAt: 1_763_850_000, account: '9000001' },
      observers: [
        { operator: 'o0', state: 'seen', time: 1_763_846_400 },
        { operator: 'o1', state: 'seen', time: 1_763_850_000 },
      ],
    });
  });

  it('verifies at most twenty signatures of a key, however many notes there are', () => {
    const text = EXAMPLE.slice(0, EXAMPLE.indexOf('\n\n') + 1);
    const lines = Array.from({ length: 500 }, (_, n) => mirror.sign(text.replace('yes', 'no'), 1_763_840_000 + n));
    const notes = [...lines.map((line) => `${text}\n${line}`), EXAMPLE];
    let verified = 0;
    const verify: typeof nobleEd25519.verify = (...one) => {
      verified += 1;
      return nobleEd25519.verify(...one);
    };

    expect(
      judgeSeen(notes, STATEMENT, list, { now: 1_763_850_000, curves: { ed25519: { ...nobleEd25519, verify } } }),
    ).toMatchObject({ count: 2 });
    expect(verified).toBe(21);
  });

  it('lets nobody speak for another where it is known whose servers showed a note', () => {
    const own = (...shown: [string, string[]][]) => judgeSeen(new Map(shown), STATEMENT, list, { now: 1_763_850_000 });

    expect(own(['o0', [EXAMPLE]], ['o1', [EXAMPLE]])).toMatchObject({ count: 2 });
    expect(own(['o1', [EXAMPLE]]).observers).toMatchObject([{ state: 'no_statement' }, { state: 'seen' }]);
  });
});

describe('the statements of something that is no export', () => {
  it.each([null, 1, [], {}, { links: [], bindings: [null] }, { links: [], bindings: [{}], exported_at: '1' }, 'x'])(
    'fail, and nothing throws: %j',
    (file) => {
      expect(verifyExportSeen(file)).toMatchObject({ ok: false, steps: [{ name: 'seen', state: 'failed' }] });
    },
  );

  it('fail without a time of the export', () => {
    expect(verifyExportSeen({ links: [], bindings: [], exported_at: 'now' }).ok).toBe(false);
    expect(verifyExportSeen({ links: [], bindings: [], exported_at: '1' }).ok).toBe(true);
  });
});
