import { parseSignature, recoverPublicKey, type Secp256k1 } from '@signet/verify';
import { sha256Hex } from '../../src/crypto/hashing.js';
import { BACKENDS, curvesOf, hex, readVectors } from './vectors.js';

interface Wycheproof {
  numberOfTests: number;
  testGroups: {
    publicKey: { uncompressed: string };
    tests: { tcId: number; comment: string; flags: string[]; msg: string; sig: string; result: 'valid' | 'invalid' }[];
  }[];
}

/**
 * The cases of the bitcoin set that are invalid for their high s alone ("Signature malleability" and its edge case).
 * High s is accepted here (docs/design/decisions.md 2), as it is in the other set.
 */
const HIGH_S = [1, 388];

/**
 * The service only ever recovers keys. A signature is valid under a key if and only if one of the (at most four) points
 * that fit r gives that key back, so this is verification by recovery: ids 0 and 1 through the whole of our parsing,
 * and 2 and 3 (r was reduced by the group order; no signer of personal_sign produces that) on the backend itself.
 */
function verifiesByRecovery(backend: Secp256k1, digest: Uint8Array, rs: Uint8Array, key: Uint8Array): boolean {
  if (rs.length !== 64) return false;
  for (const v of [0, 1]) {
    const recovered = recoverPublicKey(digest, Uint8Array.from([...rs, v]), { curves: curvesOf(backend) });
    if (recovered && Buffer.compare(recovered, key) === 0) return true;
  }
  if (!parseSignature(Uint8Array.from([...rs, 0]))) return false;
  return ([2, 3] as const).some((id) => Buffer.compare(backend.recover(digest, rs, id) ?? new Uint8Array(), key) === 0);
}

/** r and s of a signature in strict DER (X.690, section 10), 32 bytes each, or null. */
function readDer(der: Uint8Array): Uint8Array | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 0x7f + 2) return null;
  const r = readDerInteger(der, 2);
  const s = r && readDerInteger(der, r.end);
  return r && s && s.end === der.length ? Uint8Array.from([...r.value, ...s.value]) : null;
}

function readDerInteger(der: Uint8Array, start: number): { value: Uint8Array; end: number } | null {
  const end = start + 2 + der[start + 1]!;
  const digits = der.subarray(start + 2, end);
  if (der[start] !== 0x02 || !(end <= der.length) || digits.length === 0) return null;
  const isNegative = digits[0]! >= 0x80;
  const isPaddedInVain = digits[0] === 0 && digits.length > 1 && digits[1]! < 0x80;
  const magnitude = digits[0] === 0 ? digits.subarray(1) : digits;
  if (isNegative || isPaddedInVain || magnitude.length > 32) return null;
  return { value: Uint8Array.from([...new Uint8Array(32 - magnitude.length), ...magnitude]), end };
}

/** The numbers of the cases for which the backend answers otherwise than the file. */
function disagreements(
  file: Wycheproof,
  backend: Secp256k1,
  readRs: (signature: Uint8Array) => Uint8Array | null,
  acceptedAnyway: readonly number[] = [],
): string[] {
  return file.testGroups.flatMap(({ publicKey, tests }) => {
    const key = backend.parsePublicKey(hex(publicKey.uncompressed))!;
    expect(key.uncompressed).toEqual(hex(publicKey.uncompressed));
    expect(backend.parsePublicKey(key.compressed)).toEqual(key);
    return tests
      .filter((test) => {
        const rs = readRs(hex(test.sig));
        const isValid = rs !== null && verifiesByRecovery(backend, hex(sha256Hex(hex(test.msg))), rs, key.compressed);
        return isValid !== (test.result === 'valid' || acceptedAnyway.includes(test.tcId));
      })
      .map(({ tcId, comment }) => `${tcId}: ${comment}`);
  });
}

describe.each(BACKENDS)('the Wycheproof vectors on %s', (_, backend) => {
  it('give the stated result for r and s concatenated (IEEE P1363)', () => {
    const file = readVectors<Wycheproof>('wycheproof/ecdsa_secp256k1_sha256_p1363_test.json');

    expect(file.testGroups.flatMap(({ tests }) => tests)).toHaveLength(252);
    expect(disagreements(file, backend, (signature) => signature)).toEqual([]);
  });

  it('give the stated result for DER, but for high s, which is accepted', () => {
    const file = readVectors<Wycheproof>('wycheproof/ecdsa_secp256k1_sha256_bitcoin_test.json');

    expect(file.testGroups.flatMap(({ tests }) => tests)).toHaveLength(463);
    expect(disagreements(file, backend, readDer, HIGH_S)).toEqual([]);
  });
});
