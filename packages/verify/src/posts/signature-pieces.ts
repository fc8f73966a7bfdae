/** Explains a text in which no signature was found: a part of one is told from none. */
import { INVISIBLES } from './posted-words.js';

/** Letters of a word that is taken for a piece of a signature where no label stands before it. */
const PIECE = 20;
/** Letters of such a word behind a label. */
const LABELLED_PIECE = 8;
const LABEL = /\bsig(?:nature)?["']?\s{0,8}[:=\uff1a]\s{0,8}["']?$/i;
const MAX_LABEL = 40; // UTF-16 units before a word in which its label is looked for
const HEX = /^(?:0x)?[\da-f-]+$/i;

/**
 * What to say of a text that holds a piece of a signature, one sentence for people; null where it holds none.
 * @param text the member `searched` of what `findPostedSignature` answered
 */
export function describePiece(text: string): string | null {
  const letters = pieceOfSignature(text);
  if (letters === null) return null;
  return (
    `The post holds no whole signature, but a Base64 word of ${letters} characters, where one has 88: the signature was ` +
    'cut or broken into pieces. Publish it whole and in one line.'
  );
}

/**
 * The letters of the longest word that looks like a piece of a signature in Base64, null where there is none: one with
 * letters of both cases and digits, or any behind a label (`Sig:`). Numbers, keys and addresses in hex, and UUIDs are
 * none.
 */
function pieceOfSignature(text: string): number | null {
  let longest = 0;
  for (const match of text.replace(INVISIBLES, '').matchAll(/[\w+/-]+={0,2}/g)) {
    const word = match[0];
    if (word.length <= longest || word.length < LABELLED_PIECE || HEX.test(word)) continue;
    const isMixed = word.length >= PIECE && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
    if (isMixed || LABEL.test(match.input.slice(Math.max(0, match.index - MAX_LABEL), match.index)))
      longest = word.length;
  }
  return longest || null;
}
