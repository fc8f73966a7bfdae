/** Parts of chains for the packages themselves. Without a promise: all of it may change in any version. */
export { identityKeyText } from '../chains/erased.js';
export { bindingKey, LiveLinks } from '../chains/live-links.js';
export { PatchReplay } from '../chains/patch.js';
export { signedChainIn } from '../chains/signed-chain.js';
