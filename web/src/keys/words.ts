/** A key of 12 words: BIP-39, and the first account of Ethereum wallets (BIP-44), so that wallets can import it. */
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

const PATH = "m/44'/60'/0'/0/0";
/** Other programs make keys of more words. */
const LENGTHS = [12, 15, 18, 21, 24];

/** 12 English words, of 128 random bits. */
export function newWords(): string[] {
  return generateMnemonic(wordlist, 128).split(' ');
}

/** The private key of 32 bytes. */
export async function keyOfWords(words: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const { privateKey } = HDKey.fromMasterSeed(await mnemonicToSeed(words.join(' '))).derive(PATH);
  return new Uint8Array(privateKey!);
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

/** Why words are not those of a key; null where they are. The last word holds a checksum of the others. */
export type WordsProblem =
  { reason: 'count'; count: number } | { reason: 'unknown'; word: string } | { reason: 'other' };

export function problemOfWords(words: string[]): WordsProblem | null {
  if (!LENGTHS.includes(words.length)) return { reason: 'count', count: words.length };
  const word = words.find((one) => !wordlist.includes(one));
  if (word !== undefined) return { reason: 'unknown', word };
  return validateMnemonic(words.join(' '), wordlist) ? null : { reason: 'other' };
}
