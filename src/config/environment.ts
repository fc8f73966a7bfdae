import { plainToInstance, Transform } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { isIP } from 'node:net';

/** Numbers arrive as text; anything that is not a plain decimal stays text and is then refused by `IsInt`. */
const Int = () => Transform(({ value }) => (/^-?\d+$/.test(String(value)) ? Number(value) : value));
/** `true`/`false`, `on`/`off`, `1`/`0`; another word stays text and is refused by `IsBoolean`. */
const Flag = () =>
  Transform(({ value }) => {
    const word = String(value).toLowerCase();
    return ['true', 'on', '1'].includes(word) ? true : ['false', 'off', '0'].includes(word) ? false : value;
  });
/** Comma-separated words; spaces around them and empty ones do not count. */
const List = () =>
  Transform(({ value }) =>
    (Array.isArray(value) ? value : String(value).split(',')).map((word: string) => word.trim()).filter(Boolean),
  );

/** `off`, a small number, or addresses and networks in CIDR notation. */
const IsTrustProxy = () =>
  ValidateBy({
    name: 'isTrustProxy',
    validator: {
      validate: (value) =>
        /^(off|[1-9]|10)$/.test(String(value)) ||
        String(value)
          .split(',')
          .every((word) => isNetwork(word.trim())),
      defaultMessage: () =>
        'TRUST_PROXY must be off, a number from 1 to 10, or a list of addresses and networks such as 10.0.0.0/8',
    },
  });

function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest;
}

const IsHttpUrl = (each = false) =>
  IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true }, { each });

/**
 * Every setting of the service with its default; the only place that knows the environment of the process. The class is its own injection
 * token. Units are in the comments; an empty value counts as not set.
 */
export class Environment {
  /** Name of this deployment: KV platform value of the key itself, .bit record key, keybase folder (decisions.md 1). */
  @Matches(/^[a-z][a-z0-9_-]{0,31}$/, {
    message: 'SERVICE_NAME must be 1 to 32 of a-z, 0-9, _ and -, and start with a letter',
  })
  SERVICE_NAME: string = 'self';

  @IsIn(['staging', 'production'])
  ENVIRONMENT: 'staging' | 'production' = 'production';

  /** TCP port; 0 takes a free one. */
  @Int()
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT: number = 3000;

  /** Address to listen on. */
  @IsString()
  HOST: string = '0.0.0.0';

  /** Processes that serve requests on one port, for machines with several cores; more than one needs DATABASE_URL. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(128)
  WORKERS: number = 1;

  @IsIn(['debug', 'info', 'warn', 'error'])
  LOG_LEVEL: 'debug' | 'info' | 'warn' | 'error' = 'info';

  // Database

  /** PostgreSQL 15 or newer; absent: the embedded database under DATA_DIR. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must start with postgres:// or postgresql://' })
  DATABASE_URL?: string;

  /** For LISTEN and migrations when DATABASE_URL goes through a transaction pooler. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_DIRECT_URL must start with postgres:// or postgresql://' })
  DATABASE_DIRECT_URL?: string;

  /** Connections of this process to DATABASE_URL; the embedded database always has one. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(1000)
  DATABASE_POOL_SIZE: number = 10;

  /** Milliseconds after which the database gives up a statement. */
  @Int()
  @IsInt()
  @Min(0)
  DATABASE_STATEMENT_TIMEOUT_MS: number = 15_000;

  /** Milliseconds after which the database gives up waiting for a lock; 0 waits as long as the statement may take. */
  @Int()
  @IsInt()
  @Min(0)
  DATABASE_LOCK_TIMEOUT_MS: number = 10_000;

  /** Milliseconds after which the database ends a session whose transaction stands idle: it may hold the lock that everybody needs. */
  @Int()
  @IsInt()
  @Min(0)
  DATABASE_IDLE_IN_TRANSACTION_MS: number = 60_000;

  /** Milliseconds that connecting, and waiting for a free connection, may take. */
  @Int()
  @IsInt()
  @Min(100)
  DATABASE_CONNECT_TIMEOUT_MS: number = 10_000;

