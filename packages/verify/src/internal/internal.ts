/**
 * The workshop of the packages: small functions over texts and values, without a curve. Without a promise: what
 * `@signet/verify/internal` and the entries below it export may change in any version.
 */
export { isPlatformName } from '../names/platform-name.js';
export { exceedsDepth } from '../text/canonical-json.js';
export { CLOCK_SPREAD_SECONDS } from '../text/constants.js';
export { equalBytes, utf8 } from '../text/encoding.js';
export { cleanPasted } from '../text/pasted-text.js';
export { holdsPrivateKey } from '../text/private-key.js';
export { UNIX_TEXT_PATTERN, UUID_PATTERN } from '../text/payload-text.js';
export { isObject, parseObject, rewrittenJson } from '../text/signed-text.js';
export { hasKeyPrefix } from '../keys/curves.js';
