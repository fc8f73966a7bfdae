import { Logger, Module } from '@nestjs/common';
import { createVerifiers, optionsFromSettings } from '@signet/look';
import { Environment } from '../config/environment.js';
import { WebClient } from '../outbound/web-client.js';
import { PlatformController } from './platform.controller.js';
import { PlatformService } from './platform.service.js';

/** All verifiers with the web client, its budgets and circuits, and the settings of this server. */
function makePlatforms(environment: Environment, web: WebClient): PlatformService {
  const logger = new Logger('PlatformVerifiers');
  const warn = (platform: string, message: string) => logger.warn(`${platform}: ${message}`);
  const verifiers = createVerifiers(web, optionsFromSettings(environment), warn);
  return new PlatformService(verifiers, environment, web);
}

@Module({
  controllers: [PlatformController],
  providers: [{ provide: PlatformService, inject: [Environment, WebClient], useFactory: makePlatforms }],
  exports: [PlatformService],
})
export class PlatformModule {}
