import {
  decodeHex,
  type Receipt,
  receiptText,
  type VerifierKey,
  writeSignatureLine,
  writeVerifierKey,
} from '@signet/verify/log';
import { type NoteSigner, noteSigner, signCheckpoint } from '@signet/verify/log-sign';
import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { type Ed25519Signer, nativeSigner } from '../crypto/ed25519.js';
import { nameDigits, newSeed } from '../crypto/signing-key.js';
import { DeploymentSettings } from '../database/deployment-settings.js';
import type { Head } from './heads/signed-head.js';

/** Where the deployment keeps the seed of a key that no setting gives, as hex. */
export const LOG_KEY_SETTING = 'log_key';

/** The name and the key of the log: what its tree heads are signed as. */
export class LogIdentity {
  private readonly signer: NoteSigner;
  private readonly signNatively: Ed25519Signer;

  /** @param seed the private key of RFC 8032, 32 bytes @param origin absent: made of `serviceName` and the key */
  constructor(seed: Uint8Array, serviceName: string, origin?: string) {
    const { publicKey } = noteSigner(serviceName, seed).key;
    this.signer = noteSigner(origin ?? `${serviceName}-${nameDigits(publicKey)}`, seed);
    this.signNatively = nativeSigner(seed, publicKey);
  }

  get origin(): string {
    return this.signer.key.name;
  }

  get key(): VerifierKey {
    return this.signer.key;
  }

  /** The key as others write it down: `<origin>+<id>+<Base64>`. */
  get verifierKey(): string {
    return writeVerifierKey(this.signer.key);
  }

  /** The signed note of a receipt. Each write has one, so OpenSSL signs it, in tens of microseconds. */
  signReceipt(receipt: Receipt): string {
    const text = receiptText(receipt);
    return `${text}\n${writeSignatureLine(this.key, this.signNatively(Buffer.from(text)))}`;
  }

  /** The signed note of a tree head. */
  sign(head: Head): string {
    return signCheckpoint({ ...head, origin: this.origin }, this.signer);
  }
}

/** Gives the identity of the log: from the settings, otherwise with a key that all servers share by the database. */
@Injectable()
export class LogIdentities {
  private identity: Promise<LogIdentity> | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly settings: DeploymentSettings,
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
    const { LOG_KEY, LOG_ORIGIN, SERVICE_NAME } = this.environment;
    const hex = LOG_KEY ?? (await this.settings.getOrMake(LOG_KEY_SETTING, newSeed));
    return new LogIdentity(decodeHex(hex.toLowerCase())!, SERVICE_NAME, LOG_ORIGIN);
  }
}
