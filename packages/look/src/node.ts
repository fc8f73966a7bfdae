/** The fetcher for programs in Node, which connects to no private address that a user named. */
export type { CheckedRequest } from './node/exchange.js';
export { type FetcherOptions, GuardedFetcher } from './node/guarded-fetcher.js';
export type { Watchdog } from './node/watchdog.js';
export type { WebLimits, WebTransport } from './node/web-transport.js';
