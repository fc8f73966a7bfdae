/** Canonical JSON (RFC 8785), as the rules have it. */
export { canonicalJson, exceedsDepth } from '@signet/verify';
