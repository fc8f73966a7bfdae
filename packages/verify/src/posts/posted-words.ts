/** The words of a text that can be a signature in Base64, found in one pass. */

/** A word, or one that was broken over lines, without its invisible characters. */
export interface Word {
  text: string;
  /** Index in the whole text of where it starts, in UTF-16 units. */
  at: number;
}

/** A word of the text. Places are indexes in the whole text, in UTF-16 units. */
interface Place {
  wordStart: number;
  wordEnd: number;
  /** Number of characters of the word, without the invisible ones. */
  letters: number;
}

/** A line that has a word: its place, and that of its last word. */
interface Line extends Place {
  start: number;
  end: number;
  /** Whether it has one word only. */
  isSingle: boolean;
}

/** Characters of a signature of 65 bytes, and of its compact form of 64 bytes (ERC-2098), in Base64 without padding. */
const LENGTHS = [87, 86] as const;
/**
 * The last character of each length: no bit stands behind the last byte, and byte 65 is 0, 1, 27 or 28. Any other word
 * cannot be a signature, so it is not decoded.
 */
const LAST_CHARACTERS = { 87: 'AEsw', 86: 'AQgw' };
const [LONGEST, SHORTEST] = LENGTHS;
const MAX_WRAPPED_LINES = 8; // a signature of 88 characters in columns of 11
const MAX_MARKERS = 6; // `___` on both sides

/** Characters without width or of direction only, which editors and platforms slip into long words. */
export const INVISIBLES = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const LINE_ENDS = /[\n\r\u0085\u2028\u2029]/;
/**
 * Blanks, quotes, Markdown markers and padding: what may stand around a piece of a signature that was broken over
 * lines.
 */
const DECORATION = /^[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064`*~>|"'“”‘’«»„=]*$/;

/** What a character is: a letter of one of both Base64 alphabets, or nothing to a word. */
const [OTHER, LETTER, INVISIBLE, LINE_END] = [0, 1, 2, 3];
/** Of characters up to U+206F, beyond which only U+FEFF counts. */
const KINDS = Uint8Array.from({ length: 0x2070 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\w+/-]/.test(character)) return LETTER;
  if (LINE_ENDS.test(character)) return LINE_END;
  return character.search(INVISIBLES) === 0 ? INVISIBLE : OTHER;
});

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return KINDS[code] ?? (code === 0xfeff ? INVISIBLE : OTHER);
}

/**
 * Words that can be a signature: first those that stand in one piece, then those that were broken over lines. A word is
 * a run of letters of both Base64 alphabets, with invisible characters anywhere behind its first letter. At most one
 * word of each length comes from one place, and the time is linear, so that a text which is made to cost time costs
 * milliseconds.
 */
export function* signatureWords(text: string): Generator<Word> {
  const { lines, longWords } = read(text);
  for (const word of longWords) yield* unmarked(withoutInvisible(text, word), word.wordStart);
  const lettersOf = (line: number) => lines[line]?.letters ?? 0;
  /** Of the lines that could hold one word together; where they are too few, no word begins. */
  let letters = 0;
  for (let line = 0; line < MAX_WRAPPED_LINES; line++) letters += lettersOf(line);
  for (let first = 0; first < lines.length; first++) {
    const head = lines[first];
    if (head && letters >= SHORTEST) yield* wrapped(text, lines, first, head);
    letters += lettersOf(first + MAX_WRAPPED_LINES) - lettersOf(first);
  }
}

/**
 * The parts of a word that have the length of a signature, when the rest is `_` at its ends. `_` is a Markdown marker
 * and a letter of base64url too, so each way of reading it counts.
 */
function* unmarked(word: string, at: number): Generator<Word> {
  for (const length of LENGTHS) {
    const surplus = word.length - length;
    if (surplus > MAX_MARKERS) continue;
    for (let start = 0; start <= surplus; start++) {
      const part = word.slice(start, start + length);
      if (!isEnding(part) || !/^_*$/.test(word.slice(0, start) + word.slice(start + length))) continue;
      yield { text: part, at };
    }
  }
}

/** The last word of line `first`, joined with the following lines as long as each holds nothing but one word. */
function* wrapped(text: string, lines: (Line | null)[], first: number, head: Line): Generator<Word> {
  let { letters } = head;
  for (let last = first + 1; last < Math.min(lines.length, first + MAX_WRAPPED_LINES); last++) {
    const line = lines[last];
    if (!line?.isSingle) return;
    letters += line.letters;
    if (letters > LONGEST) return;
    if (letters < SHORTEST) continue;
    const pieces = [head, ...(lines.slice(first + 1, last + 1) as Line[])];
    const word = pieces.map((piece) => withoutInvisible(text, piece)).join('');
    if (!isEnding(word)) continue;
    if (!pieces.every((piece, place) => isBare(text, piece, place === 0))) return;
    yield { text: word, at: head.wordStart };
  }
}

/** Whether only decoration stands around the word of a line; of the first line only what is behind its word counts. */
function isBare(text: string, { start, end, wordStart, wordEnd }: Line, isFirst: boolean): boolean {
  return (isFirst || DECORATION.test(text.slice(start, wordStart))) && DECORATION.test(text.slice(wordEnd, end));
}

/** The lines, null for one without a word, and the words that are as long as a signature and its markers. */
function read(text: string): { lines: (Line | null)[]; longWords: Place[] } {
  const lines: (Line | null)[] = [];
  const longWords: Place[] = [];
  let [start, words, wordStart, wordEnd, letters] = [0, 0, 0, 0, 0];
  for (let at = 0; at <= text.length;) {
    const kind = at < text.length ? kindAt(text, at) : LINE_END;
    if (kind === LETTER) {
      [words, wordStart, letters] = [words + 1, at, 0];
      for (; at < text.length; at++) {
        const next = kindAt(text, at);
        if (next === LETTER) letters++;
        else if (next !== INVISIBLE) break;
      }
      wordEnd = at;
      if (letters >= SHORTEST && letters <= LONGEST + MAX_MARKERS) longWords.push({ wordStart, wordEnd, letters });
      continue;
    }
    if (kind === LINE_END) {
      lines.push(words === 0 ? null : { start, end: at, isSingle: words === 1, wordStart, wordEnd, letters });
      words = 0;
      if (text.startsWith('\r\n', at)) at++;
      start = at + 1;
    }
    at++;
  }
  return { lines, longWords };
}

function withoutInvisible(text: string, { wordStart, wordEnd }: Place): string {
  return text.slice(wordStart, wordEnd).replace(INVISIBLES, '');
}

/** Whether a word of one of the lengths ends as a signature does. */
function isEnding(word: string): boolean {
  return LAST_CHARACTERS[word.length as 86 | 87].includes(word.at(-1)!);
}
