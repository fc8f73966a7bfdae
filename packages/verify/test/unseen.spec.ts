import { isolatedName, splitUnseen, withUnseen } from '@signet/verify/unseen';

describe('characters of a text that cannot be seen', () => {
  it.each([
    ['the mark that turns letters around', 'ali\u202eecila', ['ali', 'U+202E', 'ecila']],
    ['a space of no width', 'a\u200blice', ['a', 'U+200B', 'lice']],
    ['several side by side, and at both ends', '\u2066a\u200d\u200d', ['', 'U+2066', 'a', 'U+200D', '', 'U+200D', '']],
    ['a control', 'a\u0007', ['a', 'U+0007', '']],
    ['a line break in a name', 'a\nb', ['a', 'U+000A', 'b']],
    ['a letter without a shape', '\u3164', ['', 'U+3164', '']],
    ['an empty sign of Braille', '\u2800', ['', 'U+2800', '']],
    ['a blank that looks like a space', 'a\u00a0b', ['a', 'U+00A0', 'b']],
    ['a character beyond the basic plane', 'a\u{e0041}b', ['a', 'U+E0041', 'b']],
    ['a style without an emoji', 'a\ufe0f', ['a', 'U+FE0F', '']],
    ['half of a pair', '\ud800', ['', 'U+D800', '']],
  ])('stand by their code points: %s', (_, text, pieces) => {
    expect(splitUnseen(text)).toEqual(pieces);
  });

  it.each([
    ['plain text', 'alice@example.org'],
    ['other scripts', 'بيتر Пётр 東京\u3000都 κόσμε'],
    ['an emoji of several', '👩🏽\u200d🚀 ❤\ufe0f 1\ufe0f\u20e3'],
    ['nothing', ''],
  ])('are none in %s', (_, text) => {
    expect(splitUnseen(text)).toEqual([text]);
    expect(withUnseen(text)).toBe(text);
  });

  it('leave lines and tabs of a long text as they are', () => {
    expect(splitUnseen('a\n\tb\u202e', true)).toEqual(['a\n\tb', 'U+202E', '']);
  });

  it('are written in brackets where there is no markup, and names from right to left are isolated', () => {
    expect(withUnseen('ali\u202ece')).toBe('ali⟨U+202E⟩ce');
    expect(isolatedName('ali\u202ece')).toBe('ali⟨U+202E⟩ce');
    expect(isolatedName('بيتر')).toBe('\u2068بيتر\u2069');
  });

  it('leave no character behind that changes the direction of text, in whatever order they come', () => {
    const turning = [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
    for (const one of turning) {
      for (const other of turning) {
        expect(withUnseen(String.fromCodePoint(0x61, one, 0x1f600, other, 0x62))).not.toMatch(/\p{Bidi_Control}/u);
      }
    }
  });
});
