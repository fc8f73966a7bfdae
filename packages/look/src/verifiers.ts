import { ActivitypubVerifier } from './verifiers/activitypub/activitypub.verifier.js';
import { BlueskyVerifier } from './verifiers/bluesky/bluesky.verifier.js';
import { DiscourseVerifier } from './verifiers/described/discourse.js';
import { ForgejoVerifier } from './verifiers/described/forgejo.js';
import { GitlabVerifier } from './verifiers/described/gitlab.js';
import { HackernewsVerifier } from './verifiers/described/hackernews.js';
import { LobstersVerifier } from './verifiers/described/lobsters.js';
import { OrcidVerifier } from './verifiers/described/orcid.js';
import { DiscordVerifier } from './verifiers/discord/discord.verifier.js';
import { txtResolvers } from './verifiers/dns/dns-resolvers.js';
import { DnsVerifier } from './verifiers/dns/dns.verifier.js';
import { DotbitVerifier } from './verifiers/dotbit/dotbit.verifier.js';
import { EthereumVerifier } from './verifiers/ethereum/ethereum.verifier.js';
import { GithubVerifier } from './verifiers/github.verifier.js';
import { KeybaseVerifier } from './verifiers/keybase.verifier.js';
import { MindsVerifier } from './verifiers/minds.verifier.js';
import { NostrVerifier } from './verifiers/nostr/nostr.verifier.js';
import { SolanaVerifier } from './verifiers/solana/solana.verifier.js';
import { SteamVerifier } from './verifiers/steam.verifier.js';
import { TwitterVerifier } from './verifiers/twitter/twitter.verifier.js';
import { WebsiteVerifier } from './verifiers/website.verifier.js';
import { demandOptions } from './options/known-options.js';
import { type CommonOptions, filled, optionsOf, type PlatformOptions } from './options/options.js';
import type { PlatformVerifier } from './platform-verifier.js';
import type { Fetcher } from './web/fetcher.js';

/**
 * The class of a verifier. `warn` gets messages for the operator that no caller sees; `resolvers` read TXT records, as
 * the options of DNS say.
 */
type VerifierClass = new (
  web: Fetcher,
  options?: CommonOptions,
  warn?: (message: string) => void,
  resolvers?: ((domain: string) => Promise<string[]>)[],
) => PlatformVerifier;

/**
 * In the order of the contract, and behind them those that came later. A new platform is one verifier, its spec and
 * one line here: CONTRIBUTING, "Add a platform".
 */
const VERIFIERS: Record<string, VerifierClass> = {
  twitter: TwitterVerifier,
  keybase: KeybaseVerifier,
  ethereum: EthereumVerifier,
  github: GithubVerifier,
  discord: DiscordVerifier,
  dotbit: DotbitVerifier,
  solana: SolanaVerifier,
  minds: MindsVerifier,
  dns: DnsVerifier,
  activitypub: ActivitypubVerifier,
  bluesky: BlueskyVerifier,
  hackernews: HackernewsVerifier,
  lobsters: LobstersVerifier,
  forgejo: ForgejoVerifier,
  gitlab: GitlabVerifier,
  discourse: DiscourseVerifier,
  orcid: OrcidVerifier,
  website: WebsiteVerifier,
  steam: SteamVerifier,
  nostr: NostrVerifier,
};

/**
 * All verifiers, in the order of the contract.
 * @param warn gets messages for the operator that no caller sees, such as that a token was refused
 * @throws WrongUsageError that names an option that cannot be
 */
export function createVerifiers(
  web: Fetcher,
  options: PlatformOptions = {},
  warn?: (platform: string, message: string) => void,
): PlatformVerifier[] {
  demandOptions(options);
  const resolvers = txtResolvers(web, filled('dns', optionsOf('dns', options)));
  return Object.entries(VERIFIERS).map(
    ([platform, Verifier]) =>
      new Verifier(web, optionsOf(platform, options), (message) => warn?.(platform, message), resolvers),
  );
}
