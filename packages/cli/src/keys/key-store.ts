/** Where a person's key comes from: the environment, or an encrypted file. Never from an argument. */
import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fromPrivateKey, type Signer } from '@signet/sdk';
import { findAvatarKey } from '@signet/verify';
import { makeKeyFile } from '@signet/verify/files';
import { cleanPasted } from '@signet/verify/internal';
import { RefusedError, UsageError } from '../exit.js';
import { decryptKey, namesInKeyFile } from './key-file.js';
import { type Io, textIn } from '../terminal/io.js';
import { makeFile, refuseFile } from '../terminal/written-file.js';
import { readKeyVariable } from './private-key.js';
import type { Prompter } from '../terminal/prompter.js';

const SHORTEST_PASSPHRASE = 8;
const KEY_VARIABLE = 'SIGNET_PRIVATE_KEY';
const NO_PASSPHRASE = 'set SIGNET_PASSPHRASE.';

/** The public side of a key. */
export interface ShownKey {
  /** Compressed key; null where a key file of another program does not hold it in the clear. */
  avatar: string | null;
  /** Null where a key file does not name it. */
  address: string | null;
  /** Null for a key from the environment. */
  file: string | null;
}

/** The key of the person who runs the command. */
export class KeyStore {
  readonly file: string;

  constructor(
    private readonly io: Io,
    private readonly prompter: Prompter,
    file: string | undefined,
  ) {
    this.file = path.resolve(file ?? (io.env['SIGNET_KEY_FILE'] || path.join(configFolder(io), 'key.json')));
  }

  /** The key to sign with. @throws UsageError where there is none */
  async signer(): Promise<Signer> {
    return fromPrivateKey(await this.privateKey());
  }

  /** 32 bytes. @throws UsageError where there is none; RefusedError for a wrong pass phrase */
  async privateKey(): Promise<Uint8Array> {
    const given = this.io.env[KEY_VARIABLE];
    if (given) return readKeyVariable(KEY_VARIABLE, given);
    const text = await this.readFile();
    const passphrase =
      this.io.env['SIGNET_PASSPHRASE'] ??
      (await this.prompter.askSecret(`Pass phrase of ${this.file}:`, NO_PASSPHRASE));
    return decryptKey(text, passphrase);
  }

  /** What can be said without a pass phrase. @throws UsageError where there is no key, with what else can be done */
  async show(otherwise = ''): Promise<ShownKey> {
    const given = this.io.env[KEY_VARIABLE];
    if (given) {
      const { avatar, address } = fromPrivateKey(await readKeyVariable(KEY_VARIABLE, given));
      return { avatar, address, file: null };
    }
    return { ...namesInKeyFile(await this.readFile(otherwise)), file: this.file };
  }

  /** The Avatar that is meant: the one that is named, or one's own. @throws UsageError */
  async avatarOr(named: string | undefined): Promise<string> {
    if (named !== undefined) {
      const text = cleanPasted(named);
      const key = findAvatarKey(text.startsWith('0x') ? text : `0x${text}`);
      if (!key) throw new UsageError('An Avatar is a public key: 0x and 66 or 130 hex digits.');
      return key.compressed;
    }
    const { avatar } = await this.show(' Or name the Avatar that you mean, a public key in hex.');
    return avatar ?? (await this.signer()).avatar;
  }

  /** The encrypted file as it is. @throws UsageError where there is none, with what else can be done */
  async readFile(otherwise = ''): Promise<string> {
    try {
      return textIn(await readFile(this.file), this.file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') refuseFile(this.file, 'read')(error as Error);
      const where = `There is no key at ${this.file}.`;
      const help = `Make one with signet key new, or name another with --key or SIGNET_KEY_FILE.${otherwise}`;
      throw new UsageError(`${where} ${help}`);
    }
  }

  /** Encrypts a key into the file. @throws RefusedError (`key_exists`): a key is never overwritten */
  async keep(privateKey: Uint8Array): Promise<void> {
    await this.refuseExisting();
    const text = await makeKeyFile(privateKey, await this.newPassphrase());
    await this.write(text);
  }

  /** @throws RefusedError (`key_exists`) */
  async refuseExisting(): Promise<void> {
    const isThere = await stat(this.file).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && refuseFile(this.file, 'written')(error),
    );
    if (isThere) this.refuse();
  }

  private refuse(): never {
    const message = `There is a key at ${this.file} already, and keys are never overwritten. Move it away, or name another file with --key.`;
    throw new RefusedError(message, 'key_exists');
  }

  private async write(text: string): Promise<void> {
    if (!(await makeFile(this.file, text))) this.refuse();
  }

  private async newPassphrase(): Promise<string> {
    const given = this.io.env['SIGNET_PASSPHRASE'];
    if (given !== undefined) return this.checkedPassphrase(given);
    const first = this.checkedPassphrase(await this.prompter.askSecret('New pass phrase:', NO_PASSPHRASE));
    const second = await this.prompter.askSecret('The same again:', NO_PASSPHRASE);
    if (first !== second) throw new RefusedError('The two pass phrases are not the same.', 'wrong_passphrase');
    return first;
  }

  private checkedPassphrase(text: string): string {
    if ([...text].length >= SHORTEST_PASSPHRASE) return text;
    throw new UsageError(`A pass phrase has at least ${SHORTEST_PASSPHRASE} characters.`);
  }
}

/** Where settings of this person are, after the XDG Base Directory Specification. */
export function configFolder({ env }: Io): string {
  const base = env['XDG_CONFIG_HOME'] || path.join(env['HOME'] ?? os.homedir(), '.config');
  return path.join(base, 'signet');
}
