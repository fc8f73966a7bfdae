import { createHash } from 'node:crypto';
import {
  appendSignatures,
  type Checkpoint,
  emptyRoot,
  encodeHex,
  equalBytes,
  isConsistent,
  isSignedBy,
  readCheckpoint,
  readWitnessRequest,
  type WitnessRequest,
} from '@signet/verify/log';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { parseBigint } from '../database/bigint-column.js';
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

/** A refusal (C2SP tlog-witness); `knownSize` is told where the log has to begin its proof elsewhere. */
export interface WitnessRefusal {
  status: 400 | 403 | 404 | 409 | 422;
  message: string;
  knownSize?: number;
}

/** The lines of the cosignatures, or why there are none. */
export type WitnessAnswer = { lines: string } | { refusal: WitnessRefusal };

/** Others may store between a look and a write; then the look is taken again, and ends with 409. */
const MAX_ATTEMPTS = 3;

/**
 * Stores what is about to be signed if the stored head is still the one that the proof began at. Parameters: origin,
 * its hash, size, root, note, time, size and root that are expected (both null for a log that was never signed).
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
 * A witness (C2SP tlog-witness 1.0): signs a checkpoint only if it continues the one that it signed last of this log.
 * What it is about to sign is stored, by compare-and-set in one statement, before the answer is given; so neither two
 * requests at once, nor several servers, nor a kill can make it sign two histories.
 */
@Injectable()
export class WitnessService {
  private readonly logger = new Logger('Witness');

  constructor(
    private readonly dataSource: DataSource,
    private readonly identity: WitnessIdentity,
  ) {}

  /** Answers one request of a log. `now` is written into the cosignature, in whole seconds. */
  async addCheckpoint(body: string, now: Date): Promise<WitnessAnswer> {
    const request = readWitnessRequest(body);
    const checkpoint = request && readCheckpoint(request.checkpoint);
    if (!checkpoint) return refusal(400, 'The body is not a request to sign a checkpoint.');
    const keys = this.identity.keysOf(checkpoint.origin);
    if (keys.length === 0) return refusal(404, 'This witness does not watch a log of this origin.');
    if (!keys.some((key) => isSignedBy(checkpoint.note, key))) {
      return refusal(403, 'No key that this witness knows for this log signed the checkpoint.');
    }
    if (request.oldSize > checkpoint.size) return refusal(400, 'The old size is larger than that of the checkpoint.');
    for (let attempt = 1; ; attempt++) {
      const known = await this.headOf(checkpoint.origin);
      const reason = this.judge(request, checkpoint, known);
      if (reason) return { refusal: reason };
      const lines = await this.sign(request, checkpoint, known, now);
      if (lines !== null) return { lines };
      if (attempt === MAX_ATTEMPTS) return this.conflict((await this.headOf(checkpoint.origin))?.size ?? 0);
    }
  }

  /** What was signed last of the log with this hash of its origin, 64 lowercase hex digits; null if nothing was. */
  async headOfHash(originHash: string): Promise<WitnessedHead | null> {
    return this.find('origin_hash', originHash);
  }

  /** What was signed last of each log. */
  async heads(): Promise<WitnessedHead[]> {
    const rows: HeadRow[] = await this.dataSource.query('select * from witnessed_log order by origin');
    return rows.map(toHead);
  }

  private headOf(origin: string): Promise<WitnessedHead | null> {
    return this.find('origin', origin);
  }

  private async find(column: 'origin' | 'origin_hash', value: string): Promise<WitnessedHead | null> {
    const rows: HeadRow[] = await this.dataSource.query(`select * from witnessed_log where ${column} = $1`, [value]);
    return rows[0] ? toHead(rows[0]) : null;
  }

  private judge(
    { oldSize, proof }: WitnessRequest,
    checkpoint: Checkpoint,
    known: WitnessedHead | null,
  ): WitnessRefusal | null {
    const { size, root } = checkpoint;
    if (oldSize !== (known?.size ?? 0)) return this.conflict(known?.size ?? 0).refusal;
    if (size === oldSize && known && !equalBytes(root, known.root)) {
      this.alarm(checkpoint, known);
      return { status: 409, message: 'This witness has signed another tree of this size.' };
    }
    const root1 = known?.root ?? emptyRoot();
    if (isConsistent({ size1: oldSize, root1, size2: size, root2: root, proof })) return null;
    if (known && proof.length > 0) this.alarm(checkpoint, known);
    return { status: 422, message: 'The proof does not show that the checkpoint continues the old one.' };
  }

  /** Null if somebody else was faster. */
  private async sign(
    { checkpoint: note }: WitnessRequest,
    { origin, size, root, note: { text } }: Checkpoint,
    known: WitnessedHead | null,
    now: Date,
  ): Promise<string | null> {
    const seconds = unixSeconds(now);
    const lines = this.identity.cosigner.cosign(text, seconds);
    const rows: unknown[] = await this.dataSource.query(REPLACE, [
      origin,
      createHash('sha256').update(origin).digest('hex'),
      size,
      Buffer.from(root),
      appendSignatures(note, [lines]),
      fromUnixSeconds(seconds),
      known?.size ?? null,
      known ? Buffer.from(known.root) : null,
    ]);
    return rows.length > 0 ? lines : null;
  }

  private conflict(knownSize: number): { refusal: WitnessRefusal } {
    return { refusal: { status: 409, message: 'The old size is not that of the last signed checkpoint.', knownSize } };
  }

  /** Both notes together are the proof that the log has shown two histories. */
  private alarm({ origin, note, size, root }: Checkpoint, known: WitnessedHead): void {
    this.logger.error({
      message: `the log ${origin} signed a checkpoint that does not continue the one that this witness signed`,
      size,
      root: encodeHex(root),
      signatures: note.signatures.map(({ line }) => line),
      signed_before: known.note,
    });
  }
}

interface HeadRow {
  origin: string;
  size: string;
  root: Buffer;
  note: string;
  cosigned_at: Date;
}

function toHead({ origin, size, root, note, cosigned_at }: HeadRow): WitnessedHead {
  return { origin, size: parseBigint(size), root, note, cosignedAt: cosigned_at };
}

function refusal(status: WitnessRefusal['status'], message: string): { refusal: WitnessRefusal } {
  return { refusal: { status, message } };
}
