import { withoutDiscordQuotes, withoutQuotedLines } from '../../src/posts/quoted-lines.js';
import { leastCpuMs } from '../support/cpu-time.js';

describe('lines of others', () => {
  it.each([
    ['a quotation of the Fediverse', withoutQuotedLines('own\n> Sig: S\nown')],
    ['a quotation of the Fediverse behind a full-width sign', withoutQuotedLines('own\n＞ Sig: S\nown')],
    ['a quotation on Discord', withoutDiscordQuotes('own\n> Sig: S\nown')],
    ['a quotation on Discord behind a full-width sign', withoutDiscordQuotes('own\n＞ Sig: S\nown')],
  ])('are left out: %s', (_what, left) => {
    expect(left).toBe('own\n\nown');
  });

  it.each(['\n', '\r', '\u2028', '\u2029', '\r\n', ' ', ' \r', '```', '>'])(
    'are looked for in a time that grows with the length alone: %j',
    (piece) => {
      const text = piece.repeat(Math.ceil(256_000 / piece.length));

      expect(leastCpuMs(() => [withoutQuotedLines(text), withoutDiscordQuotes(text)])).toBeLessThan(500);
    },
  );
});
