import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { Agent } from 'undici';
import type { Release } from '../concurrency/slots.js';
import { Environment } from '../config/environment.js';
import { type CheckedRequest, exchange } from './exchange.js';
import { createGuardedAgent } from './guard/guarded-agent.js';
import { type CircuitState, type HostGate, HOST_SLOTS } from './pacing/host-gate.js';
import { HostGates } from './pacing/host-gates.js';
import { toJsonReply } from './json-reader.js';
import { type HostRates, type RateBudget, RateBudgets } from './pacing/rate-budgets.js';
import { pauseSeconds, retryAfterSeconds } from './pacing/rate-hints.js';
import { redirectOf } from './guard/redirects.js';
import { requestHeaders } from './request-headers.js';
import { ProcessSlots } from './pacing/process-slots.js';
import { guardOperatorUrl, guardUserUrl } from './guard/url-guard.js';
import { userAgentOf } from './guard/user-agent.js';
import { Watchdog } from './pacing/watchdog.js';
import { toUnavailable, WebFailure } from './web-failure.js';
import type { Followed, JsonReply, WebReply, WebRequest } from './web-request.js';
import { DEFAULT_LIMITS, WEB_TRANSPORT, type WebLimits, type WebTransport } from './guard/web-transport.js';

/** What verifiers import beside the client. */
export { RequestBudget, type Followed, type JsonReply, type WebReply, type WebRequest } from './web-request.js';
export { didAnswer } from './web-failure.js';
export type { CircuitState } from './pacing/host-gate.js';
export type { HostRates, RateBudget } from './pacing/rate-budgets.js';

const MAX_HOPS = 3;

/**
 * The client for all outbound requests. Checks URL and addresses, keeps every limit of time, size and rate, sends no
 * requests to servers that fail or ask for a pause, and sends no cookies and no Referer. The rules are those of
 * docs/design/platforms.md 11.
 */
@Injectable()
export class WebClient implements OnApplicationShutdown {
  private readonly limits: WebLimits;
  private readonly agents: Record<WebRequest['trust'], Agent>;
  private readonly slots = new ProcessSlots();
  private readonly gates = new HostGates();
  private readonly rates: RateBudgets;
  private readonly userAgent: string;

  constructor(
    private readonly environment: Environment,
    @Optional() @Inject(WEB_TRANSPORT) transport: WebTransport = {},
  ) {
    this.rates = new RateBudgets(environment);
    this.limits = { ...DEFAULT_LIMITS, ...transport.limits };
    this.agents = {
      user: createGuardedAgent('user', HOST_SLOTS.user, transport, this.limits),
      operator: createGuardedAgent('operator', HOST_SLOTS.operator, transport, this.limits),
    };
    this.userAgent = userAgentOf(environment.OUTBOUND_CONTACT);
  }

  /**
   * Sends one request and returns its answer of any status: 4xx, 429 and 5xx too, and redirects, which are not
   * followed.
   * @throws PlatformUnavailableError if no usable answer came, or a limit did not allow the request
   */
  async send(request: WebRequest): Promise<WebReply> {
    try {
      return await this.sendOnce(request);
    } catch (error) {
      throw toUnavailable(request.platform, error);
    }
  }

  /**
   * As `send`, for APIs that speak JSON. A 2xx is JSON or an error; a 4xx may be JSON; in a 204 or a redirect `json` is
   * null.
   * @throws PlatformUnavailableError also for 429 and 5xx, with `retryAfterSeconds` where the server named a time
   */
  async sendJson<T>(request: WebRequest): Promise<JsonReply<T>> {
    return this.toJson<T>(request, await this.send(askingForJson(request)));
  }

  /**
   * As `send`, for a GET that may be redirected (webfinger). Every hop passes every check again; none leads from https
   * to http, and beyond the first origin each counts as chosen by a user and gets no credentials.
   * @throws PlatformUnavailableError also after more than `maxHops` redirects
   */
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

  /** Combines `sendFollowing` and `sendJson`. */
  async sendJsonFollowing<T>(request: WebRequest, maxHops = MAX_HOPS): Promise<JsonReply<T> & Followed> {
    const reply = await this.sendFollowing(askingForJson(request), maxHops);
    return { ...this.toJson<T>(request, reply), url: reply.url };
  }

  /** Declares the rates of each host of `platform`, before its first request. The default is 20 requests a second. */
  declareRates(platform: string, rates: HostRates): void {
    this.rates.declare(platform, rates);
  }

  /** All platforms whose rates were declared. */
  ratedPlatforms(): string[] {
    return this.rates.names();
  }

