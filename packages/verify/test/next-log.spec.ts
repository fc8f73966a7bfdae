import { nextLogText, readNextLog } from '../src/internal/log.js';
import { writeVerifierKey } from '../src/log.js';
import { noteSigner } from '../src/log-sign.js';

const old = noteSigner('old.example/log', new Uint8Array(32).fill(1));
const other = noteSigner('old.example/log', new Uint8Array(32).fill(2));
const next = writeVerifierKey(noteSigner('new.example/log', new Uint8Array(32).fill(3)).key);
const TIME = 1_795_000_000;
const signed = (text: string, { sign } = old) => `${text}\n${sign(text)}`;
const text = nextLogText({ log: 'old.example/log', next, time: TIME });

describe('the note by which the key of an ended log names the next one', () => {
  it('says which, and when', () => {
    expect(readNextLog(signed(text), old.key)).toEqual({ log: 'old.example/log', next, time: TIME });
  });

  it.each([
    ['signed by another key', signed(text, other)],
    ['changed behind its signature', signed(text).replace(`time ${TIME}`, `time ${TIME + 1}`)],
    ['of a log of another name', signed(nextLogText({ log: 'third.example/log', next, time: TIME }))],
    [
      'that names itself',
      signed(nextLogText({ log: 'old.example/log', next: writeVerifierKey(other.key), time: TIME })),
    ],
    ['that names no key', signed(text.replace(next, 'new.example/log'))],
    ['in another form', signed(text.replace('time 1', 'time 01'))],
    ['with a line more', signed(`${text}more\n`)],
    ['that is no note', text],
  ])('is none where it is one %s', (_how, note) => {
    expect(readNextLog(note, old.key)).toBeNull();
  });
});
