import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { encodeHex } from '@signet/verify';
import { Environment } from '../config/environment.js';
import { DeploymentSettings } from '../database/deployment-settings.js';
import { PayloadSeal } from './payload.seal.js';

const KEY_BYTES = 32;

async function makeSeal(environment: Environment, settings: DeploymentSettings): Promise<PayloadSeal> {
  const newKey = () => encodeHex(randomBytes(KEY_BYTES));
  const key = environment.PAYLOAD_SECRET ?? (await settings.getOrMake('payload_secret', newKey));
  return new PayloadSeal(Buffer.from(key), environment);
}

@Module({
  providers: [{ provide: PayloadSeal, inject: [Environment, DeploymentSettings], useFactory: makeSeal }],
  exports: [PayloadSeal],
})
export class LedgerModule {}
