/** Throw-away keys for the demo, and personal_sign (EIP-191) as every wallet does it. */
import { randomBytes } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import secp256k1 from 'secp256k1';

function newPrivateKey() {
  for (;;) {
    const key = randomBytes(32);
    if (secp256k1.privateKeyVerify(key)) return key;
  }
}

/** keccak-256 over byte 0x19, `Ethereum Signed Message:`, a newline, the length in bytes, and the text. */
export function personalDigest(text) {
  const bytes = Buffer.from(text, 'utf8');
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]));
}

function personalSign(text, privateKey) {
  const { signature, recid } = secp256k1.ecdsaSign(personalDigest(text), privateKey);
  return Buffer.concat([signature, Buffer.from([27 + recid])]).toString('base64');
}

/** The compressed key that signed `text`, as `0x` and 66 hex digits. */
export function signerOf(text, signatureBase64) {
  const bytes = Buffer.from(signatureBase64, 'base64');
  const key = secp256k1.ecdsaRecover(bytes.subarray(0, 64), (bytes[64] - 27) & 1, personalDigest(text));
  return `0x${Buffer.from(key).toString('hex')}`;
}

/** The Ethereum address of a compressed key: the last 20 bytes of keccak-256 over its point. */
export function addressOf(publicKey) {
  const point = secp256k1.publicKeyConvert(Buffer.from(publicKey.slice(2), 'hex'), false);
  return `0x${Buffer.from(keccak_256(point.slice(1)).slice(-20)).toString('hex')}`;
}

/** A fresh key: as an Avatar it goes by `publicKey`, as a wallet by `address`. */
export function freshKey() {
  const privateKey = newPrivateKey();
  const publicKey = `0x${Buffer.from(secp256k1.publicKeyCreate(privateKey, true)).toString('hex')}`;
  return { publicKey, address: addressOf(publicKey), sign: (text) => personalSign(text, privateKey) };
}
