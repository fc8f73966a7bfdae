/** For logs, witnesses and observers, which hold a private key. Everything else of this package needs no secret. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { checkpointText, type TreeHead } from './log/checkpoint.js';
import { cosignedMessage, writeSignatureLine } from './log/note.js';
import { COSIGNATURE_KEY, ED25519_KEY, SEEN_KEY, type VerifierKey, verifierKey } from './log/verifier-key.js';
import { seenMessage } from './seen/statement.js';
import { utf8 } from './text/encoding.js';

/** Signs the text of notes. */
export interface NoteSigner {
  key: VerifierKey;
  /** The signature line of a text that ends with a line break, with its own line break. */
  sign: (text: string) => string;
}

/** Signs checkpoints of logs as a witness. */
export interface Cosigner {
  key: VerifierKey;
  /** The signature line for the text of a checkpoint and a time in UNIX seconds, with its line break. */
  cosign: (text: string, time: number) => string;
}

/** Signs what an observer has seen. */
export interface Observer {
  key: VerifierKey;
  /** The signature line for the text of a statement and a time in UNIX seconds, with its line break. */
  sign: (text: string, time: number) => string;
}

/**
 * The signer of a log. `seed` is the private key of RFC 8032, 32 bytes.
 * @throws TypeError if the name cannot be that of a key; Error for a seed of another length
 */
export function noteSigner(name: string, seed: Uint8Array): NoteSigner {
  const key = verifierKey(name, ED25519_KEY, ed25519.getPublicKey(seed));
  return { key, sign: (text) => writeSignatureLine(key, ed25519.sign(utf8(text), seed)) };
}

/**
 * The signer of a witness (cosignature/v1).
 * @throws TypeError if the name cannot be that of a key; Error for a seed of another length
 */
export function cosigner(name: string, seed: Uint8Array): Cosigner {
  const key = verifierKey(name, COSIGNATURE_KEY, ed25519.getPublicKey(seed));
  return { key, cosign: timedSigner(key, seed, cosignedMessage) };
}

/**
 * The signer of an observer (signet-seen/v1). The seed signs nothing else: its lines do not commit to the name.
 * @throws TypeError if the name cannot be that of a key; Error for a seed of another length
 */
export function observer(name: string, seed: Uint8Array): Observer {
  const key = verifierKey(name, SEEN_KEY, ed25519.getPublicKey(seed));
  return { key, sign: timedSigner(key, seed, seenMessage) };
}

function timedSigner(key: VerifierKey, seed: Uint8Array, messageOf: (text: string, time: number) => Uint8Array) {
  return (text: string, time: number): string => {
    if (!Number.isSafeInteger(time) || time < 0) throw new RangeError('A time is in whole UNIX seconds.');
    const signature = ed25519.sign(messageOf(text, time), seed);
    const bigEndian = Array.from({ length: 8 }, (_, place) => Math.floor(time / 256 ** (7 - place)) % 256);
    return writeSignatureLine(key, Uint8Array.of(...bigEndian, ...signature));
  };
}

/** A checkpoint signed by its log. */
export function signCheckpoint(head: TreeHead, signer: NoteSigner): string {
  const text = checkpointText(head);
  return `${text}\n${signer.sign(text)}`;
}
