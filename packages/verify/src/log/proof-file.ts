/** A proof that can be kept in a file and verified offline (C2SP tlog-proof, extension `.tlog-proof`). */
import { decodeBase64, encodeBase64 } from '../text/encoding.js';
import { HASH_BYTES } from './tree.js';

/** What a proof file holds, read but not verified. */
export interface LogProof {
  /** The entry itself, where the file carries it: a proof of Signet does. Nothing vouches for it but the proof. */
  extra: Uint8Array | null;
  /** Zero-based. */
  index: number;
  /** From the sibling of the leaf upwards. */
  proof: Uint8Array[];
  /** The checkpoint with all its signatures, as it was published. */
  checkpoint: string;
}

const HEADER = 'c2sp.org/tlog-proof@v1';
/** A tree has no more levels. */
const MAX_PROOF_LINES = 64;

/** The text of a proof file. */
export function writeLogProof({ extra, index, proof, checkpoint }: LogProof): string {
  const lines = [HEADER];
  if (extra) lines.push(`extra ${encodeBase64(extra)}`);
  lines.push(`index ${index}`, ...proof.map(encodeBase64), '');
  return `${lines.join('\n')}\n${checkpoint}`;
}

/** Reads a proof file strictly; null for anything else. Verifies nothing. */
export function readLogProof(text: string): LogProof | null {
  if (typeof text !== 'string') return null;
  const end = text.indexOf('\n\n');
  if (end < 0) return null;
  const [header, ...lines] = text.slice(0, end).split('\n');
  const hasExtra = lines[0]?.startsWith('extra ') ?? false;
  const extra = hasExtra ? decodeBase64(lines.shift()!.slice('extra '.length)) : null;
  const [, digits] = /^index (0|[1-9]\d*)$/.exec(lines.shift() ?? '') ?? [];
  const index = Number(digits);
  const proof = lines.map(decodeBase64);
  const isProof = lines.length <= MAX_PROOF_LINES && proof.every((hash) => hash?.length === HASH_BYTES);
  if (header !== HEADER || (hasExtra && !extra) || !Number.isSafeInteger(index) || !isProof) return null;
  return { extra, index, proof: proof.filter((hash) => hash !== null), checkpoint: text.slice(end + 2) };
}
