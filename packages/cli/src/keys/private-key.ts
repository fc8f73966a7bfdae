/** Private keys as people write them: hex, or 12 words. */
import { fromPrivateKey } from '@signet/sdk';
import { keyOfWords, problemOfWords, readWords, type WordsProblem } from '@signet/verify/words';
import { RefusedError, UsageError } from '../exit.js';

const HEX = /^(?:0x)?([0-9a-fA-F]{64})$/;

/**
 * The private key that a text stands for: 64 hex digits, or 12 to 24 words of BIP-39 in English in any letter case and
 * with anything between them, also as the sheet that the page saves, without a password of their own.
 * @throws RefusedError (`invalid_key`) that quotes nothing of the text
 */
export async function readPrivateKey(text: string): Promise<Uint8Array> {
  const digits = HEX.exec(text.trim())?.[1];
  if (digits !== undefined) return checked(new Uint8Array(Buffer.from(digits, 'hex')));
  // Digits with one too few or too many are no words.
  const words = /\s/.test(text.trim()) ? readWords(text) : [];
  const problem = problemOfWords(words);
  if (problem) throw new RefusedError(sentenceOf(problem, words.length), 'invalid_key');
  return checked(await keyOfWords(words));
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

/** Quotes nothing of the words. */
function sentenceOf(problem: WordsProblem, count: number): string {
  if (problem.reason === 'unknown') return `Word ${problem.place + 1} is not in the list of BIP-39.`;
  if (problem.reason === 'other')
    return `These ${count} words do not belong together: one is wrong, or they are in another order.`;
  return count < 12
    ? 'A key is 64 hex digits, or 12 words.'
    : `These are ${count} words, and a key has 12, 15, 18, 21 or 24.`;
}

function checked(privateKey: Uint8Array): Uint8Array {
  try {
    fromPrivateKey(privateKey);
  } catch (cause) {
    throw Object.assign(new RefusedError('These digits are not a private key of secp256k1.', 'invalid_key'), { cause });
  }
  return privateKey;
}
