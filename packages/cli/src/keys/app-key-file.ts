/** The key of an app in a file: not encrypted, because a program reads it, and worth no more than its scopes. */
import { randomBytes } from 'node:crypto';
import { type AppSigner, fromAppKey } from '@signet/sdk';
import { decodeHex, encodeHex } from '@signet/verify';
import { isAppKey } from '@signet/verify/internal/key-events';
import type { AppKeyAlgorithm } from '@signet/verify/key-events';
import { RefusedError, UsageError } from '../exit.js';
import type { Session } from '../session.js';
import { textOf } from '../terminal/io.js';
import { jsonFile } from '../terminal/printer.js';
import { makeFile } from '../terminal/written-file.js';

/** The environment variable with the text of such a file. */
export const APP_KEY_VARIABLE = 'SIGNET_APP_KEY';

/** What a key of an app can be. */
export const APP_KEY_ALGORITHMS: readonly AppKeyAlgorithm[] = ['ed25519', 'es256', 'secp256k1'];

interface AppKeyFile {
  /** Compressed key of the Avatar whose content the key signs. */
  avatar: string;
  /** `<algorithm>:0x<hex>`. */
  key: string;
  /** 32 bytes in hex behind `0x`. */
  private_key: string;
}

/**
 * The key in a file that `signet keys add` made.
 * @throws UsageError where the file cannot be read or is none; quotes nothing of it
 */
export async function appKeyOfFile(file: string): Promise<AppSigner> {
  return readAppKey(await textOf(file), file);
}

/** The key in `SIGNET_APP_KEY`; null where that is not set. @throws UsageError */
export function appKeyOfVariable({ io }: Session): AppSigner | null {
  const text = io.env[APP_KEY_VARIABLE];
  return text ? readAppKey(text, APP_KEY_VARIABLE) : null;
}

/**
 * Makes a key for an Avatar and writes it, for its owner alone to read.
 * @throws RefusedError (`key_exists`): a key is never overwritten
 */
export async function makeAppKey(file: string, avatar: string, algorithm: AppKeyAlgorithm): Promise<AppSigner> {
  const privateKey = newPrivateKey(avatar, algorithm);
  const app = fromAppKey({ avatar, algorithm, privateKey });
  const content: AppKeyFile = { avatar: app.avatar, key: app.key, private_key: `0x${encodeHex(privateKey)}` };
  if (await makeFile(file, `${jsonFile(content, 2)}\n`)) return app;
  throw new RefusedError(`There is a file ${file} already.`, 'key_exists');
}

/** Nearly every 32 bytes are a private key of secp256k1 and P-256, and the others are drawn again. */
function newPrivateKey(avatar: string, algorithm: AppKeyAlgorithm): Uint8Array {
  for (;;) {
    const privateKey = new Uint8Array(randomBytes(32));
    try {
      fromAppKey({ avatar, algorithm, privateKey });
      return privateKey;
    } catch {
      continue;
    }
  }
}

function readAppKey(text: string, name: string): AppSigner {
  const { avatar, key, private_key: secret } = membersOf(text);
  const algorithm = isAppKey(key) ? (key.split(':')[0] as AppKeyAlgorithm) : null;
  const privateKey = typeof secret === 'string' ? decodeHex(secret.replace(/^0x/, '')) : null;
  if (algorithm && privateKey?.length === 32 && typeof avatar === 'string') {
    const app = signerOrNull({ avatar, algorithm, privateKey });
    if (app && app.key === key) return app;
  }
  throw new UsageError(`${name} is not the key of an app, as signet keys add makes one.`, 'invalid_key');
}

function signerOrNull(options: Parameters<typeof fromAppKey>[0]): AppSigner | null {
  try {
    return fromAppKey(options);
  } catch {
    return null;
  }
}

function membersOf(text: string): Partial<Record<keyof AppKeyFile, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Record<keyof AppKeyFile, unknown>>;
  } catch {
    return {};
  }
}
