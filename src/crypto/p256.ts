import { p256 } from '@noble/curves/nist.js';
import { hexToBytes } from '@noble/curves/utils.js';

/** Whether `0x` and 128 hex digits are the coordinates X and Y of a point on P-256 (FIPS 186-5). */
export function isP256Point(text: string): boolean {
  return /^0x[0-9a-f]{128}$/i.test(text) && p256.utils.isValidPublicKey(hexToBytes(`04${text.slice(2)}`), false);
}
