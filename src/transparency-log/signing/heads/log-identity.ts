import { type NextLog, nextLogText, receiptText, writeSignatureLine } from '@signet/verify/internal/log';
import { checkpointText, decodeHex, type Receipt, type VerifierKey, writeVerifierKey } from '@signet/verify/log';
import { noteSigner } from '@signet/verify/log-sign';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../config/environment.js';
import { type Ed25519Signer, nativeSigner } from '../../../crypto/ed25519.js';
import { nameDigits, newSeed } from '../../../crypto/signing-key.js';
import { DeploymentSettings } from '../../../database/deployment-settings.js';
import type { Head } from './signed-head.js';

/** Where the deployment keeps the seed of a key that no setting gives, as hex. */
export const LOG_KEY_SETTING = 'log_key';

/** The name and the key of the log: what its tree heads are signed as. */
export class LogIdentity {
  readonly key: VerifierKey;
  private readonly signNatively: Ed25519Signer;

  /** @param seed the private key of RFC 8032, 32 bytes @param origin absent: made of `serviceName` and the key */
  constructor(seed: Uint8Array, serviceName: string, origin?: string) {
    const { publicKey } = noteSigner(serviceName, seed).key;
    this.key = noteSigner(origin ?? `${serviceName}-${nameDigits(publicKey)}`, seed).key;
    this.signNatively = nativeSigner(seed, publicKey);
  }

  get origin(): string {
    return this.key.name;
  }

  /** The key as others write it down: `<origin>+<id>+<Base64>`. */
  get verifierKey(): string {
    return writeVerifierKey(this.key);
  }

  /** The signed note of a receipt, which each write has. */
  signReceipt(receipt: Receipt): string {
    return this.noteOf(receiptText(receipt));
  }

  /** The signed note by which the key of a log that ends names the next one. */
  signNext(next: Omit<NextLog, 'log'>): string {
    return this.noteOf(nextLogText({ log: this.origin, ...next }));
  }

  /** The signed note of a tree head. */
  sign(head: Head): string {
    return this.noteOf(checkpointText({ ...head, origin: this.origin }));
  }

  /** A text with its signature, by OpenSSL in tens of microseconds. */
  private noteOf(text: string): string {
    return `${text}\n${writeSignatureLine(this.key, this.signNatively(Buffer.from(text)))}`;
  }
}

/** Gives the identity of the log: from the settings, otherwise with a key that all servers share by the database. */
@Injectable()
export class LogIdentities {
  private identity: Promise<LogIdentity> | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly settings: DeploymentSettings,
    private readonly dataSource: DataSource,
  ) {}

  /** Read once. */
  current(): Promise<LogIdentity> {
    return (this.identity ??= this.load().catch((error: unknown) => {
      this.identity = undefined;
      throw error;
    }));
  }

  /** Reads the key again, which `npm run log -- new-origin` replaces while servers run. */
  reload(): Promise<LogIdentity> {
    this.identity = undefined;
    return this.current();
  }

  private async load(): Promise<LogIdentity> {
    const { LOG_ORIGIN } = this.environment;
    const [log] = await this.dataSource.query<{ origin: string }[]>('select origin from log_state');
    return this.identityOf(LOG_ORIGIN ?? log?.origin ?? (await this.addressIfUnused()));
  }

  /** The log that this database has, where its key is at hand; null without one, and after LOG_KEY was changed. */
  async ending(): Promise<LogIdentity | null> {
    const sql = 'select origin, verifier_key from log_state';
    const [log] = await this.dataSource.query<{ origin: string; verifier_key: string }[]>(sql);
    const identity = log ? await this.identityOf(log.origin) : null;
    return identity?.verifierKey === log?.verifier_key ? identity : null;
  }

  /**
   * The identity of a log that begins in this database when the one that it has, if any, has ended.
   * @param seed of its key, hex, where no setting gives one; the key of the present log when absent
   */
  async afterEnd(seed?: string): Promise<LogIdentity> {
    const { LOG_ORIGIN } = this.environment;
    const [log] = await this.dataSource.query<{ origin: string }[]>('select origin from log_state');
    const address = await this.addressIfUnused();
    return this.identityOf(LOG_ORIGIN ?? (address === log?.origin ? undefined : address), seed);
  }

  private async identityOf(origin: string | undefined, seed?: string): Promise<LogIdentity> {
    const { LOG_KEY, SERVICE_NAME } = this.environment;
    const hex = LOG_KEY ?? seed ?? (await this.settings.getOrMake(LOG_KEY_SETTING, newSeed));
    return new LogIdentity(decodeHex(hex.toLowerCase())!, SERVICE_NAME, origin);
  }

  /**
   * The public address of the log without its scheme, such as `id.example.org/log` (C2SP tlog-tiles, "Parameters");
   * undefined where no setting names it, or where a log that has ended had that name.
   */
  private async addressIfUnused(): Promise<string | undefined> {
    const { PUBLIC_URL } = this.environment;
    if (PUBLIC_URL === undefined) return undefined;
    const address = `${new URL(PUBLIC_URL).host}/log`;
    const past = await this.dataSource.query<unknown[]>('select from log_past_origin where origin = $1', [address]);
    return past.length === 0 ? address : undefined;
  }
}
