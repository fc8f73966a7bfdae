import { withoutDiscordQuotes, withoutQuotedLines } from '../../src/posts/quoted-lines.js';

describe('lines of others', () => {
  it.each([
    ['a quotation of the Fediverse', withoutQuotedLines('own\n> Sig: S\nown')],
    ['a quotation of the Fediverse behind a full-width sign', withoutQuotedLines('own\n＞ Sig: S\nown')],
    ['a quotation on Discord', withoutDiscordQuotes('own\n> Sig: S\nown')],
    ['a quotation on Discord behind a full-width sign', withoutDiscordQuotes('own\n＞ Sig: S\nown')],
  ])('are left out: %s', (_what, left) => {
    expect(left).toBe('own\n\nown');
  });
});
