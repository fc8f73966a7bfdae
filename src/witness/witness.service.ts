import { emptyRoot, originHash, readNote, readWitnessRequest, type SignedNote } from '@signet/verify/internal/log';
import {
  type Checkpoint,
  type ConsistencyClaim,
  encodeBase64,
  isConsistent,
  isContradiction,
  isSignedBy,
  readCheckpoint,
  type VerifierKey,
} from '@signet/verify/log';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InvalidRequestError } from '@signet/look';
import { nativeEd25519 } from '../crypto/ed25519.js';
import { NotFoundError } from '../domain/domain-errors.js';
import { fromUnixSeconds, unixSeconds } from '../domain/unix-time.js';
import { WitnessIdentity } from './witness-identity.js';

/** What the witness signed last of one log. */
export interface WitnessedHead {
  origin: string;
  size: number;
  root: Uint8Array;
  /** With the signature of the log and of this witness. */
  note: string;
  cosignedAt: Date;
}

/**
 * The line of the cosignature; or the size at which the proof has to begin, where the request names another one; or why
 * nothing is signed, with the status that C2SP tlog-witness asks for.
 */
export type WitnessAnswer =
  { line: string } | { knownSize: number } | { status: 403 | 422; refusal: { message: string; code: string } };

const HEADS = 'select origin, size, root, note, cosigned_at as "cosignedAt" from witnessed_log';

/** Other requests may store a head between the look at it and the write. */
const MAX_ATTEMPTS = 3;

/**
 * Stores the checkpoint before it is signed, if the stored head is still the start of the proof. Parameters: origin,
 * its hash, size, root, note, time, then the expected size and root, which are null for a log without a signed head.
 */
const REPLACE = `
  insert into witnessed_log as known (origin, origin_hash, size, root, note, cosigned_at)
  select $1::text, $2::text, $3::bigint, $4::bytea, $5::text, $6::timestamptz
  where $7::bigint is null or exists (select from witnessed_log where origin = $1)
  on conflict (origin) do update
    set size = excluded.size, root = excluded.root, note = excluded.note, cosigned_at = excluded.cosigned_at
    where known.size = $7 and known.root = $8::bytea
  returning origin`;

/**
 * A witness (C2SP tlog-witness of 2026-07). It signs a checkpoint only if that continues the last one it signed of this
 * log. One compare-and-set statement stores the checkpoint before the answer is given. Two histories are therefore
 * never signed, not by parallel requests, several servers or a kill.
 */
