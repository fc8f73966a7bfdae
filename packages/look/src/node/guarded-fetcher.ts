import type { Agent } from 'undici';
import type { Fetcher, SystemDns } from '../web/fetcher.js';
import { askingForJson, jsonReplyTo } from '../web/json-reader.js';
import type { RequestSigner } from '../web/request-signer.js';
import { guardOperatorUrl, guardUserUrl } from '../web/url-guard.js';
import { toUnavailable, WebFailure } from '../web/web-failure.js';
import type { Followed, JsonReply, WebReply, WebRequest } from '../web/web-request.js';
import type { CheckedRequest } from './checked-request.js';
import { exchange } from './exchange.js';
import { createGuardedAgent } from './guarded-agent.js';
import { redirectOf } from './redirects.js';
import { requestHeaders } from './request-headers.js';
import { systemDns } from './system-dns.js';
import { userAgentOf } from './user-agent.js';
import { Watchdog } from './watchdog.js';
import { DEFAULT_LIMITS, type WebLimits, type WebTransport } from './web-transport.js';

const MAX_HOPS = 3;

/** What a fetcher is made with. */
export interface FetcherOptions {
  /** Version of the program that asks, such as `0.2.0`. */
  version: string;
  /** URL or mail address that operators of other servers can complain to. */
  contact?: string | undefined;
  /** Bytes of one reply after decompression. */
  maxBytes: number;
  /** Milliseconds that one request may take in all. */
  timeoutMs: number;
  /** Connections to one host at the same time. */
  connections: Record<WebRequest['trust'], number>;
  transport?: WebTransport | undefined;
}

/**
 * The client for all outbound requests of a program in Node. Checks URL and addresses, keeps every limit of time and
 * size, and sends no cookies and no Referer. The rules are those of docs/design/platforms.md 11.
 */
export class GuardedFetcher implements Fetcher {
  readonly version: string;
  readonly systemDns: SystemDns = systemDns;
  /** What a server has once its key is known. */
  requestSigner: RequestSigner | undefined;
  protected readonly limits: WebLimits;
  private readonly agents: Record<WebRequest['trust'], Agent>;
  private readonly userAgent: string;

  constructor(private readonly options: FetcherOptions) {
    const { version, contact, connections, transport = {} } = options;
    this.version = version;
    this.limits = { ...DEFAULT_LIMITS, ...transport.limits };
    this.agents = {
      user: createGuardedAgent('user', connections.user, transport, this.limits),
      operator: createGuardedAgent('operator', connections.operator, transport, this.limits),
    };
    this.userAgent = userAgentOf(version, contact);
  }

  async send(request: WebRequest): Promise<WebReply> {
    try {
      return await this.sendOnce(request);
    } catch (error) {
      throw toUnavailable(request.platform, error);
    }
  }

  async sendJson<T>(request: WebRequest): Promise<JsonReply<T>> {
    return jsonReplyTo<T>(request, await this.send(askingForJson(request)));
  }

  async sendFollowing(request: WebRequest, maxHops = MAX_HOPS): Promise<WebReply & Followed> {
    if (request.method === 'POST') throw new Error('A POST is never sent on to another address.');
    const endsAt = performance.now() + this.timeoutOf(request);
    try {
      let current = request;
      for (let hop = 0; ; hop++) {
        const reply = await this.sendOnce({ ...current, timeoutMs: endsAt - performance.now() });
        const next = redirectOf(current, reply);
        if (!next) return { ...reply, url: current.url };
        if (hop >= maxHops) throw new WebFailure('unusable', 'too many redirects');
        current = next;
      }
    } catch (error) {
      throw toUnavailable(request.platform, error);
    }
  }

  async sendJsonFollowing<T>(request: WebRequest, maxHops = MAX_HOPS): Promise<JsonReply<T> & Followed> {
    const reply = await this.sendFollowing(askingForJson(request), maxHops);
    return { ...jsonReplyTo<T>(request, reply), url: reply.url };
  }

  /** Lets running requests end, which takes no longer than their timeouts, and closes all connections. */
  async stop(): Promise<void> {
    const open = [this.agents.user, this.agents.operator].filter((agent) => !agent.closed && !agent.destroyed);
    await Promise.all(open.map((agent) => agent.close()));
  }

  /** Sends a request that was checked. Overridden by those who also keep rates and circuits. */
  protected async perform(request: WebRequest, checked: CheckedRequest): Promise<WebReply> {
    const watchdog = this.watch(request);
    try {
      return await this.exchange(request, checked, watchdog);
    } finally {
      watchdog.stop();
    }
  }

  /** The time that a request may take, counted from now and against its budget. @throws WebFailure if none is left */
  protected watch(request: WebRequest): Watchdog {
    return new Watchdog(Math.min(this.timeoutOf(request), request.budget?.consume() ?? Infinity));
  }

  protected exchange({ trust }: WebRequest, checked: CheckedRequest, watchdog: Watchdog): Promise<WebReply> {
    return exchange(this.agents[trust], checked, watchdog, this.limits);
  }

  private async sendOnce(request: WebRequest): Promise<WebReply> {
    return this.perform(request, this.check(request));
  }

  private check(request: WebRequest): CheckedRequest {
    const url = request.trust === 'operator' ? guardOperatorUrl(request.url) : guardUserUrl(request.url);
    return {
      url,
      method: request.method ?? 'GET',
      headers: requestHeaders(request, url, this.userAgent),
      body: request.body,
      maxBytes: Math.min(request.maxBytes ?? Infinity, this.options.maxBytes),
      headersMs: request.headersMs,
    };
  }

  private timeoutOf({ timeoutMs }: WebRequest): number {
    return timeoutMs ?? this.options.timeoutMs;
  }
}
