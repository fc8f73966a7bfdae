import { GuardedFetcher } from '../../src/node/guarded-fetcher.js';
import type { WebTransport } from '../../src/node/web-transport.js';
import { type CommonOptions, optionsOf } from '../../src/options/options.js';
import { optionsFromSettings } from '../../src/options/settings.js';

/** The version that `aFetcher` says to hosts. */
export const VERSION = '1.2.3';

/** A fetcher as programs in Node have it; a transport leads it to stand-ins. */
export function aFetcher(
  transport?: WebTransport,
  { timeoutMs = 10_000, maxBytes = 1024 * 1024, contact }: CommonOptions & { maxBytes?: number } = {},
): GuardedFetcher {
  const connections = { user: 2, operator: 6 };
  return new GuardedFetcher({ version: VERSION, contact, maxBytes, timeoutMs, connections, transport });
}

/** The options that the verifier of a platform gets where these settings are set, as texts of an environment. */
export function optionsIn(platform: string, settings: Record<string, string>): CommonOptions {
  return optionsOf(platform, optionsFromSettings(settings));
}
