/** For programs that hold a private key themselves. Everything else of this package needs no secret. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { encodeBase64 } from './text/encoding.js';
import { personalDigest } from './signatures/personal-sign.js';

export type { AppPrivateKey } from './key-events/sign-app.js';
export { appKeyOf } from './key-events/sign-app.js';
export { keyOfPasskey, PASSKEY_PRF_INPUT } from './keys/passkey-key.js';
export { signNostr } from './signatures/sign-nostr.js';

/**
 * personal_sign (EIP-191) with a private key of 32 bytes: standard Base64 of r, s, v (65 bytes, v 27 or 28, low s).
 * @throws Error for bytes that are not a private key
 */
export function signPersonal(text: string, privateKey: Uint8Array): string {
  const [recovery, ...rs] = secp256k1.sign(personalDigest(text), privateKey, { prehash: false, format: 'recovered' });
  return encodeBase64(Uint8Array.of(...rs, 27 + recovery!));
}
