/** Finds an Avatar's signature in what a person published. */
import type { Curves } from './curves.js';
import { decodeBase64, encodeBase64, utf8 } from './encoding.js';
import { isPersonalSignature } from './personal-sign.js';
import { parseSignature } from './signature.js';

/** The longest posts of all platforms are far below. */
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_TRIES = 5; // key recoveries per text; a post has one signature, sometimes an old one beside it
const MAX_WRAPPED_LINES = 8; // a signature of 88 characters in columns of 11
const MAX_MARKERS = 6; // `___` on both sides

/** Characters of a signature of 65 bytes, and of its compact form of 64 bytes (ERC-2098), in Base64 without padding. */
const WORD_LENGTHS = [87, 86];

/** Characters without width or of direction only, which editors and platforms slip into long words. */
const INVISIBLE = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff';
/** A run of both Base64 alphabets, with invisible characters anywhere behind its first letter. */
const WORD = new RegExp(`[\\w+/-][\\w+/\\-${INVISIBLE}]*`, 'g');
/**
 * Blanks, quotes, Markdown markers and padding: what may stand around a piece of a signature that was broken over
 * lines.
 */
const DECORATION = new RegExp(`^[\\s${INVISIBLE}\`*~>|"'“”‘’«»„=]*$`);
/** A web address up to its end in plain text, Markdown or JSON. */
const ADDRESS = /https?:\/\/[^\s"'<>`)\]|]*/gi;
const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;

/** What a post has to prove. */
export interface PostedClaim {
  /** The exact text that was signed. */
  payload: string;
  /** Compressed key: `0x` and 66 lowercase hex digits. */
  avatar: string;
}

/** Where the signature is, or what is there instead. */
export type PostedSignature =
  | {
      found: true;
      /** Standard Base64 of the bytes that were found. */
      signature: string;
      /** Index in the text of where the signature starts, in UTF-16 units. */
      at: number;
    }
  | {
      found: false;
      /** One sentence for people. */
      reason: string;
    };

interface Word {
  text: string;
  /** Index in the whole text, in UTF-16 units. */
  at: number;
}

interface Line {
  words: Word[];
  /** Nothing but decoration stands before the first word, and after the last one. */
  bareHead: boolean;
  bareTail: boolean;
}

/**
 * Looks for the Avatar's signature over `claim.payload` in the author's own text. Wording and markup do not matter:
 * every Base64 word of 65 bytes counts (or 64 in the compact form), in either alphabet, padded or not, broken over
 * lines or not. Nothing else in the text is believed, and nothing in a web address, which is somebody else's word: who
 * shares a link has signed nothing. The first candidates that have the form of a signature are tried, and the first
 * that verifies is taken. Takes linear time. The caller removes quoted, forwarded and embedded texts of others before.
 */
export function findPostedSignature(text: string, claim: PostedClaim, { secp256k1 }: Curves): PostedSignature {
  if (text.length > MAX_TEXT_BYTES || utf8(text).length > MAX_TEXT_BYTES) {
    return { found: false, reason: 'The text of the post is longer than 64 KiB.' };
  }
  const tried = new Set<string>();
  const withoutAddresses = text.replace(ADDRESS, (address) => '.'.repeat(address.length));
  for (const { text: word, at } of candidates(withoutAddresses)) {
    const bytes = decodeWord(word);
    if (!bytes || !parseSignature(bytes)) continue;
    const signature = encodeBase64(bytes);
    if (tried.has(signature)) continue;
    if (tried.size === MAX_TRIES) break;
    tried.add(signature);
    if (isPersonalSignature(claim.payload, bytes, claim.avatar, secp256k1)) return { found: true, signature, at };
  }
  return {
    found: false,
    reason:
      tried.size === 0
        ? 'The post holds no signature: a Base64 word of 65 bytes was expected in the text of its author.'
        : 'The post holds a signature, but none that this Avatar made over this payload.',
  };
}

/** Words that stand in one piece come first, those broken over lines after them. */
function* candidates(text: string): Generator<Word> {
  const lines = linesOf(text);
  for (const line of lines) for (const word of line.words) yield* unmarked(word);
  for (let first = 0; first < lines.length; first += 1) yield* wrapped(lines, first);
}

/**
 * The parts of `word` that have the length of a signature, when the rest is `_` at its ends. `_` is a Markdown marker
 * and a letter of base64url too, so each way of reading it is a candidate.
 */
function* unmarked(word: Word): Generator<Word> {
  for (const length of WORD_LENGTHS) {
    const surplus = word.text.length - length;
    if (surplus > MAX_MARKERS) continue;
    for (let start = 0; start <= surplus; start += 1) {
      const markers = word.text.slice(0, start) + word.text.slice(start + length);
      if (/^_*$/.test(markers)) yield { text: word.text.slice(start, start + length), at: word.at };
    }
  }
}

/** A word at the end of line `first`, joined with the following lines as long as each holds nothing but one word. */
function* wrapped(lines: Line[], first: number): Generator<Word> {
  const head = lines[first]!.bareTail ? lines[first]!.words.at(-1) : undefined;
  if (!head) return;
  let text = head.text;
  for (let next = first + 1; next < Math.min(lines.length, first + MAX_WRAPPED_LINES); next += 1) {
    const { words, bareHead, bareTail } = lines[next]!;
    if (words.length !== 1 || !bareHead || !bareTail) return;
    text += words[0]!.text;
    if (text.length > WORD_LENGTHS[0]!) return;
    if (WORD_LENGTHS.includes(text.length)) yield { text, at: head.at };
  }
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let offset = 0;
  for (const line of text.split(new RegExp(`(${LINE_END.source})`))) {
    if (!LINE_END.test(line)) lines.push(lineOf(line, offset));
    offset += line.length;
  }
  return lines;
}

function lineOf(line: string, offset: number): Line {
  const words: Word[] = [];
  let end = 0;
  for (const match of line.matchAll(WORD)) {
    words.push({ text: match[0].replace(/[^\w+/-]/g, ''), at: offset + match.index });
    end = match.index + match[0].length;
  }
  const start = words[0] ? words[0].at - offset : line.length;
  return { words, bareHead: DECORATION.test(line.slice(0, start)), bareTail: DECORATION.test(line.slice(end)) };
}

/** Decodes unpadded Base64 of either alphabet, or answers null. */
function decodeWord(word: string): Uint8Array | null {
  const standard = word.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
}
