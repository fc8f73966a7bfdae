/** Makes visible in a text what no font shows, or what turns the direction of what stands beside it. */

/**
 * One emoji, whose joiners and style belong to its spelling, or one character that is not seen as what it is: controls,
 * what changes the direction of text (UAX 9), what is ignored when it is drawn, blanks that look like a space, and
 * characters without a meaning that is known to all. U+3000, the space of Japanese and Chinese, is as wide as a letter.
 */
const EMOJI_OR_UNSEEN =
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|[0-9#*]\ufe0f\u20e3|([\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\xa0\u1680\u2000-\u200a\u202f\u205f])/gu;
/** Characters that lay out a text of several lines. */
const LAYOUT = '\n\t\r';
/** Scripts that are written from right to left. */
const FROM_THE_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u;
/** First strong isolate, and its end. */
const [ISOLATE, END] = ['\u2068', '\u2069'];

/**
 * The pieces of a text: what can be seen, and between two such pieces one character that cannot, by its code point.
 *
 * @param text of anybody
 * @param isLong whether it is a text of several lines, whose line breaks and tabs are what they look like
 * @returns an odd number of pieces: `['ali', 'U+202E', 'ce']`; the text alone where all of it can be seen
 * @example splitUnseen('ali\u202ece') // ['ali', 'U+202E', 'ce']
 */
export function splitUnseen(text: string, isLong = false): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 1: unseen } of text.matchAll(EMOJI_OR_UNSEEN)) {
    if (unseen === undefined || (isLong && LAYOUT.includes(unseen))) continue;
    const code = unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    pieces.push(text.slice(from, index), `U+${code}`);
    from = index + unseen.length;
  }
  return [...pieces, text.slice(from)];
}

/**
 * A text in which each character that cannot be seen stands by its code point, for places without markup.
 *
 * @param text of anybody
 * @returns the text itself where all of it can be seen
 * @example withUnseen('ali\u202ece') // 'ali⟨U+202E⟩ce'
 */
export function withUnseen(text: string): string {
  return splitUnseen(text)
    .map((piece, place) => (place % 2 === 0 ? piece : `⟨${piece}⟩`))
    .join('');
}

/**
 * A name within a sentence without markup: as `withUnseen` writes it, and isolated where it is written from right to
 * left, so that it turns nothing beside it (UAX 9).
 *
 * @param name of anybody
 * @example isolatedName('alice') // 'alice'
 */
export function isolatedName(name: string): string {
  const seen = withUnseen(name);
  return FROM_THE_RIGHT.test(seen) ? `${ISOLATE}${seen}${END}` : seen;
}
