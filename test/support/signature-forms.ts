/**
 * Other forms of one signature (docs/design/decisions.md 2); all texts are standard Base64 of r, s, v (65 bytes, v 27
 * or 28) unless said otherwise.
 */

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n; // of secp256k1 (SEC 2, 2.4.1)

/** A signature with its r and s, and another v. */
export function withRecovery(signature: string, change: (v: number) => number): string {
  const bytes = Buffer.from(signature, 'base64');
  bytes[64] = change(bytes[64]!);
  return bytes.toString('base64');
}

/** 64 bytes: the parity of v is the highest bit of s (EIP-2098). */
export function compactForm(signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  if (bytes[64] === 28) bytes[32]! |= 0x80;
  return bytes.subarray(0, 64).toString('base64');
}

/** The other of the two signatures that one signature implies: s becomes n - s, and v changes its parity. */
export function highSForm(signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  const s = BigInt(`0x${bytes.toString('hex', 32, 64)}`);
  return Buffer.concat([bytes.subarray(0, 32), number32(ORDER - s), Buffer.of(bytes[64] === 27 ? 28 : 27)]).toString(
    'base64',
  );
}

/** `r` or `s` replaced; `n` stands for the order of the curve. */
export function withNumber(signature: string, part: 'r' | 's', value: bigint | 'n' | 'n + 1'): string {
  const bytes = Buffer.from(signature, 'base64');
  const number = value === 'n' ? ORDER : value === 'n + 1' ? ORDER + 1n : value;
  number32(number).copy(bytes, part === 'r' ? 0 : 32);
  return bytes.toString('base64');
}

function number32(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
