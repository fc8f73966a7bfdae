/** What programs need of bindings beside their signatures: small, and without a curve. */
export type { BindingState, SaidBinding, SaidCheck } from './freshness.js';
export { bindingState, goneSince, isSeenLately } from './freshness.js';
export { SIGNATURE_PLACEHOLDER, WALLET_PLATFORMS } from '../text/constants.js';
