/** What verifiers need to know beside a claim, by platform: `{ github: { token } }`. What is absent has its default. */

/** What does not belong to one platform. */
export interface CommonOptions {
  /** The name that the service of the links has for itself: it names records of .bit and folders of Keybase. */
  serviceName?: string | undefined;
  /** Milliseconds that one request may take in all. */
  timeoutMs?: number | undefined;
  /** URL or mail address of who asks, for the operators of other servers. */
  contact?: string | undefined;
}

/** Options of looks at X. */
export interface TwitterOptions extends CommonOptions {
  /** App-only token of the X API; absent: only the keyless endpoints are asked. */
  token?: string | undefined;
  apiBase?: string | undefined;
  /** Keyless endpoints in the order in which they are tried. */
  fallbacks?: ('syndication' | 'oembed')[] | undefined;
  syndicationBase?: string | undefined;
  oembedBase?: string | undefined;
}

/** Options of looks at gists on GitHub. */
export interface GithubOptions extends CommonOptions {
  /** Raises GitHub's limit from 60 to 5,000 requests an hour; needs no scope. */
  token?: string | undefined;
  apiBase?: string | undefined;
}

/** Options of looks at messages on Discord. */
export interface DiscordOptions extends CommonOptions {
  /** Token of a bot that can read the channels of proofs. */
  token?: string | undefined;
  apiBase?: string | undefined;
  /** Channel ids in which proof posts count; absent: every channel that the bot can read. */
  channels?: string[] | undefined;
}

/** Options of looks at public folders of Keybase. */
export interface KeybaseOptions extends CommonOptions {
  /** URL with `{username}`, `{pubkey}` and `{ext}` of a gateway to the public folders of Keybase. */
  fileUrl?: string | undefined;
  /** URL of a file that the gateway serves whenever its Keybase folder is mounted. */
  probeUrl?: string | undefined;
  apiBase?: string | undefined;
}

/** Options of looks at records of .bit names. */
export interface DotbitOptions extends CommonOptions {
  /** URLs of indexers of .bit in the order in which they are asked. */
  indexers?: string[] | undefined;
  /** Asked when no indexer answers. */
  registerApi?: string | undefined;
  /** Key of the custom record; absent: `serviceName`, with `_` for `-`. */
  recordKey?: string | undefined;
}

/** Options of looks at posts on Minds. */
export interface MindsOptions extends CommonOptions {
  base?: string | undefined;
}

/** Options of looks at accounts on Bluesky and elsewhere in the AT Protocol. */
export interface BlueskyOptions extends CommonOptions {
  /** The directory of did:plc. What it answers is checked; its word are the times of operations. */
  directory?: string | undefined;
  /** The AppView that is asked where the server of an account gives no answer. */
  appView?: string | undefined;
}

/** Options of looks at accounts on a platform of one host, whose answers are read as its description says. */
export interface HostOptions extends CommonOptions {
  /** The origin that is asked. */
  base?: string | undefined;
}

/** Options of looks at TXT records of domains. */
export interface DnsOptions extends CommonOptions {
  /** `doh`: DNS over HTTPS at `dohUrls`; `system`: the resolvers of this machine, or `servers`. */
  mode?: 'doh' | 'system' | undefined;
  /** Endpoints of RFC 8484 (wire format), in browsers of resolvers that answer in JSON; the first two are asked. */
  dohUrls?: string[] | undefined;
  /** Resolvers for the mode `system` as `ip` or `ip:port`; the first two are asked; absent: those of this machine. */
  servers?: string[] | undefined;
  /** Keys of the root of the DNS beside those that are known, as `<key tag> <algorithm> 2 <SHA-256 in hex>`. */
  rootKeys?: string[] | undefined;
}

/** Options of checks of Ethereum wallets. Wallets of one key need none: only contract wallets are asked. */
export interface EthereumOptions extends CommonOptions {
  /** JSON-RPC endpoints for contract wallets as `chainId=url`, such as `1=https://…`, in the order of asking. */
  rpcUrls?: string[] | undefined;
}

/** Options of all verifiers. */
export interface PlatformOptions extends CommonOptions {
  twitter?: TwitterOptions | undefined;
  github?: GithubOptions | undefined;
  discord?: DiscordOptions | undefined;
  keybase?: KeybaseOptions | undefined;
  dotbit?: DotbitOptions | undefined;
  minds?: MindsOptions | undefined;
  dns?: DnsOptions | undefined;
  ethereum?: EthereumOptions | undefined;
  bluesky?: BlueskyOptions | undefined;
  hackernews?: HostOptions | undefined;
  lobsters?: HostOptions | undefined;
  orcid?: HostOptions | undefined;
  steam?: HostOptions | undefined;
}

/** Platforms that have options of their own. */
export type PlatformWithOptions = Exclude<keyof PlatformOptions, keyof CommonOptions>;

/** What is taken where nothing is given. */
export const PLATFORM_DEFAULTS = {
  serviceName: 'self',
  timeoutMs: 10_000,
  twitter: {
    apiBase: 'https://api.x.com',
    fallbacks: ['syndication', 'oembed'],
    syndicationBase: 'https://cdn.syndication.twimg.com',
    oembedBase: 'https://publish.x.com',
  },
  github: { apiBase: 'https://api.github.com' },
  discord: { apiBase: 'https://discord.com/api/v10' },
  keybase: { apiBase: 'https://keybase.io' },
  dotbit: {
    indexers: ['https://indexer-v1.did.id', 'https://indexer-v1.d.id'],
    registerApi: 'https://register-api.did.id',
  },
  minds: { base: 'https://www.minds.com' },
  dns: {
    mode: 'doh',
    dohUrls: ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'],
    rootKeys: [],
  },
  ethereum: { rpcUrls: [] },
  bluesky: { directory: 'https://plc.directory', appView: 'https://public.api.bsky.app' },
  hackernews: { base: 'https://hacker-news.firebaseio.com' },
  lobsters: { base: 'https://lobste.rs' },
  orcid: { base: 'https://pub.orcid.org' },
  steam: { base: 'https://steamcommunity.com' },
} satisfies PlatformOptions;

/** The resolvers that browsers ask: those that answer in JSON, which needs no request in advance. */
export const BROWSER_DOH_URLS = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/resolve'];

type Defaults<P extends PlatformWithOptions> = (typeof PLATFORM_DEFAULTS)[P] &
  Pick<typeof PLATFORM_DEFAULTS, 'serviceName' | 'timeoutMs'>;
type OptionsOf<P extends PlatformWithOptions> = NonNullable<PlatformOptions[P]>;

/** The options of one platform, in which what has a default is there. */
export type Filled<P extends PlatformWithOptions> = OptionsOf<P> & {
  [name in keyof OptionsOf<P> & keyof Defaults<P>]: NonNullable<OptionsOf<P>[name]>;
};

/** The options of one platform with its defaults where nothing is given. */
export function filled<P extends PlatformWithOptions>(platform: P, options: OptionsOf<P>): Filled<P> {
  const { serviceName, timeoutMs, [platform]: own } = PLATFORM_DEFAULTS;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { serviceName, timeoutMs, ...own, ...Object.fromEntries<unknown>(given) } as unknown as Filled<P>;
}

/** The options that a verifier of `platform` gets of those of all. */
export function optionsOf(platform: string, options: PlatformOptions): CommonOptions {
  const { serviceName, timeoutMs, contact } = options;
  const own = Object.hasOwn(options, platform) ? options[platform as PlatformWithOptions] : undefined;
  return { serviceName, timeoutMs, contact, ...own };
}
