/** A key of 12 words, made and read by a library for BIP-39. */
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { problemOfWords as problemOf, readWords, type WordsProblem, WORDS_PATH } from '@signet/verify/files';

export { readWords, type WordsProblem };

/** 12 English words, of 128 random bits. */
export function newWords(): string[] {
  return generateMnemonic(wordlist, 128).split(' ');
}

/** The private key of 32 bytes. */
export async function keyOfWords(words: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const { privateKey } = HDKey.fromMasterSeed(await mnemonicToSeed(words.join(' '))).derive(WORDS_PATH);
  return new Uint8Array(privateKey!);
}

/** Why words are not those of a key; null where they are. */
export function problemOfWords(words: string[]): WordsProblem | null {
  return problemOf(words, { wordlist, hasChecksum: (text) => validateMnemonic(text, wordlist) });
}
