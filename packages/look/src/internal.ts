/**
 * Parts of verifiers and their schedule for the packages and servers of Signet. Without a promise: all of it may change
 * in any version.
 */
export { unread } from './look.js';
export { addressesAt } from './options/platform-addresses.js';
export { settingsFromOptions } from './options/settings.js';
export { invalid, isWallet } from './platform-verifier.js';
export { settledVerdict } from './posts/verdict-form.js';
export * from './schedule/after-look.js';
export * from './schedule/recheck-outcome.js';
export * from './schedule/recheck-pace.js';
export * from './schedule/recheck-schedule.js';
export { pauseSeconds, retryAfterSeconds } from './web/rate-hints.js';
export { guardOperatorUrl, guardUserUrl } from './web/url-guard.js';
export { busy, didAnswer } from './web/web-failure.js';
