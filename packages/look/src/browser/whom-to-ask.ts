/** The hosts that a look from a browser would ask, and what it reveals to them; without any code of verifiers. */
import type { LookSettings } from '../settings.js';
import { BROWSER_DEFAULTS } from './browser-settings.js';

/** The hosts that a look would ask, known before it asks. */
export interface LookQuestion {
  platform: string;
  identity: string;
  /** Names of the hosts that would be asked first, and learn the address of this browser and what it looks at. */
  hosts: string[];
  /**
   * Who owns these hosts: `platform`, the platform itself or a provider of the settings; `resolver`, a resolver, which
   * asks the servers of the domain; `chosen`, a server that the holder of the identity chose, perhaps run by that very
   * person.
   */
  reveals: 'platform' | 'resolver' | 'chosen';
}

type Hosts = (settings: LookSettings, identity: string) => string[];

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** A look at a wallet sends no request, except for contract wallets. */
const WALLETS: Hosts = () => [];

/**
 * The platforms that a page can read, as far as their servers allow other origins (docs/design/platforms.md 0.5). X,
 * Discord and Minds do not.
 */
const READABLE: Record<string, { reveals: LookQuestion['reveals']; hosts: Hosts }> = {
  activitypub: { reveals: 'chosen', hosts: (_settings, identity) => [identity.slice(identity.lastIndexOf('@') + 1)] },
  dns: { reveals: 'resolver', hosts: ({ DOH_URLS }) => DOH_URLS.slice(0, 2).map(hostOf) },
  dotbit: { reveals: 'platform', hosts: ({ DOTBIT_INDEXER_URLS }) => DOTBIT_INDEXER_URLS.map(hostOf) },
  ethereum: { reveals: 'platform', hosts: WALLETS },
  github: { reveals: 'platform', hosts: ({ GITHUB_API_BASE }) => [hostOf(GITHUB_API_BASE)] },
  keybase: {
    reveals: 'platform',
    hosts: ({ KEYBASE_FILE_URL_TEMPLATE = '', KEYBASE_API_BASE }) => [
      hostOf(KEYBASE_FILE_URL_TEMPLATE),
      hostOf(KEYBASE_API_BASE),
    ],
  },
  solana: { reveals: 'platform', hosts: WALLETS },
};

/**
 * The hosts that a look at this identity would ask from a browser, none where no request is needed; null where a
 * browser cannot read the platform.
 */
export function whomToAsk(
  platform: string,
  identity: string,
  settings: LookSettings = BROWSER_DEFAULTS,
): LookQuestion | null {
  const readable = Object.hasOwn(READABLE, platform) ? READABLE[platform]! : null;
  if (!readable || (platform === 'keybase' && !settings.KEYBASE_FILE_URL_TEMPLATE)) return null;
  return { platform, identity, reveals: readable.reveals, hosts: readable.hosts(settings, identity) };
}
