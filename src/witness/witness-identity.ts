import { readLogList } from '@signet/verify/internal/log';
import { decodeHex, PolicyError, type PolicyLog } from '@signet/verify/log';
import { type Cosigner, cosigner } from '@signet/verify/log-sign';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Environment, readTextSetting } from '../config/environment.js';
import { nameDigits, newSeed } from '../crypto/signing-key.js';
import { DeploymentSettings } from '../database/deployment-settings.js';

/** The name and key with which this service cosigns, and the logs that it cosigns for. */
@Injectable()
export class WitnessIdentity implements OnModuleInit {
  /** Signs as this witness. */
  cosigner: Cosigner;
  /** Of the logs that are watched; their names are the origins. */
  private keys: PolicyLog['key'][] = [];

  constructor(
    private readonly environment: Environment,
    private readonly settings: DeploymentSettings,
  ) {}

  /** @throws InvalidEnvironmentError if WITNESS_LOGS cannot be read */
  async onModuleInit(): Promise<void> {
    this.keys = readWitnessLogs(this.environment).map(({ key }) => key);
    const { WITNESS_KEY, WITNESS_NAME, SERVICE_NAME } = this.environment;
    const hex = WITNESS_KEY ?? (await this.settings.getOrMake('witness_key', newSeed));
    const seed = decodeHex(hex)!;
    const { publicKey } = cosigner(SERVICE_NAME, seed).key;
    this.cosigner = cosigner(WITNESS_NAME ?? `${SERVICE_NAME}-witness-${nameDigits(publicKey)}`, seed);
  }

  origins(): string[] {
    return [...new Set(this.keys.map(({ name }) => name))];
  }

  /** The keys that are believed for an origin; none if it is not watched. */
  keysOf(origin: string): PolicyLog['key'][] {
    return this.keys.filter(({ name }) => name === origin);
  }
}

/** The logs of the setting WITNESS_LOGS. @throws InvalidEnvironmentError if they cannot be read */
export function readWitnessLogs({ WITNESS, WITNESS_LOGS }: Environment): PolicyLog[] {
  if (!WITNESS || WITNESS_LOGS === undefined) return [];
  return readTextSetting('WITNESS_LOGS', WITNESS_LOGS, PolicyError, readLogList);
}
