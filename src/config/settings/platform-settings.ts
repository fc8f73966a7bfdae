import { PLATFORM_DEFAULTS } from '@signet/look';
import { IsIn, Matches, MaxLength } from 'class-validator';
import { FilledList, HttpUrls, Int, IsContact, IsHttpUrl, IsToken, List, Secret } from '../setting-kinds.js';

/** How platforms are asked, and where they are. */
export class PlatformSettings {
  /** Platform values on which creates and rechecks run; absent: all that are configured. */
  @FilledList()
  PLATFORMS?: string[];

  /** Milliseconds that one outbound request may take in all. */
  @Int(100, 120_000)
  OUTBOUND_TIMEOUT_MS: number = PLATFORM_DEFAULTS.timeoutMs;

  /** Bytes of one outbound reply after decompression. */
  @Int(1024)
  OUTBOUND_MAX_BYTES: number = 1024 * 1024;

  /**
   * Requests that one host of a platform may get in so many seconds, where the operator has agreed on more or less than
   * is usual.
   */
  @List()
  @Matches(/^[a-z][a-z0-9-]{0,31}=[1-9]\d{0,6}\/[1-9]\d{0,4}$/, {
    each: true,
    message: 'RATE_BUDGETS must be a list such as github=15000/3600,arweave-upload=100/1',
  })
  RATE_BUDGETS: string[] = [];

  /**
   * What one read costs on a platform that is paid for each, in a currency of your own, such as `twitter=0.015` for a
   * post of X with its author. The console then shows what each day cost.
   */
  @List()
  @Matches(/^[a-z][a-z0-9-]{0,31}=\d{1,6}(\.\d{1,9})?$/, {
    each: true,
    message: 'PLATFORM_PRICES must be a list such as twitter=0.015',
  })
  PLATFORM_PRICES: string[] = [];

  /** URL or mail address that operators of other servers can complain to; part of the User-Agent. */
  @IsContact()
  @MaxLength(200)
  OUTBOUND_CONTACT?: string;

  /** Base address of the X API. */
  @IsHttpUrl()
  X_API_BASE: string = PLATFORM_DEFAULTS.twitter.apiBase;

  /** App-only token of the X API; absent: only the keyless endpoints of X_FALLBACKS. */
  @Secret()
  @IsToken()
  X_BEARER_TOKEN?: string;

  /** Keyless endpoints in the order in which they are tried: `syndication`, `oembed`. */
  @List()
  @IsIn(['syndication', 'oembed'], { each: true })
  X_FALLBACKS: ('syndication' | 'oembed')[] = [...PLATFORM_DEFAULTS.twitter.fallbacks];

  /** Base address of the keyless endpoint `syndication`. */
  @IsHttpUrl()
  X_SYNDICATION_BASE: string = PLATFORM_DEFAULTS.twitter.syndicationBase;

  /** Base address of the keyless endpoint `oembed`. */
  @IsHttpUrl()
  X_OEMBED_BASE: string = PLATFORM_DEFAULTS.twitter.oembedBase;

  /** Base address of the GitHub API. */
  @IsHttpUrl()
  GITHUB_API_BASE: string = PLATFORM_DEFAULTS.github.apiBase;

  /** Raises GitHub's limit from 60 to 5,000 requests an hour; needs no scope. */
  @Secret()
  @IsToken()
  GITHUB_TOKEN?: string;

  /** Base address of the Discord API. */
  @IsHttpUrl()
  DISCORD_API_BASE: string = PLATFORM_DEFAULTS.discord.apiBase;

  /** Bot token; absent: discord is switched off. */
  @Secret()
  @IsToken()
  DISCORD_BOT_TOKEN?: string;

  /** Channel ids in which proof posts count; absent: every channel the bot can read. */
  @FilledList()
  @Matches(/^\d{1,20}$/, { each: true, message: 'DISCORD_PROOF_CHANNELS must be channel ids (digits)' })
  DISCORD_PROOF_CHANNELS?: string[];

  /**
   * URL with `{username}`, `{pubkey}` and `{ext}` of a gateway to the public folders of Keybase; absent: keybase is
   * switched off.
   */
  @Secret()
  @Matches(/^https?:\/\/.*\{username\}.*\{pubkey\}.*$/, {
    message: 'KEYBASE_FILE_URL_TEMPLATE must be a URL with {username} and {pubkey}',
  })
  KEYBASE_FILE_URL_TEMPLATE?: string;

