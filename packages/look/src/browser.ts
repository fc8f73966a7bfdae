/** Looks from browsers: verifiers that load when they are used, over `fetch`. */
export { BrowserFetcher, type BrowserFetcherOptions } from './browser/browser-fetcher.js';
export { type BrowserLookerOptions, createLooker } from './browser/browser-looker.js';
export { type LookQuestion, whomToAsk } from './browser/whom-to-ask.js';
export type { Bound, Look, LookProblem, LookState } from './look.js';
export type { Looker, LookerOptions, LookOptions } from './looker.js';
export type { CommonOptions, PlatformOptions } from './options/options.js';
