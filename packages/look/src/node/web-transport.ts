/**
 * The steps from a name to a socket, so that tests can make names lead to servers on loopback. A transport replaces the
 * resolver and undici's connector, never the guard: addresses from `lookup` are judged like any other, and the
 * `lookup` that a connector is given answers only with those that passed.
 */
export interface WebTransport {
  /** All addresses of a host, IPv4 and IPv6 as text. Asked once per connection. */
  lookup?: (hostname: string) => Promise<string[]>;
  /**
   * What makes the connector, in place of `buildConnector` of undici, of whose type it is: that type needs those of
   * Node, which a page that imports `@signet/look/looker` need not have.
   */
  connector?: (options: never) => object;
  /** PEM; replaces the roots of Node. */
  certificateAuthority?: string;
  /** Replaces single limits. */
  limits?: Partial<WebLimits>;
}

/** Limits that do not depend on the request; times in milliseconds. */
export interface WebLimits {
  /** Name, TCP and TLS together. */
  connectMs: number;
  /** From the connection to the end of the reply's headers, 1xx replies included. */
  headersMs: number;
  /** Between two pieces of a body. */
  idleMs: number;
  /** Waiting for a slot, for a short pause that the platform asked for, or for the next window of a rate budget. */
  waitMs: number;
  /** Bytes of the headers of one reply. */
  headerBytes: number;
}

/** docs/design/platforms.md 11, where it names a number. */
export const DEFAULT_LIMITS: WebLimits = {
  connectMs: 3_000,
  headersMs: 5_000,
  idleMs: 3_000,
  waitMs: 2_000,
  headerBytes: 16 * 1024,
};
