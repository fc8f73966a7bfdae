/** The options of verifiers from the environment, under the names that the service has for its settings. */
import { optionsFromSettings, type PlatformOptions } from '@signet/look';
import { UsageError } from '../exit.js';
import type { Io } from '../terminal/io.js';

const MODES = ['doh', 'system'];
const FALLBACKS = ['syndication', 'oembed'];

/**
 * What is set; DNS is asked as this machine does, unless DNS_MODE says `doh`.
 * @param serviceName the name of the server whose links are looked at, which names its records in .bit
 * @throws UsageError for a value of DNS_MODE or X_FALLBACKS that is none
 */
export function platformOptions(env: Io['env'], serviceName: string | undefined): PlatformOptions {
  const options = optionsFromSettings(env);
  const { mode = 'system' } = options.dns ?? {};
  if (!MODES.includes(mode)) throw new UsageError('DNS_MODE is doh or system.');
  const isKnown = (name: string) => FALLBACKS.includes(name);
  if (!(options.twitter?.fallbacks ?? []).every(isKnown)) throw new UsageError('X_FALLBACKS is syndication,oembed.');
  return { serviceName, ...options, dns: { ...options.dns, mode } };
}
