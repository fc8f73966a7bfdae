import { Module, type Type } from '@nestjs/common';
import { PLATFORM_VERIFIERS, type PlatformVerifier } from './platform-verifier.js';
import { PlatformController } from './platform.controller.js';
import { PlatformService } from './platform.service.js';
import { EthereumVerifier } from './verifiers/ethereum.verifier.js';
import { SolanaVerifier } from './verifiers/solana.verifier.js';

/** A new platform is one file and one line here. */
const VERIFIERS: Type<PlatformVerifier>[] = [EthereumVerifier, SolanaVerifier];

@Module({
  controllers: [PlatformController],
  providers: [
    ...VERIFIERS,
    { provide: PLATFORM_VERIFIERS, useFactory: (...verifiers: PlatformVerifier[]) => verifiers, inject: VERIFIERS },
    PlatformService,
  ],
  exports: [PlatformService],
})
export class PlatformModule {}