@Injectable()
export class WitnessService {
  private readonly logger = new Logger('Witness');
  /** The note that was reported last, by the origin of its log. */
  private readonly accused = new Map<string, string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly identity: WitnessIdentity,
  ) {}

  /**
   * Answers one request of a log. `now` is written into the cosignature, in whole seconds. Cheap checks come first:
   * origin and old size are compared before any signature is verified. So a request with another old size is answered
   * with the known one even if its signatures are wrong; tlog-witness sets no order, and the size is public.
   * @throws InvalidRequestError, NotFoundError (`unknown_log`)
   */
  async addCheckpoint(body: string, now: Date): Promise<WitnessAnswer> {
    const request = readWitnessRequest(body);
    const checkpoint = request && readCheckpoint(request.checkpoint);
    if (!checkpoint) throw new InvalidRequestError('The body is not a request to sign a checkpoint.');
    const keys = this.identity.keysOf(checkpoint.origin);
    if (keys.length === 0) throw new NotFoundError('This witness does not watch a log of this origin.', 'unknown_log');
    if (request.oldSize > checkpoint.size) {
      throw new InvalidRequestError('The old size is larger than that of the checkpoint.');
    }
    let lines: string[] | null = null;
    for (let attempt = 1; ; attempt++) {
      const known = await this.find('origin', checkpoint.origin);
      const knownSize = known?.size ?? 0;
      if (request.oldSize !== knownSize || attempt > MAX_ATTEMPTS) return { knownSize };
      lines ??= verifiedLines(checkpoint.note, keys);
      if (!lines) return unknownKey('A signature of a key that this witness knows for this log does not verify.');
      if (lines.length === 0) return unknownKey('No key that this witness knows for this log signed the checkpoint.');
      const note = noteOf(checkpoint.note, lines);
      if (!this.isContinued(known, checkpoint, request.proof, note)) {
        const message = 'The proof does not show that the checkpoint continues the old one.';
        return { status: 422, refusal: { message, code: 'inconsistent_checkpoint' } };
      }
      const line = await this.sign(checkpoint, note, known, now);
      if (line !== null) return { line };
    }
  }

  /**
   * Returns the last checkpoint that was signed of the log with this hash of its origin, 64 lowercase hex digits; null
   * if none was.
   */
  async checkpointOf(hash: string): Promise<string | null> {
    const head = await this.find('origin_hash', hash);
    return head && this.cleanNote(head);
  }

  /** What was signed last of each log. */
  heads(): Promise<WitnessedHead[]> {
    return this.dataSource.query(`${HEADS} order by origin`);
  }

  private async find(column: 'origin' | 'origin_hash', value: string): Promise<WitnessedHead | null> {
    const rows: WitnessedHead[] = await this.dataSource.query(`${HEADS} where ${column} = $1`, [value]);
    return rows[0] ?? null;
  }

  /** Whether a checkpoint, signed as `note`, may be signed after the known head. Reports evidence against the log. */
  private isContinued(known: WitnessedHead | null, head: Checkpoint, proof: Uint8Array[], note: string): boolean {
    const [size1, root1] = [known?.size ?? 0, known?.root ?? emptyRoot()];
    const claim = { size1, root1, size2: head.size, root2: head.root, proof };
    if (known && isContradiction(claim)) this.accuse(known, claim, note);
    return isConsistent(claim);
  }

  /** Returns the line of the cosignature; null if another request was faster. */
  private async sign(
    { origin, size, root, note: { text } }: Checkpoint,
    note: string,
    known: WitnessedHead | null,
    now: Date,
  ): Promise<string | null> {
    const seconds = unixSeconds(now);
    const line = this.identity.cosigner.cosign(text, seconds);
    const rows: unknown[] = await this.dataSource.query(REPLACE, [
      origin,
      originHash(origin),
      size,
      Buffer.from(root),
      note + line,
      fromUnixSeconds(seconds),
      known?.size ?? null,
      known ? Buffer.from(known.root) : null,
    ]);
    return rows.length > 0 ? line : null;
  }

  /**
   * Returns the note of a head with the lines of the log and of this witness alone: earlier versions stored every line
   * of a request. The keys of a log that is no longer watched are not known; its note is returned as it was stored.
   */
  private cleanNote({ origin, note }: WitnessedHead): string {
    const keys = this.identity.keysOf(origin);
    const signed = keys.length > 0 ? readNote(note) : null;
    if (!signed) return note;
    const all = [...keys, this.identity.cosigner.key];
    return noteOf(
      signed,
      all.flatMap((key) => verifiedLines(signed, [key]) ?? []),
    );
  }

  /**
   * Reports evidence that a log has signed two histories, once for each second note: two notes with its signature, and
   * the proof where their sizes differ (docs/witnesses.md). A proof that is only wrong is no evidence and not reported:
   * any client can send one with a checkpoint of an honest log.
   */
  private accuse(known: WitnessedHead, { proof }: ConsistencyClaim, note: string): void {
    if (this.accused.get(known.origin) === note) return;
    this.accused.set(known.origin, note);
    this.logger.error({
      message: `The log ${known.origin} has signed two histories.`,
      signed_before: this.cleanNote(known),
      signed_now: note,
      proof: proof.map(encodeBase64),
    });
  }
}

function unknownKey(message: string): WitnessAnswer {
  return { status: 403, refusal: { message, code: 'unknown_log_key' } };
}

/**
 * Returns the signature lines of `keys` below the note, without line breaks. Returns null if a line does not verify, or
 * if a key has two different lines: such a note is malformed (C2SP signed-note), and a witness must refuse it
 * (tlog-witness). Verifies at most one signature for each key.
 */
export function verifiedLines(note: SignedNote, keys: readonly VerifierKey[]): string[] | null {
  const lineOf = ({ name, id }: VerifierKey): string | undefined =>
    note.signatures.find((signature) => signature.name === name && signature.keyId === id)?.line;
  const present = keys.filter((key) => lineOf(key) !== undefined);
  return present.every((key) => isSignedBy(note, key, { curves: { ed25519: nativeEd25519 } }))
    ? present.map((key) => lineOf(key)!)
    : null;
}

/** The text of a note above these lines, which are without their line breaks. */
function noteOf({ text }: SignedNote, lines: readonly string[]): string {
  return `${text}\n${lines.map((line) => `${line}\n`).join('')}`;
}
