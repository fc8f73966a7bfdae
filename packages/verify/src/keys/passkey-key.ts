/** The private key of a passkey, made of what its PRF extension answers (WebAuthn Level 3, section 10.1.4). */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { SignetError } from '../errors/errors.js';
import { utf8 } from '../text/encoding.js';

/** What a passkey is asked for, in `extensions.prf.eval.first`; browsers hash it with a prefix of their own. */
export const PASSKEY_PRF_INPUT = 'signet/passkey/1/prf';
/** Salt of HKDF. Another version of the derivation has another one, so that no two versions share a key. */
const SALT = 'signet/passkey/1';
const INFO = 'secp256k1 private key';
const PRF_BYTES = 32;
const MAX_COUNTER = 255;

/**
 * The private key of a passkey: HKDF-SHA-256 (RFC 5869) of its PRF output, with the salt `signet/passkey/1` and the
 * info `secp256k1 private key` followed by one byte, a counter from 0 on. The first 32 bytes that are a scalar of
 * secp256k1 (neither 0 nor the order of the group or more) are the key; a second try is needed once in 2^128 passkeys.
 * The caller overwrites what is returned once it has signed.
 *
 *     const { results } = credential.getClientExtensionResults().prf;
 *     const privateKey = keyOfPasskey(new Uint8Array(results.first));
 *
 * @param prfOutput the 32 bytes for `PASSKEY_PRF_INPUT`
 * @param isScalar whether bytes are a private key of secp256k1; for tests of the counter
 * @returns 32 bytes, which belong to the caller
 * @throws SignetError (`wrong_signer`) for anything but 32 bytes
 */
export function keyOfPasskey(prfOutput: Uint8Array, isScalar = secp256k1.utils.isValidSecretKey): Uint8Array {
  if (!(prfOutput instanceof Uint8Array) || prfOutput.length !== PRF_BYTES) {
    throw new SignetError('What the PRF extension of a passkey answers is 32 bytes.', 'wrong_signer');
  }
  for (let counter = 0; counter <= MAX_COUNTER; counter++) {
    const key = hkdf(sha256, prfOutput, utf8(SALT), Uint8Array.of(...utf8(INFO), counter), 32);
    if (isScalar(key)) return key;
    key.fill(0);
  }
  throw new SignetError('No private key can be made of what the passkey answered.', 'wrong_signer');
}
