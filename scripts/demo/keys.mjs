/** Throw-away keys for the demo. Their signatures are checked by the shared rules, `@signet/verify`. */
import { randomBytes } from 'node:crypto';
import { addressOfKey, personalDigest } from '@signet/verify';
import secp256k1 from 'secp256k1';

/** @typedef {ReturnType<typeof freshKey>} Key */

function newPrivateKey() {
  for (;;) {
    const key = randomBytes(32);
    if (secp256k1.privateKeyVerify(key)) return key;
  }
}

/**
 * personal_sign (EIP-191), as every wallet does it.
 * @param {string} text
 * @param {Uint8Array} privateKey
 */
function personalSign(text, privateKey) {
  const { signature, recid } = secp256k1.ecdsaSign(personalDigest(text), privateKey);
  return Buffer.concat([signature, Buffer.from([27 + recid])]).toString('base64');
}

/** A fresh key: as an Avatar it goes by `publicKey`, as a wallet by `address`. */
export function freshKey() {
  const privateKey = newPrivateKey();
  const publicKey = `0x${Buffer.from(secp256k1.publicKeyCreate(privateKey, true)).toString('hex')}`;
  return {
    publicKey,
    address: addressOfKey(publicKey),
    sign: (/** @type {string} */ text) => personalSign(text, privateKey),
  };
}
