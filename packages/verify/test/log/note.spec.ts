import type { Ed25519 } from '../../src/keys/curves.js';
import { appendSignatures, readNote } from '../../src/internal/log.js';
import {
  cosignatureTime,
  isSignedBy,
  readCheckpoint,
  nobleEd25519,
  readVerifierKey,
  verifierKey,
  writeVerifierKey,
} from '../../src/log.js';
import { cosigner, noteSigner, signCheckpoint } from '../../src/log-sign.js';

const log = noteSigner('signet.example/log', new Uint8Array(32).fill(1));
const witness = cosigner('witness.example/w', new Uint8Array(32).fill(2));
const head = { origin: 'signet.example/log', size: 3, root: new Uint8Array(32).fill(7) };
const note = signCheckpoint(head, log);
const text = note.slice(0, note.indexOf('\n\n') + 1);
const [line] = readNote(note)!.signatures;

/** Counts how many signatures are verified. */
class CountingEd25519 implements Ed25519 {
  verified = 0;
  readonly isUsablePublicKey = nobleEd25519.isUsablePublicKey;

  readonly verify: Ed25519['verify'] = (message, signature, key) => {
    this.verified++;
    return nobleEd25519.verify(message, signature, key);
  };
}

describe('a signed note', () => {
  it.each([
    ['has no empty line', note.replace('\n\n', '\n')],
    ['has no signature', `${text}\n`],
    ['does not end with a line break', note.slice(0, -1)],
    ['has a control character', note.replace('signet', 'sig\tnet')],
    ['has a carriage return', note.replaceAll('\n', '\r\n')],
    ['has half of a surrogate pair', note.replace('signet', 'sig\ud800net')],
    ['has another dash', note.replace('—', '-')],
    ['has Base64 that is cut off', note.replace(/=\n$/, '\n')],
    ['has a name with a +', note.replace('— signet', '— sig+net')],
    ['has an empty line between signatures', `${note}\n${line!.line}\n`.replace(/\n$/, '')],
    ['has more than 128 Ki characters', note + '— a AAAAAAA=\n'.repeat(11_000)],
    ['has a signature of an id alone', `${text}\n— signet.example/log AAAAAA==\n`],
  ])('is refused where it %s', (_what, spoilt) => {
    expect(readNote(spoilt)).toBeNull();
  });

  it('may have an empty line in its text', () => {
    const signed = `a\n\nb\n\n${log.sign('a\n\nb\n')}`;

    expect(readNote(signed)!.text).toBe('a\n\nb\n');
    expect(isSignedBy(readNote(signed)!, log.key)).toBe(true);
  });

  it('verifies beside lines of keys that nobody knows, even under the same name', () => {
    const stranger = noteSigner('signet.example/log', new Uint8Array(32).fill(9));
    const signed = readNote(note + stranger.sign(text) + witness.cosign(text, 1))!;

    expect(isSignedBy(signed, log.key)).toBe(true);
    expect(isSignedBy(readNote(`${text}\n${stranger.sign(text)}`)!, log.key)).toBe(false);
  });

  it('is not signed by a key that has two lines which differ', () => {
    const wrong = log.sign('something else\n');

    expect(isSignedBy(readNote(note + wrong)!, log.key)).toBe(false);
    expect(isSignedBy(readNote(`${text}\n${wrong}${line!.line}\n`)!, log.key)).toBe(false);
  });

  it('is read however many lines of other keys it has', () => {
    const filled = readNote(note + '— x AAAAAAA=\n'.repeat(9000))!;

    expect(filled.signatures).toHaveLength(9001);
    expect(isSignedBy(filled, log.key)).toBe(true);
  });

  it('costs one verification for a key, however often its line is copied', () => {
    const counted = new CountingEd25519();
    const cosignature = witness.cosign(text, 5);
    const copies = readNote(note + `${line!.line}\n${cosignature}`.repeat(300))!;

    expect(isSignedBy(copies, log.key, { curves: { ed25519: counted } })).toBe(true);
    expect(counted.verified).toBe(1);
    expect(cosignatureTime(copies, witness.key, { curves: { ed25519: counted } })).toBe(5);
    expect(counted.verified).toBe(2);
  });

  it('takes lines of more keys, one for each', () => {
    const once = appendSignatures(note, [witness.cosign(text, 5)]);
    const twice = appendSignatures(once, [witness.cosign(text, 6).trimEnd(), 'no line']);

    expect(readNote(twice)!.signatures).toHaveLength(2);
    expect(cosignatureTime(readNote(twice)!, witness.key)).toBe(6);
    expect(isSignedBy(readNote(twice)!, log.key)).toBe(true);
  });
});

