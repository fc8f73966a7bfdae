/** Verifiers of platforms without a service around them: a claim and a fetcher in, a verdict with its evidence out. */
export * from './errors.js';
export { type Bound, type Look, lookAt, type LookProblem, type LookState, type Reader, unread } from './look.js';
export type { Looker, LookerOptions, LookOptions } from './looker.js';
export {
  type BlueskyOptions,
  type CommonOptions,
  PLATFORM_DEFAULTS,
  type DiscordOptions,
  type DnsOptions,
  type DotbitOptions,
  type EthereumOptions,
  type GithubOptions,
  type HostOptions,
  type KeybaseOptions,
  type MindsOptions,
  type PlatformOptions,
  type TwitterOptions,
} from './options/options.js';
export { addressesAt } from './options/platform-addresses.js';
export * from './platform-verifier.js';
export { settledVerdict } from './posts/verdict-form.js';
export { optionsFromSettings, settingsFromOptions } from './options/settings.js';
export { createVerifiers } from './verifiers.js';
export * from './web/fetcher.js';
export { pauseSeconds, retryAfterSeconds } from './web/rate-hints.js';
export { guardOperatorUrl, guardUserUrl } from './web/url-guard.js';
export { busy, type FailureKind, WebFailure } from './web/web-failure.js';