  /** The requests that each host of `platform` may get: those of RATE_BUDGETS, or else the declared ones. */
  rateBudget(platform: string, hasToken: boolean): RateBudget {
    return this.rates.budgetOf(platform, hasToken);
  }

  /** The circuits of all hosts that were asked since the start and are still remembered. */
  circuits(): CircuitState[] {
    return this.gates.all().map((gate) => gate.state);
  }

  /** Closes a circuit and forgets the host's failures and pauses; false if there is no circuit with this key. */
  resetCircuit(key: string): boolean {
    const gates = this.gates.withKey(key);
    for (const gate of gates) gate.reset();
    return gates.length > 0;
  }

  /**
   * False while the circuits of all servers of a platform that were asked so far are open. Hosts chosen by users do not
   * count.
   */
  isPlatformAvailable(platform: string): boolean {
    const gates = this.gates.ofOperator().filter((gate) => gate.platform === platform);
    return gates.length === 0 || gates.some((gate) => gate.state.state !== 'open');
  }

  /** Lets running requests end, which takes no longer than their timeouts, and closes all connections. */
  async stop(): Promise<void> {
    const open = [this.agents.user, this.agents.operator].filter((agent) => !agent.closed && !agent.destroyed);
    await Promise.all(open.map((agent) => agent.close()));
  }

  /** After the server has closed, so that requests still being served can ask to the end. */
  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private async sendOnce(request: WebRequest): Promise<WebReply> {
    const { platform, trust, budget } = request;
    const checked = this.check(request);
    const gate = this.gates.of(platform, checked.url, trust);
    gate.check();
    const watchdog = new Watchdog(Math.min(this.timeoutOf(request), budget?.consume() ?? Infinity));
    const held: Release[] = [];
    try {
      await this.waitForSlot(gate, checked, watchdog, held);
      const reply = await gate.run(() => exchange(this.agents[trust], checked, watchdog, this.limits));
      const seconds = pauseSeconds(reply, Date.now());
      if (seconds) gate.pause(seconds);
      return reply;
    } finally {
      watchdog.stop();
      for (const release of held) release();
    }
  }

  private check(request: WebRequest): CheckedRequest {
    const url = request.trust === 'operator' ? guardOperatorUrl(request.url) : guardUserUrl(request.url);
    return {
      url,
      method: request.method ?? 'GET',
      headers: requestHeaders(request, url, this.userAgent),
      body: request.body,
      maxBytes: request.maxBytes ?? this.environment.OUTBOUND_MAX_BYTES,
      headersMs: request.headersMs,
    };
  }

  /**
   * Waits for a slot of the host, then for one of the process, then for the end of a short pause and for the rate
   * budget. Slots go into `held` as they are taken.
   * @throws WebFailure `busy` or `limited` if that would take too long, or what `HostGate.check` throws
   */
  private async waitForSlot(
    gate: HostGate,
    checked: CheckedRequest,
    watchdog: Watchdog,
    held: Release[],
  ): Promise<void> {
    const maxWaitMs = () => Math.min(this.limits.waitMs, watchdog.remainingMs);
    const waitOrGiveUp = async (ms: number) => {
      if (ms > maxWaitMs()) {
        throw new WebFailure('limited', 'the rate is used up', { retryAfterSeconds: Math.ceil(ms / 1000) });
      }
      await wait(ms);
    };
    if (gate.pauseMs > 0) await waitOrGiveUp(gate.pauseMs);
    held.push(await gate.slots.acquire(maxWaitMs()));
    held.push(await this.slots.acquire(gate, maxWaitMs()));
    if (gate.pauseMs > 0) await waitOrGiveUp(gate.pauseMs);
    const hasToken = checked.headers['authorization'] !== undefined;
    for (;;) {
      const ms = await this.rates.consume(gate.platform, gate.host, hasToken);
      if (ms === 0) break;
      await waitOrGiveUp(ms);
    }
    gate.check();
  }

  private timeoutOf({ timeoutMs }: WebRequest): number {
    return timeoutMs ?? this.environment.OUTBOUND_TIMEOUT_MS;
  }

  private toJson<T>(request: WebRequest, reply: WebReply): JsonReply<T> {
    try {
      return toJsonReply<T>(reply, retryAfterSeconds(reply.headers, Date.now()));
    } catch (error) {
      throw toUnavailable(request.platform, error);
    }
  }
}

function askingForJson(request: WebRequest): WebRequest {
  return { ...request, headers: { accept: 'application/json', ...request.headers } };
}
