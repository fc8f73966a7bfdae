/** Verifiers of platforms without a service around them: a claim and a fetcher in, a verdict with its evidence out. */
export * from './errors.js';
export { type Bound, type Look, lookAt, type LookProblem, type LookState, type Reader } from './look.js';
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
export type {
  Evidence,
  FoundAccount,
  InvalidVerdict,
  PlatformCosts,
  PlatformGuide,
  PlatformProof,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  ValidVerdict,
  Verdict,
} from './platform-verifier.js';
export { SIGNATURE_PLACEHOLDER } from '@signet/verify';
export { optionsFromSettings } from './options/settings.js';
export { createVerifiers } from './verifiers.js';
export type { Fetcher, Followed, HostRates, JsonReply, Rate, SystemDns, WebReply, WebRequest } from './web/fetcher.js';
export { RequestBudget } from './web/fetcher.js';
export { type FailureKind, WebFailure } from './web/web-failure.js';
