import { type Bound, type Look, lookAt, type Reader, unread } from '../look.js';
import type { Looker, LookerOptions, LookOptions } from '../looker.js';
import { Pauses } from '../pauses.js';
import { demandOptions } from '../options/known-options.js';
import { type CommonOptions, optionsOf } from '../options/options.js';
import type { Fetcher } from '../web/fetcher.js';
import { BrowserFetcher, type BrowserFetcherOptions } from './browser-fetcher.js';
import { type LookQuestion, whomToAsk } from './whom-to-ask.js';

type ReaderClass = new (web: Fetcher, options?: CommonOptions) => Reader;

/** Each is loaded when it is used, so that a page loads only what it looks with. */
const READERS: Record<string, () => Promise<ReaderClass>> = {
  activitypub: async () => (await import('../verifiers/activitypub/activitypub.verifier.js')).ActivitypubVerifier,
  bluesky: async () => (await import('../verifiers/bluesky/bluesky.verifier.js')).BlueskyVerifier,
  discourse: async () => (await import('../verifiers/described/discourse.js')).DiscourseVerifier,
  dns: async () => (await import('../verifiers/dns/dns-by-json.js')).DnsByJson,
  dotbit: async () => (await import('../verifiers/dotbit/dotbit.verifier.js')).DotbitVerifier,
  ethereum: async () => (await import('../verifiers/ethereum/ethereum.verifier.js')).EthereumVerifier,
  forgejo: async () => (await import('../verifiers/described/forgejo.js')).ForgejoVerifier,
  github: async () => (await import('../verifiers/github.verifier.js')).GithubVerifier,
  gitlab: async () => (await import('../verifiers/described/gitlab.js')).GitlabVerifier,
  hackernews: async () => (await import('../verifiers/described/hackernews.js')).HackernewsVerifier,
  keybase: async () => (await import('../verifiers/keybase.verifier.js')).KeybaseVerifier,
  nostr: async () => (await import('../verifiers/nostr/nostr.verifier.js')).NostrVerifier,
  orcid: async () => (await import('../verifiers/described/orcid.js')).OrcidVerifier,
  solana: async () => (await import('../verifiers/solana/solana.verifier.js')).SolanaVerifier,
  website: async () => (await import('../verifiers/website.verifier.js')).WebsiteVerifier,
};

/** How a looker of a browser works. */
export interface BrowserLookerOptions extends LookerOptions, Omit<BrowserFetcherOptions, 'signal'> {
  /**
   * Asked before each look that sends something; the answer false leaves it (`could_not_look`, `declined`). Every look
   * is made when absent: a page has to ask its visitor first by another way.
   */
  mayAsk?: ((question: LookQuestion) => boolean | Promise<boolean>) | undefined;
}

/**
 * What looks at bindings from a browser. Sends no credential, even if the options hold one. What a browser may not
 * read, and contract wallets without an endpoint in `ethereum.rpcUrls`, are `not_readable_here`.
 * @throws WrongUsageError that names an option that cannot be
 */
export function createLooker(options: BrowserLookerOptions = {}): Looker {
  demandOptions(options);
  const pauses = new Pauses();
  const closed = new AbortController();
  return {
    async look(bound, { signal }: LookOptions = {}) {
      signal?.throwIfAborted();
      const { platform } = bound.link;
      const refused = (await refusalOf(bound, options)) ?? pauses.of(platform);
      if (refused) return refused;
      const ended = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal;
      const look = await lookWith(bound, new BrowserFetcher({ ...options, signal: ended }), options);
      pauses.note(platform, look);
      return look;
    },
    close: async () => closed.abort(),
  };
}

/** The look that stands for one that may not be made; null where it may. */
async function refusalOf({ link: { platform, identity } }: Bound, options: BrowserLookerOptions): Promise<Look | null> {
  const question = whomToAsk(platform, identity, options);
  const { mayAsk } = options;
  if (!question) {
    const reason = `Pages of other sites cannot read ${platform} from a browser. Open the post, and compare it yourself.`;
    return unread('not_readable_here', reason);
  }
  if (question.hosts.length === 0 || !mayAsk || (await mayAsk(question))) return null;
  return unread('could_not_look', 'The look was declined, so nothing was asked.', 'declined');
}

async function lookWith(bound: Bound, web: BrowserFetcher, options: BrowserLookerOptions): Promise<Look> {
  const { platform } = bound.link;
  const { serviceName = options.serviceName } = bound;
  let Loaded: ReaderClass;
  try {
    Loaded = await READERS[platform]!();
  } catch {
    return unread('could_not_look', `What reads ${platform} could not be loaded.`, 'network');
  }
  const reader = new Loaded(web, optionsOf(platform, { ...options, serviceName }));
  const look = await lookAt(reader, bound);
  return look.problem === 'credential' ? { ...look, state: 'not_readable_here', problem: null } : look;
}
