/** The hosts that a look from a browser would ask, and what it reveals to them; without any code of verifiers. */
import { BROWSER_DOH_URLS, filled, type PlatformOptions } from '../options/options.js';

/** The hosts that a look would ask, known before it asks. */
export interface LookQuestion {
  platform: string;
  identity: string;
  /** Names of the hosts that would be asked first, and learn the address of this browser and what it looks at. */
  hosts: string[];
  /**
   * Who owns these hosts: `platform`, the platform itself or a provider of the options; `resolver`, a resolver, which
   * asks the servers of the domain; `chosen`, a server that the holder of the identity chose, perhaps run by that very
   * person.
   */
  reveals: 'platform' | 'resolver' | 'chosen';
}

type Hosts = (options: PlatformOptions, identity: string) => string[];

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** A look at a wallet sends no request, except for contract wallets. */
const WALLETS: Hosts = () => [];

/** The server at which the account is. */
const AT_HOST: Readable = {
  reveals: 'chosen',
  hosts: (_options, identity) => [identity.slice(identity.lastIndexOf('@') + 1)],
};

interface Readable {
  reveals: LookQuestion['reveals'];
  hosts: Hosts;
}

/**
 * The platforms that a page can read, as far as their servers allow other origins (docs/design/platforms.md 0.5): X,
 * Discord, Minds, Lobsters and Steam never do, and forums, forges and websites where their owners chose so.
 */
const READABLE: Record<string, Readable> = {
  activitypub: AT_HOST,
  // The server of the account is known once the directory, or the host of a did:web, has answered.
  bluesky: {
    reveals: 'chosen',
    hosts: ({ bluesky = {} }, identity) => [
      /^did:web:(.*)$/.exec(identity)?.[1] ?? hostOf(filled('bluesky', bluesky).directory),
    ],
  },
  discourse: AT_HOST,
  dns: { reveals: 'resolver', hosts: ({ dns }) => (dns?.dohUrls ?? BROWSER_DOH_URLS).slice(0, 2).map(hostOf) },
  dotbit: { reveals: 'platform', hosts: ({ dotbit = {} }) => filled('dotbit', dotbit).indexers.map(hostOf) },
  ethereum: { reveals: 'platform', hosts: WALLETS },
  forgejo: AT_HOST,
  github: { reveals: 'platform', hosts: ({ github = {} }) => [hostOf(filled('github', github).apiBase)] },
  gitlab: AT_HOST,
  hackernews: { reveals: 'platform', hosts: ({ hackernews = {} }) => [hostOf(filled('hackernews', hackernews).base)] },
  keybase: {
    reveals: 'platform',
    hosts: ({ keybase = {} }) => [hostOf(keybase.fileUrl ?? ''), hostOf(filled('keybase', keybase).apiBase)],
  },
  nostr: { reveals: 'platform', hosts: WALLETS },
  orcid: { reveals: 'platform', hosts: ({ orcid = {} }) => [hostOf(filled('orcid', orcid).base)] },
  solana: { reveals: 'platform', hosts: WALLETS },
  website: { reveals: 'chosen', hosts: (_options, identity) => [identity.replace(/[/].*$/, '')] },
};

/**
 * The hosts that a look at this identity would ask from a browser, none where no request is needed; null where a
 * browser cannot read the platform.
 */
export function whomToAsk(platform: string, identity: string, options: PlatformOptions = {}): LookQuestion | null {
  const readable = Object.hasOwn(READABLE, platform) ? READABLE[platform]! : null;
  if (!readable || (platform === 'keybase' && !options.keybase?.fileUrl)) return null;
  return { platform, identity, reveals: readable.reveals, hosts: readable.hosts(options, identity) };
}
