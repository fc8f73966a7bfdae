import { looksAlike, oddLetters } from '../../packages/verify/src/letters.js';

describe('what makes a name differ from one that looks alike', () => {
  it.each<[string, string, [string, string | null][]]>([
    ['a Cyrillic letter among Latin ones', 'p\u0430ypal.bit', [['U+0430', 'Cyrl']]],
    ['a Greek letter among Latin ones', 'b\u03bfb.bit', [['U+03BF', 'Grek']]],
    [
      'nothing but letters that look Latin',
      '\u0441\u043e\u0440.bit',
      [
        ['U+0441', 'Cyrl'],
        ['U+043E', 'Cyrl'],
        ['U+0440', 'Cyrl'],
      ],
    ],
    ['a joiner between letters', 'ali\u200dce.bit', [['U+200D', null]]],
    ['a non-joiner between letters', 'ali\u200cce.bit', [['U+200C', null]]],
    [
      'two other scripts in one part',
      '\u0434\u03b4.bit',
      [
        ['U+0434', 'Cyrl'],
        ['U+03B4', 'Grek'],
      ],
    ],
    ['a full-width letter', '\uff41lice.bit', [['U+FF41', 'Latn']]],
    ['a mathematical letter', '\u{1d41a}lice.bit', [['U+1D41A', null]]],
    ['a dotless i', 'al\u0131ce.bit', [['U+0131', 'Latn']]],
    ['a filler that shows nothing', 'alice\u3164.bit', [['U+3164', 'Hang']]],
  ])('names %s', (_what, name, expected) => {
    expect(oddLetters(name)).toEqual(expected.map(([code, script]) => ({ code, script })));
  });

  it.each([
    ['plain ASCII', 'alice-demo.bit'],
    ['an account of the Fediverse', 'alice@xn--bcher-kva.example.com'],
    ['one other script', 'алиса.bit'],
    ['accents', 'josé.bit'],
    ['Chinese beside Latin', '小明abc.bit'],
    ['Japanese of three scripts', 'さくらサクラ桜.bit'],
    ['emoji that are joined', '👩‍💻🏳️‍🌈.bit'],
    ['parts of different scripts', 'алиса.alice.bit'],
    ['an older name of Discord', 'Имя#1234'],
    ['nothing', ''],
  ])('is silent about %s', (_what, name) => {
    expect(oddLetters(name)).toBeNull();
  });
});

describe('two names that look alike', () => {
  it.each([
    ['paypal.com', 'paypa1.com'],
    ['paypal', 'p\u0430ypal'],
    ['rnicrosoft', 'microsoft'],
    ['go0gle', 'google'],
    ['alice', 'al\u0456ce'],
    ['alice', 'ali\u200bce'],
    ['alice', '\uff41lice'],
    ['bill', 'biII'],
    ['\u0430\u0440\u0440le', 'apple'],
  ])('%s and %s do', (one, other) => {
    expect([looksAlike(one, other), looksAlike(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['alice', 'alice'],
    ['Alice', 'alice'],
    ['alice', 'alicia'],
    ['\u30a2\u30ea\u30b9', '\u30a2\u30ea\u30b7'],
    ['', 'a'],
  ])('%s and %s do not, or are one name', (one, other) => {
    expect(looksAlike(one, other)).toBe(false);
  });
});
