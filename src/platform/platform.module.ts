import { Module, type Type } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import type { WebClient } from '../outbound/web-client.js';
import { PLATFORM_VERIFIERS, type PlatformVerifier } from './platform-verifier.js';
import { PlatformController } from './platform.controller.js';
import { PlatformService } from './platform.service.js';
import { ActivitypubVerifier } from './verifiers/activitypub/activitypub.verifier.js';
import { DiscordVerifier } from './verifiers/discord/discord.verifier.js';
import { DnsVerifier } from './verifiers/dns/dns.verifier.js';
import { DotbitVerifier } from './verifiers/dotbit/dotbit.verifier.js';
import { EthereumVerifier } from './verifiers/ethereum/ethereum.verifier.js';
import { GithubVerifier } from './verifiers/github.verifier.js';
import { KeybaseVerifier } from './verifiers/keybase.verifier.js';
import { MindsVerifier } from './verifiers/minds.verifier.js';
import { SolanaVerifier } from './verifiers/solana/solana.verifier.js';
import { TwitterVerifier } from './verifiers/twitter/twitter.verifier.js';

/** A new platform is one verifier, its spec and one line here: CONTRIBUTING, "Add a platform". */
const VERIFIERS: Type<PlatformVerifier>[] = [
  TwitterVerifier,
  KeybaseVerifier,
  EthereumVerifier,
  GithubVerifier,
  DiscordVerifier,
  DotbitVerifier,
  SolanaVerifier,
  MindsVerifier,
  DnsVerifier,
  ActivitypubVerifier,
];

/** All verifiers outside of an application, for tests, the demo and pages that are written from them. */
export function createVerifiers(web: WebClient, environment: Environment): PlatformVerifier[] {
  return VERIFIERS.map((Verifier) => new Verifier(web, environment));
}

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
