import { RefusalCounter } from '../../src/bounds/refusal-counter.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { PlatformUnavailableError, type WebRequest } from '@signet/look';
import { WebClient } from '../../src/outbound/web-client.js';
import type { WebTransport } from '../../packages/look/src/node/web-transport.js';

/** A made-up host that the tests lead to loopback. */
export const HOST = 'social.fedi-one.org';
export const OTHER_HOST = 'fedi-two.net';

/** Stands in every answer that must not get through, so that its traces can be looked for. */
export const MARK = 'SECRET-OF-THE-INSIDE';

/** Short for a quick run; what an honest server needs on a busy machine still fits. */
export const SHORT_LIMITS = { connectMs: 1_500, headersMs: 1_000, idleMs: 400, waitMs: 200 };
/** In all, for requests to hostile servers. */
export const TIMEOUT_MS = 600;
export const MAX_BYTES = 64 * 1024;

/** What a busy machine may add to a limit. Without these limits an attempt takes longer: ten seconds, or forever. */
const GRACE_MS = 7_500;

/** A client with these settings on top of the defaults. */
export function aClient(
  transport: WebTransport,
  settings: Record<string, string> = {},
  refusals = new RefusalCounter(),
): WebClient {
  return new WebClient(loadEnvironment(settings), transport, refusals);
}

/** A request to a host that a user chose. */
export function aRequest(more: Partial<WebRequest> = {}): WebRequest {
  return { url: `https://${HOST}/api/v1/thing`, trust: 'user', platform: 'activitypub', ...more };
}

/**
 * Asserts that nothing came through: the attempt ends in time, as PlatformUnavailableError, with a sentence that tells
 * neither addresses nor numbers nor anything that a server said.
 */
export async function expectUnavailable(
  attempt: Promise<unknown>,
  withinMs = TIMEOUT_MS,
): Promise<PlatformUnavailableError> {
  const start = performance.now();

  const outcome = await attempt.then(
    () => 'something got through',
    (error: unknown) => error,
  );

  expect(performance.now() - start).toBeLessThan(withinMs + GRACE_MS);
  expect(outcome).toBeInstanceOf(PlatformUnavailableError);
  const error = outcome as PlatformUnavailableError;
  expect(error.message).toMatch(
    /^(?:This address|The server for|Too many requests for|Checking) [a-z ,:-]+(?:; try again later)?\.$/,
  );
  expect(error.cause).toBeInstanceOf(Error);
  expect(String((error.cause as Error).message)).not.toContain(MARK);
  return error;
}
