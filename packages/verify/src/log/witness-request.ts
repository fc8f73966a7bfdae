/** What a log sends to a witness (C2SP tlog-witness 1.0, add-checkpoint), and where a witness shows what it signed. */
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeBase64, encodeBase64, encodeHex, utf8 } from '../text/encoding.js';
import { HASH_BYTES } from './tree.js';

/** A request to sign a checkpoint, read but not verified. */
export interface WitnessRequest {
  /** The size of the checkpoint of this log that the witness signed last; 0 if it never did. */
  oldSize: number;
  /** That the tree of `oldSize` entries is the beginning of the new one; empty for 0. */
  proof: Uint8Array[];
  /** The checkpoint with the signature of its log. */
  checkpoint: string;
}

/** The specification allows so many. */
const MAX_PROOF_LINES = 63;

/** The body of the request. */
export function writeWitnessRequest({ oldSize, proof, checkpoint }: WitnessRequest): string {
  return [`old ${oldSize}`, ...proof.map(encodeBase64), '', checkpoint].join('\n');
}

/** Reads a body strictly; null for anything else. Verifies nothing. */
export function readWitnessRequest(body: string): WitnessRequest | null {
  const end = body.indexOf('\n\n');
  if (end < 0) return null;
  const [first, ...lines] = body.slice(0, end).split('\n');
  const [, digits] = /^old (0|[1-9]\d*)$/.exec(first!) ?? [];
  const oldSize = Number(digits);
  const proof = lines.slice(0, MAX_PROOF_LINES + 1).map(decodeBase64);
  const isRead = Number.isSafeInteger(oldSize) && proof.length <= MAX_PROOF_LINES;
  if (!isRead || !proof.every((hash) => hash?.length === HASH_BYTES)) return null;
  return { oldSize, proof: proof.filter((hash) => hash !== null), checkpoint: body.slice(end + 2) };
}

/**
 * The name of a log at a witness, 64 lowercase hex digits: below its URL, `<hash>/checkpoint` is the last checkpoint of
 * the log that it signed.
 */
export function originHash(origin: string): string {
  return encodeHex(sha256(utf8(origin)));
}
