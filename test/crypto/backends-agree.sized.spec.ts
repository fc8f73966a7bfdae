import { recoverPublicKey } from '@signet/verify';
import { sized } from '../support/tier.js';
import { SeededRandom } from './seeded-random.js';
import { malleableTwin, signerNamed } from './signers.js';
import { bytes32, curvesOf, ellipticBackend, libsecp256k1, ORDER } from './vectors.js';

const CASES = sized('RECOVERIES', { short: 600, long: 2400 });
const EDGES = [0n, 1n, 2n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n].map(bytes32);

/** A signature case: what to recover from, and the key that must come out where it is known. */
interface Case {
  kind: string;
  digest: Uint8Array;
  signature: Uint8Array;
  key?: Uint8Array;
}

/** `base` with one change, or none, chosen by the random numbers. */
function mutate(random: SeededRandom, base: Required<Case>): Case {
  const digest = Uint8Array.from(base.digest);
  const signature = Uint8Array.from(base.signature);
  switch (random.below(8)) {
    case 0:
      return base;
    case 1:
      signature[64]! += 27;
      return { kind: 'v as 27 or 28', digest, signature, key: base.key };
    case 2:
      return { kind: 'high s', digest, signature: malleableTwin(signature), key: base.key };
    case 3:
      signature[random.below(64)]! ^= 1 << random.below(8);
      return { kind: 'bit of r or s', digest, signature };
    case 4:
      digest[random.below(32)]! ^= 1 << random.below(8);
      return { kind: 'bit of the digest', digest, signature };
    case 5:
      signature.set(random.pick(EDGES), random.pick([0, 32]));
      return { kind: 'r or s at an edge', digest, signature };
    case 6:
      signature[64] = random.pick([random.below(256), 0, 1, 27, 28]);
      return { kind: 'recovery byte', digest: random.pick([...EDGES, digest]), signature };
    default:
      return { kind: 'random bytes', digest: random.bytes(32), signature: Uint8Array.from([...random.bytes(64), 27]) };
  }
}

/** Where there is no binding, there is nothing to compare. */
const itWithBinding = libsecp256k1 ? it : it.skip;

describe('libsecp256k1 and elliptic', () => {
  itWithBinding(`recover the same key, or both none, in ${CASES} random cases`, () => {
    const random = new SeededRandom('libsecp256k1 and elliptic');
    const kinds = new Map<string, number>();
    let base: Required<Case> | undefined;
    for (let i = 0; i < CASES; i++) {
      if (!base || i % 8 === 0) {
        const signer = signerNamed(String(random.below(2 ** 32)));
        const digest = random.bytes(32);
        base = { kind: 'valid', digest, signature: signer.sign(digest), key: signer.publicKey };
      }
      const { kind, digest, signature, key } = mutate(random, base);

      const native = recoverPublicKey(digest, signature, { curves: curvesOf(libsecp256k1!) });
      const plain = recoverPublicKey(digest, signature, { curves: curvesOf(ellipticBackend) });

      expect({ kind, key: plain }).toEqual({ kind, key: native });
      if (key) expect({ kind, key: native }).toEqual({ kind, key });
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }

    expect(kinds.size).toBe(8); // every kind of change was tried
  });

  itWithBinding('agree on every pair of r and s at the edges, for all four recovery ids', () => {
    const digest = bytes32(12345n);
    for (const r of EDGES) {
      for (const s of EDGES) {
        const rs = Uint8Array.from([...r, ...s]);
        for (const id of [0, 1, 2, 3] as const) {
          expect(ellipticBackend.recover(digest, rs, id)).toEqual(libsecp256k1!.recover(digest, rs, id));
        }
      }
    }
  });

  itWithBinding('read the same keys, or both none, from random and damaged bytes', () => {
    const random = new SeededRandom('keys on libsecp256k1 and elliptic');
    let read = 0;
    for (let i = 0; i < 300; i++) {
      const whole = ellipticBackend.parsePublicKey(signerNamed(String(i % 20)).publicKey)!.uncompressed;
      const length = random.pick([33, 65]);
      const bytes = random.below(2) ? whole.slice(0, length) : random.bytes(length);
      bytes[0] = random.pick([2, 3, 4, 6, 7, random.below(256)]);
      if (random.below(4) === 0) bytes[1 + random.below(length - 1)]! ^= 1;

      const native = libsecp256k1!.parsePublicKey(bytes);

      expect(ellipticBackend.parsePublicKey(bytes)).toEqual(native);
      if (native) read++;
    }

    expect(read).toBeGreaterThan(10);
  });
});
