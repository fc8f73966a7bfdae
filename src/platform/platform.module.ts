import { Logger, Module, type Provider } from '@nestjs/common';
import { type PlatformVerifier, type VerifierClass, VERIFIERS } from '@signet/look';
import { Environment } from '../config/environment.js';
import { WebClient } from '../outbound/web-client.js';
import { PlatformController } from './platform.controller.js';
import { PLATFORM_VERIFIERS, PlatformService } from './platform.service.js';

/** A verifier with the web client, its budgets and circuits, and the settings of this server. */
function providerOf(Verifier: VerifierClass): Provider {
  const logger = new Logger(Verifier.name);
  return {
    provide: Verifier,
    useFactory: (web: WebClient, environment: Environment) =>
      new Verifier(web, environment, (message) => logger.warn(message)),
    inject: [WebClient, Environment],
  };
}

@Module({
  controllers: [PlatformController],
  providers: [
    ...VERIFIERS.map(providerOf),
    { provide: PLATFORM_VERIFIERS, useFactory: (...verifiers: PlatformVerifier[]) => verifiers, inject: VERIFIERS },
    PlatformService,
  ],
  exports: [PlatformService],
})
export class PlatformModule {}
