/**
 * Keys as words that people write down: BIP-39 in English, and the first account of Ethereum wallets (BIP-44), so that
 * wallets can import them. The list of words and its checksum are those of the caller's library for BIP-39.
 */

/** Where wallets keep the key of their first account, so that they show the same address. */
export const WORDS_PATH = "m/44'/60'/0'/0/0";

/** 12, or what other programs make. */
const LENGTHS = [12, 15, 18, 21, 24];

/** Why words are not those of a key. `place` is that of the first unknown word, from 0. */
export type WordsProblem =
  { reason: 'count'; count: number } | { reason: 'unknown'; word: string; place: number } | { reason: 'other' };

/** What a library for BIP-39 knows. */
export interface WordRules {
  wordlist: readonly string[];
  /** Whether the last word holds the checksum of the others, which stand in one line. */
  hasChecksum: (words: string) => boolean;
}

/** The words in a text that a person typed or pasted, without the numbers and signs between them. */
export function readWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}

/** Why words are not those of a key; null where they are. */
export function problemOfWords(words: string[], { wordlist, hasChecksum }: WordRules): WordsProblem | null {
  if (!LENGTHS.includes(words.length)) return { reason: 'count', count: words.length };
  const place = words.findIndex((word) => !wordlist.includes(word));
  if (place !== -1) return { reason: 'unknown', word: words[place]!, place };
  return hasChecksum(words.join(' ')) ? null : { reason: 'other' };
}
