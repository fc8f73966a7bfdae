import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { encodeHex } from '@signet/verify';
import { Environment } from '../config/environment.js';
import { DeploymentSettings } from '../database/deployment-settings.js';
import { PAYLOAD_KEY, PayloadSeal } from './payload.seal.js';

const KEY_BYTES = 32;

@Module({
  providers: [
    {
      provide: PAYLOAD_KEY,
      inject: [Environment, DeploymentSettings],
      useFactory: async (environment: Environment, settings: DeploymentSettings): Promise<Uint8Array> =>
        Buffer.from(
          environment.PAYLOAD_SECRET ??
            (await settings.getOrMake('payload_secret', () => encodeHex(randomBytes(KEY_BYTES)))),
        ),
    },
    PayloadSeal,
  ],
  exports: [PayloadSeal],
})
export class LedgerModule {}
