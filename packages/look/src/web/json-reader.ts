import { exceedsDepth } from '@signet/verify/internal';
import { retryAfterSeconds as wantedPause } from './rate-hints.js';
import { toUnavailable, WebFailure } from './web-failure.js';
import type { JsonReply, WebReply, WebRequest } from './web-request.js';

/** No API that is asked here nests deeper than about ten levels (docs/design/platforms.md 11). */
const MAX_DEPTH = 32;

/** `application/json`, everything that ends in `+json`, and `dns-json`, which resolvers use without a registration. */
const JSON_TYPE = /^application\/(?:dns-|[a-z0-9!#$&^_.+-]+\+)?json$/;

/** The request with an Accept header for JSON, unless it has one. */
export function askingForJson(request: WebRequest): WebRequest {
  return { ...request, headers: { accept: 'application/json', ...request.headers } };
}

/**
 * Reads the JSON of the reply to a request, for fetchers.
 * @throws PlatformUnavailableError where `toJsonReply` throws
 */
export function jsonReplyTo<T>(request: WebRequest, reply: WebReply): JsonReply<T> {
  try {
    const isAnyType = request.isJsonOfAnyType === true && reply.status === 200;
    const hasJsonType = isAnyType || isJsonType(reply.headers['content-type'] ?? '');
    return toJsonReply<T>(reply, hasJsonType, wantedPause(reply.headers, Date.now()));
  } catch (error) {
    throw toUnavailable(request.platform, error);
  }
}

/**
 * Reads the JSON of a reply. A 2xx (except 204 and 205) has to be JSON, and a 4xx with a JSON type too.
 * @throws WebFailure `unusable` if the reply has to be JSON and is not, `limited` for 429, `failing` for 5xx
 */
function toJsonReply<T>(reply: WebReply, hasJsonType: boolean, retryAfterSeconds: number | undefined): JsonReply<T> {
  const { status, body } = reply;
  if (status === 429) throw new WebFailure('limited', 'answered with status 429', { retryAfterSeconds });
  if (status >= 500) throw new WebFailure('failing', `answered with status ${status}`, { retryAfterSeconds });
  const isDue = status < 300 && status !== 204 && status !== 205;
  if (isDue && !hasJsonType) throw new WebFailure('unusable', 'the body is not of a JSON type');
  const isJson = hasJsonType && (isDue || (status >= 400 && body.length > 0));
  return { ...reply, isJson, json: isJson ? (parseJson(body) as T) : null };
}

/** Parses UTF-8 bytes. A member named `__proto__` becomes an own property like any other. */
function parseJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new WebFailure('unusable', 'the body is not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own error quotes the body, so it goes no further.
    throw new WebFailure('unusable', 'the body is not JSON');
  }
  if (exceedsDepth(value, MAX_DEPTH)) {
    throw new WebFailure('unusable', `the JSON has more than ${MAX_DEPTH} levels`);
  }
  return value;
}

/** A JSON type in UTF-8, which is the only encoding that JSON has (RFC 8259 section 8.1). */
function isJsonType(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  return JSON_TYPE.test(type.trim()) && ['utf-8', 'utf8', 'us-ascii', undefined].includes(charset);
}
