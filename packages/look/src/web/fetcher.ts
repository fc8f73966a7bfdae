import type { RequestSigner } from './request-signer.js';
import type { Followed, JsonReply, WebReply, WebRequest } from './web-request.js';

export { didAnswer } from './web-failure.js';
export type { RequestSigner, SignatureForm } from './request-signer.js';
export { RequestBudget, type Followed, type JsonReply, type WebReply, type WebRequest } from './web-request.js';

/** So many requests in so many seconds. */
export interface Rate {
  requests: number;
  seconds: number;
}

/** What each host of a platform allows: to those who send no credential, and to those who do. */
export interface HostRates {
  plain: Rate;
  /** Absent: as `plain`. */
  withToken?: Rate;
}

/**
 * All input and output of verifiers: a client for requests with its limits of time, size and rate, and with a guard
 * that lets requests to hosts which users chose go to public addresses alone.
 */
export interface Fetcher {
  /** Version of the program that asks, such as `0.2.0`, for hosts that want it in a form of their own. */
  readonly version: string;
  /** The resolvers of the machine; absent where a program cannot ask them, as in browsers. */
  readonly systemDns?: SystemDns | undefined;
  /** Signs requests to servers that answer no others; absent where no server could read the key, as in browsers. */
  readonly requestSigner?: RequestSigner | undefined;
  /** Whether answers can be read only where they allow other origins, as in browsers; absent: no. */
  readonly isCrossOrigin?: boolean | undefined;
  /**
   * Sends one request and returns its answer of any status: 4xx, 429 and 5xx too, and redirects, which are not
   * followed.
   * @throws PlatformUnavailableError if no usable answer came, or a limit did not allow the request
   */
  send(request: WebRequest): Promise<WebReply>;
  /**
   * As `send`, for APIs that speak JSON. A 2xx is JSON or an error; a 4xx may be JSON; in a 204 or a redirect `json` is
   * null.
   * @throws PlatformUnavailableError also for 429 and 5xx, with `retryAfterSeconds` where the server named a time
   */
  sendJson<T>(request: WebRequest): Promise<JsonReply<T>>;
  /**
   * As `send`, for a GET that may be redirected (webfinger). Every hop passes every check again; none leads from https
   * to http, and beyond the first origin each counts as chosen by a user and gets no credentials.
   * @throws PlatformUnavailableError also after more than `maxHops` redirects
   */
  sendFollowing(request: WebRequest, maxHops?: number): Promise<WebReply & Followed>;
  /** Combines `sendFollowing` and `sendJson`. */
  sendJsonFollowing<T>(request: WebRequest, maxHops?: number): Promise<JsonReply<T> & Followed>;
}

/** DNS as the machine asks for it. */
export interface SystemDns {
  /**
   * The TXT records of exactly this name, each with its strings joined; empty if the name or the record does not exist.
   * @param options its `server` is `ip` or `ip:port`; absent: the servers of the machine
   * @throws Error if no server answered in `timeoutMs` milliseconds; TypeError if `server` is no address
   */
  resolveTxt(domain: string, options: { server?: string | undefined; timeoutMs: number }): Promise<string[]>;
  /**
   * Sends one message in wire format over TCP, which carries answers of any size, and returns the answer.
   * @param options its `server` as above; absent: the first of the machine
   * @throws Error if no whole answer came in `timeoutMs` milliseconds
   */
  exchange(message: Uint8Array, options: { server?: string | undefined; timeoutMs: number }): Promise<Uint8Array>;
  /** Whether all have the form `ip` or `ip:port` (`[ip]:port` for IPv6). */
  areAddresses(servers: string[]): boolean;
}
