/** What verifiers need to know beside a claim, under the names of the settings of the service (docs/reference). */
export interface LookSettings {
  /** The name that this deployment has for itself; in .bit records it names the record. */
  SERVICE_NAME: string;
  /** Milliseconds that one request may take in all. */
  OUTBOUND_TIMEOUT_MS: number;
  /** URL or mail address of who asks. */
  OUTBOUND_CONTACT?: string | undefined;
  X_API_BASE: string;
  /** App-only token of the X API. */
  X_BEARER_TOKEN?: string | undefined;
  /** Keyless endpoints of X in the order in which they are tried. */
  X_FALLBACKS: ('syndication' | 'oembed')[];
  X_SYNDICATION_BASE: string;
  X_OEMBED_BASE: string;
  GITHUB_API_BASE: string;
  /** Raises GitHub's limit; needs no scope. */
  GITHUB_TOKEN?: string | undefined;
  DISCORD_API_BASE: string;
  DISCORD_BOT_TOKEN?: string | undefined;
  /** Channel ids in which proof posts count; absent: every channel that the bot can read. */
  DISCORD_PROOF_CHANNELS?: string[] | undefined;
  /** URL with `{username}`, `{pubkey}` and `{ext}` of a gateway to the public folders of Keybase. */
  KEYBASE_FILE_URL_TEMPLATE?: string | undefined;
  /** URL of a file that the gateway serves whenever its Keybase folder is mounted. */
  KEYBASE_PROBE_URL?: string | undefined;
  KEYBASE_API_BASE: string;
  /** .bit indexers in the order in which they are asked. */
  DOTBIT_INDEXER_URLS: string[];
  /** Asked when no indexer answers. */
  DOTBIT_REGISTER_API_URL: string;
  /** Key of the custom record of a .bit name; absent: SERVICE_NAME, with _ for -. */
  DOTBIT_RECORD_KEY?: string | undefined;
  MINDS_BASE_URL: string;
  /** `doh`: DNS over HTTPS at DOH_URLS; `system`: the resolvers of this machine, or DNS_SERVERS. */
  DNS_MODE: 'doh' | 'system';
  /** RFC 8484 endpoints (wire format); the first two are asked. */
  DOH_URLS: string[];
  /** Resolvers for DNS_MODE=system as `ip` or `ip:port`; the first two are asked; absent: those of this machine. */
  DNS_SERVERS?: string[] | undefined;
  /** JSON-RPC endpoints for contract wallets as `chainId=url`, in the order in which they are asked. */
  ETH_RPC_URLS?: string[] | undefined;
}

/** What is taken where nothing is set. */
export const LOOK_DEFAULTS = {
  SERVICE_NAME: 'self',
  OUTBOUND_TIMEOUT_MS: 10_000,
  X_API_BASE: 'https://api.x.com',
  X_FALLBACKS: ['syndication', 'oembed'],
  X_SYNDICATION_BASE: 'https://cdn.syndication.twimg.com',
  X_OEMBED_BASE: 'https://publish.x.com',
  GITHUB_API_BASE: 'https://api.github.com',
  DISCORD_API_BASE: 'https://discord.com/api/v10',
  KEYBASE_API_BASE: 'https://keybase.io',
  DOTBIT_INDEXER_URLS: ['https://indexer-v1.did.id', 'https://indexer-v1.d.id'],
  DOTBIT_REGISTER_API_URL: 'https://register-api.did.id',
  MINDS_BASE_URL: 'https://www.minds.com',
  DNS_MODE: 'doh',
  DOH_URLS: ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'],
} satisfies LookSettings;
