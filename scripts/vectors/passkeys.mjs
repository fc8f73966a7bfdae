/** Private keys that are made of what passkeys answer, by HKDF of Node. */
import { hkdfSync } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { accepted, hex, person, refused } from './people.mjs';

/** @param {Uint8Array} output @param {number} counter */
function keyAt(output, counter) {
  const info = Buffer.concat([Buffer.from('secp256k1 private key'), Buffer.of(counter)]);
  return new Uint8Array(hkdfSync('sha256', output, Buffer.from('signet/passkey/1'), info, 32));
}

/** PRF outputs with the private key and the Avatar of each; `refused` says how many candidates are passed over. */
export function passkeys() {
  /** @param {string} id @param {Uint8Array} output @param {number} counter */
  const good = (id, output, counter) => {
    const key = keyAt(output, counter);
    const avatar = `0x${hex(secp256k1.getPublicKey(key, true))}`;
    return { id, prf: hex(output), refused: counter, expected: accepted({ private_key: hex(key), avatar }) };
  };
  /** @param {string} id @param {Uint8Array} output */
  const bad = (id, output) => ({ id, prf: hex(output), refused: 0, expected: refused(['prf']) });
  const { secret } = person('passkey');
  return {
    description:
      'Private keys of passkeys: `prf` is what the PRF extension answers for `signet/passkey/1/prf`, in hex. `refused`: so many candidates are taken for no scalar, as a test of the counter, because none is in practice.',
    vectors: [
      good('a-passkey', secret, 0),
      good('zeros', new Uint8Array(32), 0),
      good('ones', new Uint8Array(32).fill(0xff), 0),
      good('the-second-candidate', secret, 1),
      good('the-last-candidate', secret, 255),
      bad('31-bytes', secret.subarray(1)),
      bad('64-bytes', new Uint8Array(64)),
      bad('nothing', new Uint8Array()),
    ],
  };
}
