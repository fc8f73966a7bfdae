import { Injectable } from '@nestjs/common';
import { decodeHex, writeVerifierKey } from '@signet/verify/log';
import { observer, type Observer } from '@signet/verify/log-sign';
import { type Observers, ObserversError, readObservers } from '@signet/verify/seen';
import { Environment, InvalidEnvironmentError } from '../config/environment.js';
import { textOfSetting } from '../config/text-setting.js';
import { nativeEd25519 } from '../crypto/ed25519.js';
import { nameDigits, newSeed } from '../crypto/signing-key.js';
import { DeploymentSettings } from '../database/deployment-settings.js';

/** The name and key with which this server signs what it saw, and the observers whose word it shows. */
@Injectable()
export class ObserverIdentity {
  /** Whose statements are collected; of OBSERVERS. */
  readonly believed: Observers;
  private signer: Promise<Observer> | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly settings: DeploymentSettings,
  ) {
    this.believed = readObserversSetting(environment);
  }

  /** Read once. The name is kept with the database, so that readers need no other one when PUBLIC_URL changes. */
  own(): Promise<Observer> {
    return (this.signer ??= this.load().catch((error: unknown) => {
      this.signer = undefined;
      throw error;
    }));
  }

  /** The key as others write it into their lists. */
  async verifierKey(): Promise<string> {
    return writeVerifierKey((await this.own()).key);
  }

  private async load(): Promise<Observer> {
    const { SEEN_KEY, SERVICE_NAME, PUBLIC_URL } = this.environment;
    const hex = SEEN_KEY ?? (await this.settings.getOrMake('seen_key', newSeed));
    const seed = decodeHex(hex.toLowerCase())!;
    const { publicKey } = observer(SERVICE_NAME, seed).key;
    const name = await this.settings.getOrMake('seen_name', () =>
      PUBLIC_URL === undefined ? `${SERVICE_NAME}-seen-${nameDigits(publicKey)}` : `${new URL(PUBLIC_URL).host}/seen`,
    );
    return observer(name, seed);
  }
}

/** The observers of OBSERVERS, each with an address. @throws InvalidEnvironmentError if they cannot be read */
export function readObserversSetting({ OBSERVERS }: Environment): Observers {
  if (OBSERVERS === undefined) return { observers: [], quorum: null };
  try {
    const list = readObservers(textOfSetting('OBSERVERS', OBSERVERS), nativeEd25519);
    const silent = list.observers.find(
      ({ urls }) => !urls.some((url) => /^https?:\/\//.test(url) && URL.canParse(url)),
    );
    if (silent) throw new ObserversError(`the observer ${silent.operator} has no http or https URL`);
    return list;
  } catch (error) {
    const prefix = error instanceof ObserversError ? 'OBSERVERS: ' : '';
    throw new InvalidEnvironmentError([`${prefix}${(error as Error).message}`]);
  }
}
