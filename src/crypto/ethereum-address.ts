/** Ethereum addresses, on the curve library of the service. */
import * as rules from '@signet/verify';
import { defaultBackend } from './ecdsa.js';

export { hasValidChecksum, toChecksumAddress } from '@signet/verify';

/**
 * The lowercase address of a key, given as `0x` and the hex of its compressed form.
 * @throws TypeError if the text is not such a key; callers pass keys that were recovered or parsed before.
 */
export function addressOfKey(compressedKey: string): string {
  return rules.addressOfKey(compressedKey, defaultBackend);
}
