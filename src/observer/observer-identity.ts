import { Injectable, type OnModuleInit } from '@nestjs/common';
import { decodeHex, writeVerifierKey } from '@signet/verify/log';
import { observer, type Observer } from '@signet/verify/log-sign';
import { type Observers, ObserversError, readObservers } from '@signet/verify/seen';
import { Environment, readTextSetting } from '../config/environment.js';
import { nativeEd25519 } from '../crypto/ed25519.js';
import { nameDigits, newSeed } from '../crypto/signing-key.js';
import { DeploymentSettings } from '../database/deployment-settings.js';

/** The name and key for the statements of this server, and the observers that it believes. */
@Injectable()
export class ObserverIdentity implements OnModuleInit {
  /** Whose statements are collected; of OBSERVERS. */
  readonly believed: Observers;
  private signer: Observer | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly settings: DeploymentSettings,
  ) {
    this.believed = readObserversSetting(environment);
  }

  /** The name is kept with the database, so that readers need no other one when PUBLIC_URL changes. */
  async onModuleInit(): Promise<void> {
    if (this.environment.LOOK_AT.length > 0) this.signer = await this.load();
  }

  /** What this server signs with; there is none where it looks at no other server. */
  get own(): Observer {
    return this.signer!;
  }

  /** The key as others write it into their lists; empty where there is none. */
  get verifierKey(): string {
    return this.signer ? writeVerifierKey(this.signer.key) : '';
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
  return readTextSetting('OBSERVERS', OBSERVERS, ObserversError, (text) => {
    const list = readObservers(text, { curves: { ed25519: nativeEd25519 } });
    const silent = list.observers.find(
      ({ urls }) => !urls.some((url) => /^https?:\/\//.test(url) && URL.canParse(url)),
    );
    if (silent) throw new ObserversError(`the observer ${silent.operator} has no http or https URL`);
    return list;
  });
}
