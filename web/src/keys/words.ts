/** A key of 12 words: BIP-39, and the first account of Ethereum wallets (BIP-44), so that wallets can import it. */
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

const PATH = "m/44'/60'/0'/0/0";

/** 12 English words, of 128 random bits. */
export function newWords(): string[] {
  return generateMnemonic(wordlist, 128).split(' ');
}

/** The private key of 32 bytes. */
export async function keyOfWords(words: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const { privateKey } = HDKey.fromMasterSeed(await mnemonicToSeed(words.join(' '))).derive(PATH);
  return new Uint8Array(privateKey!);
}
