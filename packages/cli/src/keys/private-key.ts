/** Private keys as people write them: hex, or 12 words. */
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { fromPrivateKey } from '@signet/sdk';
import { RefusedError, UsageError } from '../exit.js';

/** What wallets use for their first account, so that they show the same address (docs/design/decisions.md). */
const PATH = "m/44'/60'/0'/0/0";
const HEX = /^(?:0x)?([0-9a-fA-F]{64})$/;

/** 12 new words. */
export function newWords(): string {
  return generateMnemonic(wordlist);
}

/**
 * The private key that a text stands for: 64 hex digits, or 12 to 24 words of BIP-39 in English in any spacing and
 * letter case, without a password of their own.
 * @throws RefusedError (`invalid_key`) that quotes nothing of the text
 */
export async function readPrivateKey(text: string): Promise<Uint8Array> {
  const digits = HEX.exec(text.trim())?.[1];
  if (digits !== undefined) return checked(new Uint8Array(Buffer.from(digits, 'hex')));
  const words = text.trim().toLowerCase().split(/\s+/);
  if (words.length < 12) throw new RefusedError('A key is 64 hex digits, or 12 words.', 'invalid_key');
  const unknown = words.findIndex((word) => !wordlist.includes(word));
  if (unknown !== -1) throw new RefusedError(`Word ${unknown + 1} is not in the list of BIP-39.`, 'invalid_key');
  const mnemonic = words.join(' ');
  if (!validateMnemonic(mnemonic, wordlist)) {
    const message = `These ${words.length} words do not belong together: one is wrong, or they are in another order.`;
    throw new RefusedError(message, 'invalid_key');
  }
  const { privateKey } = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic)).derive(PATH);
  return checked(privateKey!);
}

/**
 * The private key in an environment variable.
 * @throws UsageError (`invalid_key`) that names the variable and quotes nothing of it
 */
export async function readKeyVariable(name: string, text: string): Promise<Uint8Array> {
  return readPrivateKey(text).catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    throw new UsageError(`${name} cannot be used. ${error.message}`, error.code);
  });
}

function checked(privateKey: Uint8Array): Uint8Array {
  try {
    fromPrivateKey(privateKey);
  } catch (cause) {
    throw Object.assign(new RefusedError('These digits are not a private key of secp256k1.', 'invalid_key'), { cause });
  }
  return privateKey;
}
