/** Says of a name what makes it differ from another that looks the same. */

/** A character that is seldom what it looks like. */
export interface OddLetter {
  /** Such as `U+0430`. */
  code: string;
  /** ISO 15924, such as `Cyrl`; null for what belongs to no script, and for scripts that are not told apart here. */
  script: string | null;
}

const SCRIPTS = 'Latn Cyrl Grek Armn Cher Copt Geor Hebr Arab Deva Beng Thai Ethi Cans Lisu Hani Hira Kana Bopo Hang';
const TESTS = SCRIPTS.split(' ').map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const);
/** Scripts that are written beside Latin and beside each other (UTS 39, "Highly Restrictive"). */
const TOGETHER = ['Latn', 'Hani', 'Hira', 'Kana', 'Bopo', 'Hang'];
/** Cyrillic, Greek, Armenian and Latin letters that most fonts draw as a letter of ASCII (UTS 39, confusables.txt). */
const LIKE_ASCII = /^[аеорсухіјѕһԁԛԝӏգոսցօοινρυαϲϳıɑɡɩ]$/u;
/** An emoji of several, which joiners hold together. */
const JOINED_EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*)+/gu;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
const EMOJI_STYLE = /\ufe0f/g;
/** What stands between the parts of a name: each part may be of a script of its own. */
const BETWEEN_PARTS = /[.@#/\s]/;

/**
 * The characters that make a name differ from one of plain ASCII letters that looks alike: letters of another script in
 * a part that has Latin ones (or of two other scripts), parts made of nothing but letters that look Latin, letters that
 * Unicode calls forms of ASCII ones (such as full-width), and characters that cannot be seen, apart from the joiners
 * inside emoji. Null where there is none; a name of one other script is none.
 */
export function oddLetters(name: string): OddLetter[] | null {
  const odd = name.replace(JOINED_EMOJI, '').replace(EMOJI_STYLE, '').split(BETWEEN_PARTS).flatMap(oddIn);
  return odd.length === 0
    ? null
    : [...new Set(odd)].map((character) => ({ code: codeOf(character), script: scriptOf(character) }));
}

/**
 * Letters of other scripts, and special ones of Latin, that are drawn as a letter of ASCII: those of the scripts Latin,
 * Cyrillic, Greek, Armenian, Cherokee, Coptic and Lisu in `confusables.txt` of UTS 39, version 15.1. What Unicode calls
 * another form of an ASCII letter, such as a full-width one, needs no line.
 */
const DRAWN_AS: Record<string, string> = {
  a: 'ɑαаᎪꓮ',
  b: 'ƄΒВЬᏏᏴꓐꞴ',
  c: 'ϲсᴄⲥꓚꮯ',
  d: 'ԁᎠᏧꓒꓓ',
  e: 'ΕеҽᎬꓰꬲ',
  f: 'Ϝքẝꓝꞙꬵ',
  g: 'ƍɡԌցᏀᏳᶃꓖ',
  h: 'ΗНһհᎻᏂⲎꓧ',
  i: 'ıɩɪιіӏιꙇꭵ',
  j: 'ϳјᎫꓙꞲ',
  k: 'ΚКᏦⲔꓗ',
  l: 'ƖǀΙІӀᏞⲒⳐꓡꓲ',
  m: 'ΜϺМᎷⲘꓟ',
  n: 'ΝոռⲚꓠ',
  o: 'οσоօᴏᴑⲟꓳꬽ',
  p: 'ρϱрᏢⲣꓑ',
  q: 'ԛգզ',
  r: 'ƦгᎡᏒᴦⲅꓣꭇꭈꮁ',
  s: 'ƽѕՏᏕꓢꜱꮪ',
  t: 'ΤТᎢⲦꓔ',
  u: 'ʋυսᴜꓴꞟꭎꭒ',
  v: 'νѵᴠꓦꮩ',
  w: 'ɯѡԝաᏔᴡꓪꮃ',
  x: 'ΧхⲬꓫꞳ',
  y: 'ɣʏΥγϒуүᎩᎽᶌỿⲨꓬꭚ',
  z: 'Ζᴢꓜꮓ',
};
const DRAWN = new Map(Object.entries(DRAWN_AS).flatMap(([ascii, letters]) => [...letters].map((one) => [one, ascii])));
/** Characters of ASCII that are drawn alike (UTS 39); names are compared in small letters. */
const ASCII_ALIKE: [RegExp, string][] = [
  [/0/g, 'o'],
  [/[1|]/g, 'l'],
  [/rn/g, 'm'],
];
const ALL_UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Whether two names that differ look alike: whether they have the same skeleton (UTS 39, section 4), made of small
 * letters, without characters that cannot be seen. Names that differ in the case of letters alone are one name.
 */
export function looksAlike(one: string, other: string): boolean {
  return one.toLowerCase() !== other.toLowerCase() && skeleton(one) === skeleton(other);
}

function skeleton(name: string): string {
  const characters = [...name.normalize('NFKD').replace(ALL_UNSEEN, '')];
  // A capital I is drawn as a small l.
  const drawn = characters.map((one) => (one === 'I' ? 'l' : (DRAWN.get(one) ?? DRAWN.get(one.toLowerCase()) ?? one)));
  const text = drawn.join('').toLowerCase();
  return ASCII_ALIKE.reduce((drawnText, [pattern, as]) => drawnText.replace(pattern, as), text);
}

function oddIn(part: string): string[] {
  const characters = [...part];
  const letters = characters.filter((character) => /\p{L}/u.test(character));
  const scripts = new Set(letters.map(scriptOf));
  const isMixed = scripts.size > 1 && ![...scripts].every((script) => TOGETHER.includes(script ?? ''));
  const isAllAlike = letters.every((letter) => /[a-z]/i.test(letter) || LIKE_ASCII.test(letter));
  return characters.filter((character) => {
    if (character <= '\x7e') return false;
    if (UNSEEN.test(character) || /^[!-~]$/.test(character.normalize('NFKC'))) return true;
    return (
      letters.includes(character) &&
      ((isMixed && scriptOf(character) !== 'Latn') || (isAllAlike && LIKE_ASCII.test(character)))
    );
  });
}

function scriptOf(character: string): string | null {
  return TESTS.find(([, test]) => test.test(character))?.[0] ?? null;
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
