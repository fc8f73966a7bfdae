/** The fetcher and the looker for programs in Node, which connect to no private address that a user named. */
export type { CheckedRequest } from './node/checked-request.js';
export { type FetcherOptions, GuardedFetcher } from './node/guarded-fetcher.js';
export { createLooker, type NodeLookerOptions } from './node/node-looker.js';
export { createRequestSigner, type SigningKey } from './node/request-signer.js';
export type { Watchdog } from './node/watchdog.js';
export type { WebLimits, WebTransport } from './node/web-transport.js';
export type { Bound, Look, LookProblem, LookState } from './look.js';
export type { Looker, LookerOptions, LookOptions } from './looker.js';
export type { CommonOptions, PlatformOptions } from './options/options.js';
