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
import type { PlatformVerifier } from './platform-verifier.js';
import type { LookSettings } from './settings.js';
import type { Fetcher } from './web/fetcher.js';

/** The class of a verifier. `warn` gets messages for the operator that no caller sees. */
export type VerifierClass = new (
  web: Fetcher,
  settings: LookSettings,
  warn?: (message: string) => void,
) => PlatformVerifier;

/** A new platform is one verifier, its spec and one line here: CONTRIBUTING, "Add a platform". */
export const VERIFIERS: VerifierClass[] = [
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

/** All verifiers, in the order of the contract. */
export function createVerifiers(web: Fetcher, settings: LookSettings): PlatformVerifier[] {
  return VERIFIERS.map((Verifier) => new Verifier(web, settings));
}
