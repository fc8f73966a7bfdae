import { isSignedBy, type SignedNote, type VerifierKey } from '@signet/verify/log';
import { nativeEd25519 } from '../crypto/ed25519.js';

/**
 * Returns the lines of those of these keys that have one below the note, without their line breaks; null if one of the
 * lines does not verify, or if a key has two that differ: such a note is malformed (C2SP signed-note), and a witness
 * must refuse it (tlog-witness). Verifies one signature at most for each key.
 */
export function verifiedLines(note: SignedNote, keys: readonly VerifierKey[]): string[] | null {
  const lineOf = ({ name, id }: VerifierKey): string | undefined =>
    note.signatures.find((signature) => signature.name === name && signature.keyId === id)?.line;
  const present = keys.filter((key) => lineOf(key) !== undefined);
  return present.every((key) => isSignedBy(note, key, nativeEd25519)) ? present.map((key) => lineOf(key)!) : null;
}
