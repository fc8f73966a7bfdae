import type { Agent } from 'undici';
import { readBody } from './body-reader.js';
import type { CheckedRequest } from './checked-request.js';
import type { Watchdog } from './watchdog.js';
import { WebFailure } from '../web/web-failure.js';
import type { WebReply } from '../web/web-request.js';
import type { WebLimits } from './web-transport.js';

/** What a connection ends with that breaks before the answer is whole; the parser and the decoder have others. */
const BROKEN_CODES = ['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/** 1xx replies, such as early hints, that are accepted before an answer. */
const MAX_INFORMATIONAL = 8;

/**
 * Writes one request and reads its answer of any status.
 * @throws WebFailure if there is no usable answer
 */
export async function exchange(
  agent: Agent,
  request: CheckedRequest,
  watchdog: Watchdog,
  limits: WebLimits,
): Promise<WebReply> {
  const { url, method, headers, body, maxBytes, headersMs = limits.headersMs } = request;
  let informational = 0;
  watchdog.allow(limits.connectMs + headersMs);
  try {
    const pending = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      signal: watchdog.signal,
      headersTimeout: headersMs,
      onInfo: () => {
        if (++informational > MAX_INFORMATIONAL) watchdog.end(new WebFailure('unusable', 'too many 1xx replies'));
      },
    });
    const reply = await watchdog.guard(pending);
    watchdog.allow(limits.idleMs);
    const replyHeaders = Object.fromEntries(
      Object.entries(reply.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    );
    // Some servers name a coding where there is no body to be coded.
    const isEmpty = reply.statusCode === 204 || reply.statusCode === 304 || replyHeaders['content-length'] === '0';
    const encoding = isEmpty ? '' : (replyHeaders['content-encoding'] ?? '');
    const reading = readBody(reply.body, encoding, maxBytes, () => watchdog.allow(limits.idleMs));
    return { status: reply.statusCode, headers: replyHeaders, body: await watchdog.guard(reading) };
  } catch (cause) {
    throw toFailure(cause);
  }
}

/**
 * Turns errors into WebFailure. Failures to connect already are; any other error is a broken connection or a reply that
 * the parser refused.
 */
function toFailure(cause: unknown): WebFailure {
  if (cause instanceof WebFailure) return cause;
  const { code } = (cause ?? {}) as { code?: unknown };
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new WebFailure('slow', 'took too long', { cause });
  }
  return BROKEN_CODES.includes(code as string)
    ? new WebFailure('unusable', 'the connection broke', { cause, isBroken: true })
    : new WebFailure('unusable', 'the reply makes no sense', { cause });
}
