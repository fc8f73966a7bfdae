/** Canonical JSON (RFC 8785), as the rules have it. */
export { canonicalJson, depthOf, exceedsDepth } from '@signet/verify';
