import type { PlatformVerifier } from './platform-verifier.js';

/**
 * The settings that lead all of `verifiers` to the server at `origin`, such as `http://127.0.0.1:8080`: for tests and
 * the demo, in which one server stands in for all platforms.
 */
export function addressesAt(origin: string, verifiers: PlatformVerifier[]): Record<string, string> {
  return Object.fromEntries(
    verifiers.flatMap(({ addresses = {} }) =>
      Object.entries(addresses).map(([setting, path]) => [setting, `${origin}${path}`]),
    ),
  );
}
