/** Parts of chains for the packages themselves. Without a promise: all of it may change in any version. */
export { bindingKey } from '../chains/chain.js';
export { identityKeyText } from '../chains/erased.js';
export { PatchReplay } from '../chains/patch.js';
export { signedChainIn } from '../chains/signed-chain.js';
