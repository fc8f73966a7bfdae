import { readNote } from '@signet/verify/internal/log';
import { noteSigner } from '@signet/verify/log-sign';
import { verifiedLines } from '../../src/witness/witness.service.js';

const text = 'signet.example/log\n3\nBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n';
const [first, second, third] = [1, 2, 3].map((fill) => noteSigner('signet.example/log', Buffer.alloc(32, fill)));
const line = first!.sign(text);
const noteOf = (...lines: string[]) => readNote(`${text}\n${lines.join('')}`)!;

describe('the verified lines of a note', () => {
  it('are those of the keys that are asked for', () => {
    const both = noteOf(line, second!.sign(text), line);

    expect(verifiedLines(both, [first!.key, third!.key])).toEqual([line.trimEnd()]);
    expect(verifiedLines(both, [first!.key, second!.key])).toEqual(
      [line, second!.sign(text)].map((one) => one.trimEnd()),
    );
    expect(verifiedLines(both, [third!.key])).toEqual([]);
  });

  it('are none where a line of one of these keys does not verify, whatever the others are', () => {
    const oneBad = noteOf(line, second!.sign('another\n'));

    expect(verifiedLines(oneBad, [first!.key])).toEqual([line.trimEnd()]);
    expect(verifiedLines(oneBad, [first!.key, second!.key])).toBeNull();
    expect(verifiedLines(noteOf(line, first!.sign('another\n')), [first!.key])).toBeNull();
  });
});