  /** Read-only copies of DATABASE_URL; they answer ambiguous searches and pages that cannot change any more. A comma in a password is `%2C`. */
  @IsOptional()
  @List()
  @Matches(/^postgres(ql)?:\/\//, {
    each: true,
    message: 'DATABASE_REPLICA_URLS must be a list of URLs that start with postgres:// or postgresql://',
  })
  DATABASE_REPLICA_URLS?: string[];

  /** Seconds that a replica may be behind before it is not asked any more. */
  @Int()
  @IsInt()
  @Min(1)
  DATABASE_REPLICA_MAX_LAG_SECONDS: number = 30;

  /** Folder of the embedded database. */
  @IsString()
  DATA_DIR: string = './data';

  // Payloads

  /** Key of the payload seal; absent: made once and kept in the database, so that all servers share it. */
  @IsOptional()
  @IsString()
  @MinLength(32, { message: 'PAYLOAD_SECRET must be at least 32 characters' })
  PAYLOAD_SECRET?: string;

  /** Seconds for which an issued payload can be submitted. */
  @Int()
  @IsInt()
  @Min(60)
  PAYLOAD_TTL_SECONDS: number = 7 * 24 * 3600;

  // Bindings

  /** Live bindings that one Avatar may hold. */
  @Int()
  @IsInt()
  @Min(1)
  MAX_BINDINGS_PER_AVATAR: number = 1000;

  // Rechecks

  /** Whether this server rechecks proofs by itself. Off, the schedule is still kept, and other servers may follow it. */
  @Flag()
  @IsBoolean({ message: 'REVALIDATION must be on or off' })
  REVALIDATION: boolean = true;

  /** Seconds between two rechecks of a proof, once it is past its first day; each has a spread of 10 %. */
  @Int()
  @IsInt()
  @Min(60)
  @Max(365 * 24 * 3600)
  RECHECK_SECONDS: number = 3 * 24 * 3600;

  /** Rechecks at the same time on each platform. A platform never gets more requests than six at once, and creates need some of them. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(6)
  RECHECK_CONCURRENCY: number = 4;

  /** Checks of one binding that its history keeps. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(1000)
  RECHECK_HISTORY: number = 50;

  // Key-value service

  /** `open`: an Avatar writes under any identity of its own; `bound`: it must hold a valid proof of that identity. */
  @IsIn(['open', 'bound'])
  KV_WRITE_POLICY: 'open' | 'bound' = 'open';

  /** Bytes of a patch as canonical JSON. */
  @Int()
  @IsInt()
  @Min(1)
  KV_MAX_PATCH_BYTES: number = 64 * 1024;

  /** Bytes of the content of one entry as canonical JSON. */
  @Int()
  @IsInt()
  @Min(1)
  KV_MAX_ENTRY_BYTES: number = 1024 * 1024;

  /** Bytes of all content of one Avatar as canonical JSON. */
  @Int()
  @IsInt()
  @Min(1)
  KV_MAX_AVATAR_BYTES: number = 4 * 1024 * 1024;

  /** Levels of nesting of a patch and of content. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(512)
  KV_MAX_DEPTH: number = 64;

  /** Entries of one Avatar. */
  @Int()
  @IsInt()
  @Min(1)
  KV_MAX_ENTRIES: number = 1000;

  // Platforms

  /** Platform values on which creates and rechecks run; absent: all that are configured. */
  @IsOptional()
  @List()
  @IsString({ each: true })
  PLATFORMS?: string[];

  /** Milliseconds that one outbound request may take in all. */
  @Int()
  @IsInt()
  @Min(100)
  @Max(120_000)
  OUTBOUND_TIMEOUT_MS: number = 10_000;

  /** Bytes of one outbound reply after decompression. */
  @Int()
  @IsInt()
  @Min(1024)
  OUTBOUND_MAX_BYTES: number = 1024 * 1024;

  /** Requests that one host of a platform may get in so many seconds, where the operator has agreed on more or less than is usual. */
  @List()
  @Matches(
    /^(activitypub|arweave|arweave-upload|discord|dns|dotbit|ethereum|github|keybase|minds|twitter)=[1-9]\d{0,6}\/[1-9]\d{0,4}$/,
    { each: true, message: 'RATE_BUDGETS must be a list such as github=15000/3600,arweave-upload=100/1' },
  )
  RATE_BUDGETS: string[] = [];

  /** URL or mail address that operators of other servers can complain to; part of the User-Agent. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  OUTBOUND_CONTACT?: string;

  @IsHttpUrl()
  X_API_BASE: string = 'https://api.x.com';

  /** App-only token of the X API; absent: only the keyless endpoints of X_FALLBACKS. */
  @IsOptional()
  @IsString()
  X_BEARER_TOKEN?: string;

  /** Keyless endpoints in the order in which they are tried: `syndication`, `oembed`. */
  @List()
  @IsIn(['syndication', 'oembed'], { each: true })
  X_FALLBACKS: ('syndication' | 'oembed')[] = ['syndication', 'oembed'];

  @IsHttpUrl()
  X_SYNDICATION_BASE: string = 'https://cdn.syndication.twimg.com';

  @IsHttpUrl()
  X_OEMBED_BASE: string = 'https://publish.x.com';

  @IsHttpUrl()
  GITHUB_API_BASE: string = 'https://api.github.com';

  /** Raises GitHub's limit from 60 to 5,000 requests an hour; needs no scope. */
  @IsOptional()
  @IsString()
  GITHUB_TOKEN?: string;

  @IsHttpUrl()
  DISCORD_API_BASE: string = 'https://discord.com/api/v10';

  /** Bot token; absent: discord is switched off. */
  @IsOptional()
  @IsString()
  DISCORD_BOT_TOKEN?: string;

  /** Channel ids in which proof posts count; absent: every channel the bot can read. */
  @IsOptional()
  @List()
  @Matches(/^\d{1,20}$/, { each: true, message: 'DISCORD_PROOF_CHANNELS must be channel ids (digits)' })
  DISCORD_PROOF_CHANNELS?: string[];

  /** URL with `{username}`, `{pubkey}` and `{ext}` of a gateway to the public folders of Keybase; absent: keybase is switched off. */
  @IsOptional()
  @IsString()
  @Matches(/^https?:\/\/.*\{username\}.*\{pubkey\}.*$/, {
    message: 'KEYBASE_FILE_URL_TEMPLATE must be a URL with {username} and {pubkey}',
  })
  KEYBASE_FILE_URL_TEMPLATE?: string;

  /** URL of a file that the gateway serves whenever its Keybase folder is mounted; tells "file absent" from "folder away". */
  @IsOptional()
  @IsHttpUrl()
  KEYBASE_PROBE_URL?: string;

  @IsHttpUrl()
  KEYBASE_API_BASE: string = 'https://keybase.io';

  /** .bit indexers in the order in which they are asked. */
  @List()
  @IsHttpUrl(true)
  DOTBIT_INDEXER_URLS: string[] = ['https://indexer-v1.did.id', 'https://indexer-v1.d.id'];

  /** Asked when no indexer answers. */
  @IsOptional()
  @IsHttpUrl()
  DOTBIT_REGISTER_API_URL?: string = 'https://register-api.did.id';

  /** Key of the profile record; absent: SERVICE_NAME. */
  @IsOptional()
  @Matches(/^[a-z0-9_]{1,64}$/)
  DOTBIT_RECORD_KEY?: string;

  @IsHttpUrl()
  MINDS_BASE_URL: string = 'https://www.minds.com';

  /** `doh`: DNS over HTTPS at DOH_URLS; `system`: the resolvers of this machine, or DNS_SERVERS. */
  @IsIn(['doh', 'system'])
  DNS_MODE: 'doh' | 'system' = 'doh';

  /** RFC 8484 endpoints (wire format); the first two are asked. */
  @List()
  @IsHttpUrl(true)
  DOH_URLS: string[] = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'];

  /** Resolvers for DNS_MODE=system as `ip` or `ip:port`; the first two are asked; absent: those of this machine. */
  @IsOptional()
  @List()
  @IsString({ each: true })
  DNS_SERVERS?: string[];

  /** JSON-RPC endpoints for contract wallets as `chainId=url`, in the order in which they are asked; absent: plain wallets only. */
  @IsOptional()
  @List()
  @Matches(/^\d+=https?:\/\/.+/, { each: true, message: 'ETH_RPC_URLS must be a list of chainId=url' })
  ETH_RPC_URLS?: string[];

  // Event stream

  /** Seconds between the signs of life on an open event stream. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(300)
  EVENT_HEARTBEAT_SECONDS: number = 15;

  /** Event streams that one process keeps open. */
  @Int()
  @IsInt()
  @Min(1)
  MAX_EVENT_STREAMS: number = 10_000;

  /** Event streams that one client address may have open in one process; RATE_LIMIT=off lifts this. */
  @Int()
  @IsInt()
  @Min(1)
  MAX_EVENT_STREAMS_PER_CLIENT: number = 20;

  /** Bytes that may wait for the reader of an event stream before nothing more is fetched for it. */
  @Int()
  @IsInt()
  @Min(1024)
  EVENT_STREAM_BUFFER_BYTES: number = 64 * 1024;

  /** Seconds in which the reader of an event stream has to take what waits for it; then it is cut off. */
  @Int()
  @IsInt()
  @Min(1)
  EVENT_STREAM_STALL_SECONDS: number = 30;

  // Notifications

  /** Days for which events stay readable in the stream. */
  @Int()
  @IsInt()
  @Min(1)
  EVENT_RETENTION_DAYS: number = 30;

  /** Subscriptions without a call: a JSON array of `{ url, secret, types?, platform?, avatar? }`, or the path of a file that holds one. */
  @IsOptional()
  @IsString()
  WEBHOOKS?: string;

  /** Lets webhooks go to http, to private addresses and to any port. */
  @Flag()
  @IsBoolean({ message: 'WEBHOOK_ALLOW_PRIVATE must be true or false' })
  WEBHOOK_ALLOW_PRIVATE: boolean = false;

  /** Milliseconds in which a receiver must have answered. */
  @Int()
  @IsInt()
  @Min(100)
  @Max(60_000)
  WEBHOOK_TIMEOUT_MS: number = 15_000;

  /** Seconds for which the previous secret of a subscription still signs after a rotation. */
  @Int()
  @IsInt()
  @Min(0)
  WEBHOOK_SECRET_GRACE_SECONDS: number = 24 * 3600;

  /** Days for which finished deliveries stay in the log. */
  @Int()
  @IsInt()
  @Min(1)
  WEBHOOK_LOG_DAYS: number = 30;

  // Archive

  /** Where accepted links are kept for good: `none`, or the `arweave` network. */
  @IsIn(['none', 'arweave'])
  ARCHIVE: 'none' | 'arweave' = 'none';

  /** Serves what is archived, and takes transactions where there is no upload service. */
  @IsHttpUrl()
  ARWEAVE_GATEWAY_URL: string = 'https://arweave.net';

  /** Complete address of a service that takes signed data items, such as https://upload.ardrive.io/v1/tx; absent: the wallet pays the network. */
  @IsOptional()
  @IsHttpUrl()
  ARWEAVE_UPLOAD_URL?: string;

  /** Key that signs and pays: the JSON of an Arweave key file, or its path. Needed for ARCHIVE=arweave. */
  @IsOptional()
  @IsString()
  ARWEAVE_WALLET?: string;

  /** Seconds for which signed links wait for others to travel with; 0 sends at once. */
  @Int()
  @IsInt()
  @Min(0)
  @Max(24 * 3600)
  ARCHIVE_BATCH_SECONDS: number = 60;

  /** Links that travel together at most; so many start at once. A hundred fit into the 256 KiB that are the least one pays for. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(500)
  ARCHIVE_BATCH_LINKS: number = 100;

  /** Seconds after which a link that the gateway does not serve is sent again; doubled after each time, up to a day. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(24 * 3600)
  ARCHIVE_RESEND_SECONDS: number = 3600;

  /** Balance of the wallet in AR below which the log warns. */
  @Matches(/^\d{1,9}(\.\d{1,12})?$/, { message: 'ARCHIVE_LOW_BALANCE_AR must be an amount of AR, such as 0.1' })
  ARCHIVE_LOW_BALANCE_AR: string = '0.1';

  // Operation

  /** Opens /admin/v1 to whoever holds it; absent: there are no admin routes. */
  @IsOptional()
  @IsString()
  @MinLength(24, { message: 'ADMIN_TOKEN must be at least 24 characters' })
  ADMIN_TOKEN?: string;

  /** Whether `/metrics` answers. */
  @Flag()
  @IsBoolean({ message: 'METRICS must be on or off' })
  METRICS: boolean = true;

  // Traces: settings of OpenTelemetry, of which there are more; these decide whether and what is traced, the others are read by its library

  /** OTLP/HTTP endpoint of a collector, such as http://localhost:4318; absent, as the next one: nothing is traced. */
  @IsOptional()
  @IsHttpUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** The same for traces alone, with its path. */
  @IsOptional()
  @IsHttpUrl()
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;

  /** `otlp` traces also without an endpoint, to http://localhost:4318; anything else switches traces off. */
  @IsOptional()
  @IsString()
  OTEL_TRACES_EXPORTER?: string;

  /** `true` switches traces off, whatever the others say. */
  @Flag()
  @IsBoolean({ message: 'OTEL_SDK_DISABLED must be true or false' })
  OTEL_SDK_DISABLED: boolean = false;

  /** `always_on`, `always_off`, `traceidratio`, or one of them behind `parentbased_`. */
  @Matches(/^(parentbased_)?(always_on|always_off|traceidratio)$/, {
    message: 'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, or one of them behind parentbased_',
  })
  OTEL_TRACES_SAMPLER: string = 'parentbased_always_on';

  /** Share of traces that `traceidratio` keeps, from 0 to 1. */
  @Matches(/^(0?\.\d+|[01](\.0+)?|0)$/, { message: 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1' })
  OTEL_TRACES_SAMPLER_ARG: string = '1';

  // Limits

  /** Rate limits for each client address, an IPv4 address or an IPv6 network of 64 bits. */
  @Flag()
  @IsBoolean({ message: 'RATE_LIMIT must be on or off' })
  RATE_LIMIT: boolean = true;

  /** Reads of one client in a minute, on each server. */
  @Int()
  @IsInt()
  @Min(1)
  RATE_LIMIT_READS: number = 1200;

  /** Payloads, and submits that ask nobody else, of one client in a minute, on each server. */
  @Int()
  @IsInt()
  @Min(1)
  RATE_LIMIT_PAYLOADS: number = 300;

  /** Submits for which a platform is asked, of one client in a minute, on all servers together. */
  @Int()
  @IsInt()
  @Min(1)
  RATE_LIMIT_SUBMITS: number = 30;

  /** Event streams that one client opens in a minute, on all servers together. */
  @Int()
  @IsInt()
  @Min(1)
  RATE_LIMIT_STREAMS: number = 60;

  /** Admin calls of one client in a minute, on each server. */
  @Int()
  @IsInt()
  @Min(1)
  RATE_LIMIT_ADMIN: number = 300;

  /**
   * Whose `X-Forwarded-For` is believed: `off`, the number of proxies in front of this server, or the addresses and networks of the proxies.
   * A server that believes it without a proxy in front lets clients choose their address.
   */
  @IsTrustProxy()
  TRUST_PROXY: string = 'off';

  /** Answers 503 to what this server would only make wait: when its event loop or its pool of connections is drowning. */
  @Flag()
  @IsBoolean({ message: 'LOAD_SHEDDING must be on or off' })
  LOAD_SHEDDING: boolean = true;

  /** Milliseconds by which the event loop may be late on average over a second. */
  @Int()
  @IsInt()
  @Min(10)
  MAX_EVENT_LOOP_DELAY_MS: number = 500;

  /** Milliseconds that requests may wait for a connection to the database before new ones are refused. */
  @Int()
  @IsInt()
  @Min(10)
  MAX_POOL_WAIT_MS: number = 3000;

  /** Bytes of large answers that may wait for slow readers, all together; small answers are not counted. */
  @Int()
  @IsInt()
  @Min(1024 * 1024)
  MAX_UNSENT_BYTES: number = 256 * 1024 * 1024;
}

/** The settings cannot be used; the message lists every one that is wrong, without its value. */
export class InvalidEnvironmentError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidEnvironmentError';
  }
}

/**
 * Reads the settings from `variables` (usually `process.env`), with defaults for those that are absent or empty.
 * @throws InvalidEnvironmentError with one list of all problems.
 */
export function loadEnvironment(variables: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const environment = plainToInstance(Environment, given, { exposeDefaultValues: true });
  const problems = validateSync(environment, { forbidUnknownValues: false }).flatMap(
    // What is no number is neither too small nor too large.
    ({ constraints = {} }) => constraints.isInt ?? Object.values(constraints),
  );
  if (environment.WORKERS > 1 && environment.DATABASE_URL === undefined) {
    problems.push('WORKERS above 1 needs DATABASE_URL: the embedded database serves one process');
  }
  if (problems.length > 0) throw new InvalidEnvironmentError(problems);
  return environment;
}