  /**
   * URL of a file that the gateway serves whenever its Keybase folder is mounted; distinguishes "file absent" from
   * "folder away".
   */
  @IsHttpUrl()
  KEYBASE_PROBE_URL?: string;

  /** Base address of the Keybase API. */
  @IsHttpUrl()
  KEYBASE_API_BASE: string = PLATFORM_DEFAULTS.keybase.apiBase;

  /** .bit indexers in the order in which they are asked. */
  @HttpUrls()
  DOTBIT_INDEXER_URLS: string[] = [...PLATFORM_DEFAULTS.dotbit.indexers];

  /** Asked when no indexer answers. */
  @IsHttpUrl()
  DOTBIT_REGISTER_API_URL: string = PLATFORM_DEFAULTS.dotbit.registerApi;

  /** Key of the custom record of a .bit name; absent: SERVICE_NAME, with _ for -. */
  @Matches(/^[a-z0-9_]{1,64}$/, { message: 'DOTBIT_RECORD_KEY must be 1 to 64 of a-z, 0-9 and _' })
  DOTBIT_RECORD_KEY?: string;

  /** Base address of Minds. */
  @IsHttpUrl()
  MINDS_BASE_URL: string = PLATFORM_DEFAULTS.minds.base;

  /** The directory of did:plc, for accounts on Bluesky. What it answers is checked. */
  @IsHttpUrl()
  PLC_DIRECTORY_URL: string = PLATFORM_DEFAULTS.bluesky.directory;

  /** The AppView of Bluesky, asked where the server of an account gives no answer. */
  @IsHttpUrl()
  BLUESKY_APPVIEW_URL: string = PLATFORM_DEFAULTS.bluesky.appView;

  /** The API of Hacker News. */
  @IsHttpUrl()
  HACKERNEWS_BASE_URL: string = PLATFORM_DEFAULTS.hackernews.base;

  /** Lobsters. */
  @IsHttpUrl()
  LOBSTERS_BASE_URL: string = PLATFORM_DEFAULTS.lobsters.base;

  /** The public API of ORCID. */
  @IsHttpUrl()
  ORCID_BASE_URL: string = PLATFORM_DEFAULTS.orcid.base;

  /** Steam Community. */
  @IsHttpUrl()
  STEAM_BASE_URL: string = PLATFORM_DEFAULTS.steam.base;

  /** `doh`: DNS over HTTPS at DOH_URLS; `system`: the resolvers of this machine, or DNS_SERVERS. */
  @IsIn(['doh', 'system'])
  DNS_MODE: 'doh' | 'system' = PLATFORM_DEFAULTS.dns.mode;

  /** RFC 8484 endpoints (wire format); the first two are asked. */
  @HttpUrls()
  DOH_URLS: string[] = [...PLATFORM_DEFAULTS.dns.dohUrls];

  /** Resolvers for DNS_MODE=system as `ip` or `ip:port`; the first two are asked; absent: those of this machine. */
  @FilledList()
  @Matches(/^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?$|^[\da-f]*:[\da-f:.]+$/i, {
    each: true,
    message: 'DNS_SERVERS must be a list of ip or ip:port',
  })
  DNS_SERVERS?: string[];

  /**
   * Keys of the root of the DNS beside those that this version knows, each as in a zone file: `<key tag> <algorithm> 2
   * <SHA-256 in hex>`. A new key that is missing here and there costs proofs of records, and nothing else.
   */
  @FilledList()
  @Matches(/^\d{1,5} \d{1,3} 2 [0-9a-fA-F]{64}$/, { each: true, message: 'DNS_ROOT_KEYS must be a list of DS records' })
  DNS_ROOT_KEYS?: string[];

  /**
   * JSON-RPC endpoints for contract wallets as `chainId=url`, in the order in which they are asked; absent: plain
   * wallets only.
   */
  @Secret()
  @FilledList()
  @Matches(/^\d+=https?:\/\/.+/, { each: true, message: 'ETH_RPC_URLS must be a list of chainId=url' })
  ETH_RPC_URLS?: string[];
}
