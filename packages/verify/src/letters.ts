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
