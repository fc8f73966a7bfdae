/** Private keys in encrypted files (`@signet/verify/files`), with refusals in the words of the command. */
import { describeKeyFile, KeyFileError, type KeyFileNames, openKeyFile } from '@signet/verify/files';
import { RefusedError } from '../exit.js';

/**
 * The private key in the text of a key file.
 * @throws RefusedError (`invalid_key_file`, `wrong_passphrase`)
 */
export async function decryptKey(text: string, passphrase: string): Promise<Uint8Array> {
  return openKeyFile(text, passphrase).catch(refuse);
}

/** What a key file says of itself without its pass phrase. @throws RefusedError (`invalid_key_file`) */
export function namesInKeyFile(text: string): KeyFileNames {
  try {
    return describeKeyFile(text);
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof KeyFileError)) throw error;
  throw new RefusedError(error.message, error.code === 'wrong_passphrase' ? error.code : 'invalid_key_file');
}
