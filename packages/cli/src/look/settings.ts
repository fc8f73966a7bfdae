/** The settings of verifiers from the environment, under the names that the service has for them. */
import { LOOK_DEFAULTS, type LookSettings } from '@signet/look';
import { UsageError } from '../exit.js';
import type { Io } from '../terminal/io.js';

const TEXTS = [
  'DISCORD_API_BASE',
  'DISCORD_BOT_TOKEN',
  'DOTBIT_RECORD_KEY',
  'DOTBIT_REGISTER_API_URL',
  'GITHUB_API_BASE',
  'GITHUB_TOKEN',
  'KEYBASE_API_BASE',
  'KEYBASE_FILE_URL_TEMPLATE',
  'KEYBASE_PROBE_URL',
  'MINDS_BASE_URL',
  'OUTBOUND_CONTACT',
  'SERVICE_NAME',
  'X_API_BASE',
  'X_BEARER_TOKEN',
  'X_OEMBED_BASE',
  'X_SYNDICATION_BASE',
] as const;
const LISTS = ['DNS_SERVERS', 'DOH_URLS', 'DOTBIT_INDEXER_URLS', 'ETH_RPC_URLS'] as const;

/**
 * What is set, with the defaults of the service for the rest; DNS is asked as this machine does, unless DNS_MODE says
 * `doh`.
 * @param serviceName the name of the server whose links are looked at, which names its records in .bit
 * @throws UsageError for a value of DNS_MODE that is none
 */
export function lookSettings(env: Io['env'], serviceName: string | undefined): LookSettings {
  const given = TEXTS.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  const lists = LISTS.flatMap((name) => (env[name] ? [[name, listOf(env[name])] as const] : []));
  return {
    ...LOOK_DEFAULTS,
    DNS_MODE: dnsMode(env['DNS_MODE']),
    ...(serviceName === undefined ? {} : { SERVICE_NAME: serviceName }),
    ...Object.fromEntries<string | string[]>([...given, ...lists]),
  };
}

function dnsMode(text: string | undefined): LookSettings['DNS_MODE'] {
  if (text === undefined || text === '' || text === 'system') return 'system';
  if (text === 'doh') return 'doh';
  throw new UsageError('DNS_MODE is doh or system.');
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
