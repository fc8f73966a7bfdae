import { Logger, Module } from '@nestjs/common';
import { createVerifiers, optionsFromSettings } from '@signet/look';
import { Environment } from '../config/environment.js';
import { WebClient } from '../outbound/web-client.js';
import { AccountController } from './account.controller.js';
import { AccountFinder } from './account-finder.js';
import { PlatformController } from './platform.controller.js';
import { PlatformService } from './platform.service.js';

/** Those of the contract. Clients of NextID have closed lists, and fail on answers that name others. */
const CONTRACT = [
  'twitter',
  'keybase',
  'ethereum',
  'github',
  'discord',
  'dotbit',
  'solana',
  'minds',
  'dns',
  'activitypub',
];

/** Whether a platform is there: under the dialect, one beyond the contract only where the operator names it. */
function isKnownHere(platform: string, { DIALECT, PLATFORMS }: Environment): boolean {
  return DIALECT !== 'nextid' || CONTRACT.includes(platform) || PLATFORMS?.includes(platform) === true;
}

/** All verifiers with the web client, its budgets and circuits, and the settings of this server. */
function makePlatforms(environment: Environment, web: WebClient): PlatformService {
  const logger = new Logger('PlatformVerifiers');
  const warn = (platform: string, message: string) => logger.warn(`${platform}: ${message}`);
  const verifiers = createVerifiers(web, optionsFromSettings(environment), warn);
  return new PlatformService(
    verifiers.filter(({ platform }) => isKnownHere(platform, environment)),
    environment,
    web,
  );
}

@Module({
  controllers: [PlatformController, AccountController],
  providers: [AccountFinder, { provide: PlatformService, inject: [Environment, WebClient], useFactory: makePlatforms }],
  exports: [PlatformService],
})
export class PlatformModule {}
