import type { AppSigner } from './app-signers.js';

/** Whether a signer is the key of an app. */
export function isAppSigner(signer: unknown): signer is AppSigner {
  return typeof signer === 'object' && signer !== null && 'key' in signer && 'origin' in signer;
}
