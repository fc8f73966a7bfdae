import type { PlatformOptions } from './options.js';
import type { PlatformVerifier } from '../platform-verifier.js';

/**
 * The options that lead all of `verifiers` to the server at `origin`, such as `http://127.0.0.1:8080`: for tests and
 * the demo, in which one server stands in for all platforms.
 */
export function addressesAt(origin: string, verifiers: PlatformVerifier[]): PlatformOptions {
  return Object.fromEntries(
    verifiers.map(({ platform, addresses = {} }) => [
      platform,
      Object.fromEntries(
        Object.entries(addresses).map(([option, path]) => [
          option,
          typeof path === 'string' ? `${origin}${path}` : path.map((one) => `${origin}${one}`),
        ]),
      ),
    ]),
  );
}