describe('a cosignature', () => {
  const signed = (time: number) => readNote(note + witness.cosign(text, time))!;

  it('counts for nothing beside another one of its witness', () => {
    expect(
      cosignatureTime(readNote(note + witness.cosign(text, 5) + witness.cosign(text, 6))!, witness.key),
    ).toBeNull();
  });

  it('tells its time, up to the last second that a number holds', () => {
    expect(cosignatureTime(signed(Number.MAX_SAFE_INTEGER), witness.key)).toBe(Number.MAX_SAFE_INTEGER);
    expect(cosignatureTime(signed(0), witness.key)).toBe(0);
    expect(() => witness.cosign(text, -1)).toThrow(RangeError);
    expect(() => witness.cosign(text, 1.5)).toThrow(RangeError);
  });

  it('counts for nothing with another time, another key or another text', () => {
    const read = signed(77);
    const [, cosignature] = read.signatures;
    const later = { ...cosignature!, signature: cosignature!.signature.map((byte, at) => (at === 7 ? 78 : byte)) };
    const stranger = cosigner('witness.example/w', new Uint8Array(32).fill(3));

    expect(cosignatureTime({ ...read, signatures: [later] }, witness.key)).toBeNull();
    expect(cosignatureTime(read, stranger.key)).toBeNull();
    expect(cosignatureTime({ ...read, text: text.replace('3', '4') }, witness.key)).toBeNull();
    expect(cosignatureTime(read, log.key)).toBeNull();
    expect(isSignedBy(read, witness.key)).toBe(true);
  });
});

describe('a checkpoint', () => {
  const spoil = (from: string, to: string) => note.replace(from, to);

  it.each([
    ['a size with a leading zero', spoil('\n3\n', '\n03\n')],
    ['a negative size', spoil('\n3\n', '\n-3\n')],
    ['a size beyond 2^53', spoil('\n3\n', '\n9007199254740992\n')],
    ['no origin', spoil('signet.example/log\n3', '\n3')],
    [
      'a root of 31 bytes',
      spoil('BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=', 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBw=='),
    ],
    ['two lines', 'signet.example/log\n3\n\n— a AAAAAAA=\n'],
  ])('is refused with %s', (_what, spoilt) => {
    expect(readCheckpoint(spoilt)).toBeNull();
  });

  it('may have lines behind the root', () => {
    const extended = text + 'extension\n';
    const read = readCheckpoint(`${extended}\n${log.sign(extended)}`)!;

    expect(read).toMatchObject({ origin: head.origin, size: 3, extensions: ['extension'] });
    expect(isSignedBy(read.note, log.key)).toBe(true);
  });
});

describe('a verifier key', () => {
  const vkey = writeVerifierKey(log.key);

  it.each([
    ['another id', vkey.replace(log.key.id, '00000000')],
    ['an id in capitals', vkey.replace(log.key.id, log.key.id.toUpperCase())],
    ['another type', vkey.replace('+AY', '+BY')],
    ['white space in its name', vkey.replace('signet', 'sig net')],
    ['no name', vkey.replace('signet.example/log', '')],
    ['a byte more', `${vkey.slice(0, -1)}AA==`],
    ['nothing', ''],
  ])('is refused with %s', (_what, spoilt) => {
    expect(spoilt).not.toBe(vkey);
    expect(readVerifierKey(spoilt)).toBeNull();
  });

  it('of small order is refused', () => {
    const smallOrder = verifierKey('a', 1, Uint8Array.of(1, ...new Uint8Array(31)));

    expect(readVerifierKey(writeVerifierKey(smallOrder))).toBeNull();
  });

  it('of another type or length cannot be made', () => {
    expect(() => verifierKey('a', 6, new Uint8Array(32))).toThrow(TypeError);
    expect(() => verifierKey('a', 1, new Uint8Array(31))).toThrow(TypeError);
    expect(() => noteSigner('a b', new Uint8Array(32))).toThrow(TypeError);
  });
});
