import { type Look, lookAt, unread } from '../look.js';
import type { Looker, LookerOptions, LookOptions } from '../looker.js';
import { Pauses } from '../pauses.js';
import type { PlatformVerifier } from '../platform-verifier.js';
import { demandOptions } from '../options/known-options.js';
import { PLATFORM_DEFAULTS } from '../options/options.js';
import { createVerifiers } from '../verifiers.js';
import { GuardedFetcher } from './guarded-fetcher.js';
import type { WebTransport } from './web-transport.js';

/** Bytes of one reply: those of the service (OUTBOUND_MAX_BYTES). */
const MAX_BYTES = 1024 * 1024;
/** Connections to one host. */
const CONNECTIONS = { user: 1, operator: 2 };

/** How a looker of a program in Node works. */
export interface NodeLookerOptions extends LookerOptions {
  /** Version of the program that asks, for its User-Agent. */
  version?: string | undefined;
  /** For tests: the steps from a name to a socket. */
  transport?: WebTransport | undefined;
}

/**
 * What looks at bindings from a program in Node: every platform, with the credentials of the options where it takes
 * some. DNS is asked as the machine does, unless `dns.mode` is `doh`.
 * @throws WrongUsageError that names an option that cannot be
 */
export function createLooker(options: NodeLookerOptions = {}): Looker {
  demandOptions(options);
  const { contact, timeoutMs = PLATFORM_DEFAULTS.timeoutMs, version = '0', transport } = options;
  const ownName = options.serviceName ?? PLATFORM_DEFAULTS.serviceName;
  const dns = { ...options.dns, mode: options.dns?.mode ?? ('system' as const) };
  const web = new GuardedFetcher({
    ...{ version, contact, transport },
    ...{ maxBytes: MAX_BYTES, timeoutMs, connections: CONNECTIONS },
  });
  const verifiers = new Map<string, PlatformVerifier[]>();
  const verifierOf = (platform: string, serviceName: string) => {
    const own = verifiers.get(serviceName) ?? createVerifiers(web, { ...options, dns, serviceName });
    verifiers.set(serviceName, own);
    return own.find((one) => one.platform === platform);
  };
  const pauses = new Pauses();
  return {
    async look(bound, { signal }: LookOptions = {}) {
      signal?.throwIfAborted();
      const { platform } = bound.link;
      const verifier = verifierOf(platform, bound.serviceName ?? ownName);
      if (!verifier) return unread('not_readable_here', `This program does not know the platform ${platform}.`);
      const paused = pauses.of(platform);
      if (paused) return paused;
      const look = await untilAborted(lookAt(verifier, bound), signal);
      pauses.note(platform, look);
      return look;
    },
    close: () => web.stop(),
  };
}

/** The look, or a rejection as soon as the signal is aborted; its requests then end by their own limits of time. */
async function untilAborted(looking: Promise<Look>, signal: AbortSignal | undefined): Promise<Look> {
  if (!signal) return looking;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([looking, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
