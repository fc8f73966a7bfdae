/** Options under the names of environment variables, as the service and the command have them (docs/reference). */
import type { CommonOptions, PlatformOptions, PlatformWithOptions } from './options.js';

/** The name of a variable; in brackets that of a list, whose parts a comma divides. */
type Variable = string | [string];
type Names<O> = { [name in Exclude<keyof O, keyof CommonOptions>]-?: Variable };

/** The variables of options that do not belong to one platform. */
export const COMMON_VARIABLES: Required<Record<keyof CommonOptions, string>> = {
  serviceName: 'SERVICE_NAME',
  timeoutMs: 'OUTBOUND_TIMEOUT_MS',
  contact: 'OUTBOUND_CONTACT',
};

/** The variables of the options of each platform. */
export const PLATFORM_VARIABLES: { [P in PlatformWithOptions]: Names<NonNullable<PlatformOptions[P]>> } = {
  twitter: {
    token: 'X_BEARER_TOKEN',
    apiBase: 'X_API_BASE',
    fallbacks: ['X_FALLBACKS'],
    syndicationBase: 'X_SYNDICATION_BASE',
    oembedBase: 'X_OEMBED_BASE',
  },
  github: { token: 'GITHUB_TOKEN', apiBase: 'GITHUB_API_BASE' },
  discord: { token: 'DISCORD_BOT_TOKEN', apiBase: 'DISCORD_API_BASE', channels: ['DISCORD_PROOF_CHANNELS'] },
  keybase: { fileUrl: 'KEYBASE_FILE_URL_TEMPLATE', probeUrl: 'KEYBASE_PROBE_URL', apiBase: 'KEYBASE_API_BASE' },
  dotbit: {
    indexers: ['DOTBIT_INDEXER_URLS'],
    registerApi: 'DOTBIT_REGISTER_API_URL',
    recordKey: 'DOTBIT_RECORD_KEY',
  },
  minds: { base: 'MINDS_BASE_URL' },
  dns: { mode: 'DNS_MODE', dohUrls: ['DOH_URLS'], servers: ['DNS_SERVERS'], rootKeys: ['DNS_ROOT_KEYS'] },
  ethereum: { rpcUrls: ['ETH_RPC_URLS'] },
  bluesky: { directory: 'PLC_DIRECTORY_URL', appView: 'BLUESKY_APPVIEW_URL' },
  hackernews: { base: 'HACKERNEWS_BASE_URL' },
  lobsters: { base: 'LOBSTERS_BASE_URL' },
  orcid: { base: 'ORCID_BASE_URL' },
  steam: { base: 'STEAM_BASE_URL' },
};

/**
 * The options that `settings` hold under the names of variables: texts as in an environment, or values that were read
 * already. Empty texts and absent names are left out. Values are not checked here.
 */
export function optionsFromSettings(settings: object): PlatformOptions {
  const read = (names: Record<string, Variable>) => {
    const given = Object.entries(names).map(([name, variable]) => [name, valueOf(settings, variable)] as const);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''));
  };
  const { timeoutMs, ...common } = read(COMMON_VARIABLES);
  const platforms = Object.entries(PLATFORM_VARIABLES).map(([platform, names]) => [platform, read(names)] as const);
  return {
    ...common,
    ...(timeoutMs !== undefined && { timeoutMs: Number(timeoutMs) }),
    ...Object.fromEntries(platforms),
  };
}

/** The environment that holds these options of platforms; lists are joined by commas. */
export function settingsFromOptions(options: PlatformOptions): Record<string, string> {
  const entries = Object.entries(PLATFORM_VARIABLES).flatMap(([platform, names]) => {
    const own = { ...options[platform as PlatformWithOptions] } as Record<string, string | string[] | undefined>;
    return Object.entries<Variable>(names).flatMap(([name, variable]) =>
      own[name] === undefined ? [] : [[[variable].flat()[0]!, [own[name]!].flat().join()] as const],
    );
  });
  return Object.fromEntries(entries);
}

function valueOf(settings: object, variable: Variable): unknown {
  const [name] = [variable].flat() as [string];
  const value: unknown = (settings as Record<string, unknown>)[name];
  if (!Array.isArray(variable) || typeof value !== 'string' || value === '') return value;
  const parts = value.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
