/**
 * Keys as words that people write down: BIP-39 in English, and the first account of Ethereum wallets (BIP-44), so that
 * wallets can import them. No input, no output.
 */
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** Where wallets keep the key of their first account, so that they show the same address. */
export const WORDS_PATH = "m/44'/60'/0'/0/0";

/** 12, or what other programs make. */
const LENGTHS = [12, 15, 18, 21, 24];

/** A line of a sheet of words: its number and one word. */
const NUMBERED = /^\s*\d{1,2}[.):]?\s+(\p{L}+)\s*$/gmu;

/** Why words are not those of a key. `place` is that of the first unknown word, from 0. */
export type WordsProblem =
  { reason: 'count'; count: number } | { reason: 'unknown'; word: string; place: number } | { reason: 'other' };

/** 12 new words, of 128 random bits. */
export function newWords(): string[] {
  return generateMnemonic(wordlist, 128).split(' ');
}

/**
 * The words in a text that a person typed, pasted or saved, without the numbers and signs between them. Of a sheet with
 * a numbered line for each word, such as the page saves, those of the lines, and nothing else that it says.
 */
export function readWords(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  const numbered = [...plain.matchAll(NUMBERED)].map(([, word]) => word!);
  return numbered.length >= LENGTHS[0]! ? numbered : (plain.match(/\p{L}+/gu) ?? []);
}

/** Why words are not those of a key; null where they are. */
export function problemOfWords(words: string[]): WordsProblem | null {
  if (!LENGTHS.includes(words.length)) return { reason: 'count', count: words.length };
  const place = words.findIndex((word) => !wordlist.includes(word));
  if (place !== -1) return { reason: 'unknown', word: words[place]!, place };
  return validateMnemonic(words.join(' '), wordlist) ? null : { reason: 'other' };
}

/**
 * The private key of 32 bytes that words stand for, without a password of their own.
 * @throws Error for words with a problem (`problemOfWords`)
 */
export async function keyOfWords(words: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const seed = await mnemonicToSeed(words.join(' '));
  return new Uint8Array(HDKey.fromMasterSeed(seed).derive(WORDS_PATH).privateKey!);
}
