/** Recovery keys, leaked keys and keys of before: read where a person can give them, and never from an argument. */
import { fromPrivateKey, type Signer } from '@signet/sdk';
import { looksLikeKeyFile } from '@signet/verify/files';
import { UsageError } from '../exit.js';
import type { Session } from '../session.js';
import { readAll, textOf } from '../terminal/io.js';
import { decryptKey } from './key-file.js';
import { readKeyVariable, readPrivateKey } from './private-key.js';

/** The environment variable with a recovery key. */
export const RECOVERY_VARIABLE = 'SIGNET_RECOVERY_KEY';

/**
 * A key of 12 words or 64 hex digits: from the environment, asked for without being shown, or from standard input.
 * @param name what is asked for, such as `Recovery words`
 * @throws UsageError where there is none; RefusedError (`invalid_key`) that quotes nothing of it
 */
export async function secretSigner({ io, prompter }: Session, name: string): Promise<Signer> {
  const given = io.env[RECOVERY_VARIABLE];
  if (given) return fromPrivateKey(await readKeyVariable(RECOVERY_VARIABLE, given));
  const text = prompter.isPossible ? await prompter.askSecret(`${name} (not shown):`, '') : await readAll(io);
  if (text.trim() === '') {
    throw new UsageError(`Standard input was empty: give 12 words or 64 hex digits, or set ${RECOVERY_VARIABLE}.`);
  }
  return fromPrivateKey(await readPrivateKey(text));
}

/** The key of an encrypted file, or of a file with 12 words or 64 hex digits. @throws UsageError, RefusedError */
export async function signerOfFile({ io, prompter }: Session, file: string): Promise<Signer> {
  const text = await textOf(file);
  if (!looksLikeKeyFile(text)) return fromPrivateKey(await readPrivateKey(text));
  const passphrase =
    io.env['SIGNET_PASSPHRASE'] ?? (await prompter.askSecret(`Pass phrase of ${file}:`, 'set SIGNET_PASSPHRASE.'));
  return fromPrivateKey(await decryptKey(text, passphrase));
}
