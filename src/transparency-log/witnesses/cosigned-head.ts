import { appendSignatures, isQuorumMet, judgeCheckpoint, readCheckpoint } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { parseBigint } from '../../database/bigint-column.js';
import { readRows } from '../../database/connections/prepared.js';
import { LogPolicy } from './log-policy.js';
import type { SignedHead } from '../log-store.js';

/** Tree heads with cosignatures, from the size that is known on; the newest first. */
const COSIGNED = `
  select head.size, root, note, signed_at, lines, keys
  from (
    select size, array_agg(line order by witness, key_id) as lines, array_agg(witness || ' ' || key_id) as keys
    from log_cosignature where size >= $1 group by size
  ) as cosigned
  join log_checkpoint head using (size)
  order by head.size desc`;

interface CosignedRow {
  size: string;
  root: Buffer;
  note: string;
  signed_at: Date;
  lines: string[];
  /** Name and id of each witness' key. */
  keys: string[];
}

/**
 * Finds the newest tree head that has the cosignatures that the policy asks for. While writes never pause, the newest
 * of all is hardly ever that: witnesses are asked less often than tree heads are signed.
 */
@Injectable()
export class CosignedHead {
  private known: SignedHead | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: LogPolicy,
  ) {}

  /**
   * The tree head, its note with the cosignatures; null while there is none, and without a policy that names a quorum.
   * @param newest the newest tree head of the log, with its cosignatures
   */
  async find(newest: SignedHead | null): Promise<SignedHead | null> {
    if (!newest || !this.policy.asksForCosignatures) return null;
    // What was there a moment ago is missing when the log has begun anew, or the database was restored.
    this.known = (this.known && (await this.findFrom(this.known.size))) ?? (await this.findFrom(0));
    return this.known;
  }

  private async findFrom(size: number): Promise<SignedHead | null> {
    const rows = await readRows<CosignedRow>(this.dataSource, COSIGNED, [size]);
    for (const row of rows) {
      if (!this.isEnough(row.keys)) continue;
      const note = appendSignatures(row.note, row.lines);
      if (note === this.known?.note) return this.known;
      // Signatures are verified once: for the tree head that is taken, not for all that could be.
      const checkpoint = readCheckpoint(note);
      if (!checkpoint || !judgeCheckpoint(checkpoint, this.policy.policy!).isQuorumMet) continue;
      return { size: parseBigint(row.size), root: row.root, note, signedAt: row.signed_at };
    }
    return null;
  }

  private isEnough(keys: string[]): boolean {
    const { policy, witnesses } = this.policy;
    const signed = witnesses.filter(({ key }) => keys.includes(`${key.name} ${key.id}`));
    return isQuorumMet(policy!, new Set(signed.map(({ name }) => name)));
  }
}
