import type { Fetcher } from '../web/fetcher.js';
import { askingForJson, jsonReplyTo } from '../web/json-reader.js';
import { guardOperatorUrl, guardUserUrl } from '../web/url-guard.js';
import { toUnavailable, WebFailure } from '../web/web-failure.js';
import type { Followed, JsonReply, WebReply, WebRequest } from '../web/web-request.js';

/** Of the service (OUTBOUND_MAX_BYTES). */
const MAX_BYTES = 1024 * 1024;
/** Of the service (OUTBOUND_TIMEOUT_MS). */
const TIMEOUT_MS = 10_000;

/**
 * Headers that a page may send to other origins without asking first, but for JSON as `content-type` (Fetch Standard,
 * "CORS-safelisted request-header"). All others stay here: `authorization`, because no credential belongs into a page,
 * and what only serves statistics or versions.
 */
const SENT_HEADERS = ['accept', 'accept-language', 'content-language', 'content-type'];

/** How a fetcher of a browser works. */
export interface BrowserFetcherOptions {
  /** Version of the program that asks. */
  version?: string | undefined;
  /** Another `fetch`; the global one when absent. */
  fetch?: typeof fetch | undefined;
  /** Bytes of one reply after decompression; 1 MiB when absent. */
  maxBytes?: number | undefined;
  /** Milliseconds that one request may take in all; 10,000 when absent. */
  timeoutMs?: number | undefined;
  /** Ends all requests; their promises reject with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * The client for requests of a page to platforms, over `fetch`: without cookies, `Referer` and cache, with limits of
 * time and size. A browser shows an answer to a page only where the answer allows other origins; every other one looks
 * like a broken connection, so it never says that something is not there. To which address a name leads is for the
 * browser to judge; hosts that users chose must have ordinary names, and are asked by https alone.
 */
export class BrowserFetcher implements Fetcher {
  readonly version: string;
  readonly isCrossOrigin = true;
  private readonly fetch: typeof fetch;

  constructor(private readonly options: BrowserFetcherOptions = {}) {
    this.version = options.version ?? '0';
    this.fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** @throws PlatformUnavailableError also for a redirect, of which a page sees nothing */
  async send(request: WebRequest): Promise<WebReply> {
    const { status, headers, body } = await this.guarded(request, 'manual');
    return { status, headers, body };
  }

  async sendJson<T>(request: WebRequest): Promise<JsonReply<T>> {
    return jsonReplyTo<T>(request, await this.send(askingForJson(request)));
  }

  /** The browser follows by itself, so only the end can be checked: it must be an address that may be asked as well. */
  async sendFollowing(request: WebRequest): Promise<WebReply & Followed> {
    if (request.method === 'POST') throw new Error('A POST is never sent on to another address.');
    return this.guarded(request, 'follow');
  }

  async sendJsonFollowing<T>(request: WebRequest): Promise<JsonReply<T> & Followed> {
    const reply = await this.sendFollowing(askingForJson(request));
    return { ...jsonReplyTo<T>(request, reply), url: reply.url };
  }

  private async guarded(request: WebRequest, redirect: 'manual' | 'follow'): Promise<WebReply & Followed> {
    const { signal } = this.options;
    signal?.throwIfAborted();
    const ended = new AbortController();
    const stop = () => ended.abort(signal!.reason);
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const url = checkedUrl(request);
      const timeoutMs = Math.min(
        request.timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS,
        request.budget?.consume() ?? Infinity,
      );
      timer = setTimeout(() => ended.abort(new WebFailure('slow', `took more than ${timeoutMs} ms`)), timeoutMs);
      signal?.addEventListener('abort', stop);
      return await this.exchange(url, request, redirect, ended.signal);
    } catch (error) {
      throw toUnavailable(request.platform, failureOf(ended.signal.aborted ? ended.signal.reason : error));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  private async exchange(
    url: URL,
    request: WebRequest,
    redirect: 'manual' | 'follow',
    signal: AbortSignal,
  ): Promise<WebReply & Followed> {
    const response = await this.fetch(url.href, {
      ...{ method: request.method ?? 'GET', headers: sentHeaders(request), body: (request.body as string) ?? null },
      ...{ mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' },
      ...{ redirect, signal },
    });
    if (response.type === 'opaqueredirect') throw new WebFailure('unusable', 'was redirected');
    // The request may have been led through others; what counts is who answered in the end.
    if (response.redirected) checkedUrl({ url: response.url, trust: 'user' });
    const body = await readBody(response, Math.min(request.maxBytes ?? Infinity, this.options.maxBytes ?? MAX_BYTES));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body,
      url: response.url || url.href,
    };
  }
}

function checkedUrl({ url, trust }: Pick<WebRequest, 'url' | 'trust'>): URL {
  return trust === 'operator' ? guardOperatorUrl(url) : guardUserUrl(url);
}

function sentHeaders({ headers = {} }: WebRequest): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(given.filter(([name]) => SENT_HEADERS.includes(name)));
}

/** Reads a body piece by piece, so that no more than `maxBytes` and one piece are held. @throws WebFailure */
async function readBody({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      void reader.cancel().catch(() => undefined);
      throw new WebFailure('too_large', `the body is larger than ${maxBytes} bytes`);
    }
    pieces.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * What `fetch` rejects with is a TypeError for every reason that a browser does not name: no connection, no such host,
 * an answer that does not allow other origins, a policy. Errors that are no failures of the network pass unchanged.
 */
function failureOf(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  return new WebFailure('unreadable', 'no answer that this page may read', { cause: error });
}
