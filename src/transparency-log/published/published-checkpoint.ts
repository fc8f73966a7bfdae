import { appendSignatures, isQuorumMet } from '@signet/verify/internal/log';
import { judgeCheckpoint, readCheckpoint } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { readRows } from '../../database/connections/prepared.js';
import { UnavailableError } from '../../domain/domain-errors.js';
import { LogRefusedError, noHeadYet } from '../signing/heads/log-errors.js';
import { LogStatus } from '../signing/heads/log-status.js';
import { HeadStore, type PlacedHead } from '../signing/heads/head-store.js';
import { LogPolicy } from '../signing/witnesses/log-policy.js';
import { LogHeads } from '../signing/heads/log-heads.js';
import { type Head, HEAD_COLUMNS, type SignedHead } from '../signing/heads/signed-head.js';

/** Milliseconds for which what was read is kept; caches keep it for longer. */
const KEPT_MS = 250;

/** The tree heads that the log shows; their notes carry the cosignatures that there are. */
export interface PublishedHeads {
  /** Null while none was signed. */
  newest: SignedHead | null;
  /** The newest that meets the policy; null while there is none, and without a policy that asks for cosignatures. */
  cosigned: SignedHead | null;
}

/** Tree heads with cosignatures, from the size `$1` on; the newest first. */
const COSIGNED = `
  select ${HEAD_COLUMNS}, lines, keys
  from (
    select size, array_agg(line order by witness, key_id) as lines, array_agg(witness || ' ' || key_id) as keys
    from log_cosignature where size >= $1 group by size
  ) as cosigned
  join log_checkpoint head using (size)
  order by head.size desc`;

/** `keys` holds name and id of the key of each witness. */
type CosignedRow = SignedHead & { lines: string[]; keys: string[] };

/** The checkpoints that all readers get. */
@Injectable()
export class PublishedCheckpoint {
  private readonly reads = new SingleFlight<PublishedHeads>();
  private kept: PublishedHeads = { newest: null, cosigned: null };
  private keptAtMs = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly signed: HeadStore,
    private readonly heads: LogHeads,
    private readonly status: LogStatus,
    private readonly policy: LogPolicy,
  ) {}

  /**
   * Both tree heads as of one moment, at most `KEPT_MS` old.
   * @throws UnavailableError (`log_refused`) if the database holds another history than this server has shown
   */
  async both(): Promise<PublishedHeads> {
    if (performance.now() - this.keptAtMs <= KEPT_MS) return this.kept;
    return this.reads.join(() => this.read());
  }

  /** The newest tree head. @throws UnavailableError (`log_catching_up`) while none was signed, and as `both` */
  async required(): Promise<SignedHead> {
    const { newest } = await this.both();
    if (!newest) throw noHeadYet();
    return newest;
  }

  private async read(): Promise<PublishedHeads> {
    const seen = this.heads.remembered;
    const found = await this.signed.newest();
    // Of a new origin this server has seen nothing; its sequencer takes it up within a second.
    if (found?.head.note.startsWith(`${this.heads.origin}\n`)) await this.accept(found, seen);
    this.kept = found ? await this.bothUpTo(found.head) : { newest: null, cosigned: null };
    this.keptAtMs = performance.now();
    return this.kept;
  }

  /** An older tree head may be shown again: it was signed, and a reader who knows a newer one is not misled. */
  private async accept(found: PlacedHead, seen: Head | null): Promise<void> {
    try {
      await this.heads.show(found, seen);
    } catch (error) {
      if (!(error instanceof LogRefusedError)) throw error;
      this.status.refuse(error.message);
      if (!error.isFinal || (seen && found.head.size < seen.size)) return;
      throw new UnavailableError('The log of this server is being looked at by its operator.', 'log_refused');
    }
  }

  /** Both tree heads, where `head` is the newest; by one statement unless no cosigned one was known or is left. */
  private async bothUpTo(head: SignedHead): Promise<PublishedHeads> {
    const isAsked = this.policy.asksForCosignatures;
    const before = this.kept.cosigned?.size ?? 0;
    const rows = await this.cosignedFrom(isAsked ? Math.min(before, head.size) : head.size);
    const lines = rows.find(({ size }) => size === head.size)?.lines ?? [];
    const newest = { ...head, note: appendSignatures(head.note, lines) };
    if (!isAsked) return { newest, cosigned: null };
    const cosigned = this.newestThatMeets(rows);
    if (cosigned || before === 0) return { newest, cosigned };
    // The one from before is missing when the log has begun anew, or the database was restored.
    return { newest, cosigned: this.newestThatMeets(await this.cosignedFrom(0)) };
  }

  private cosignedFrom(size: number): Promise<CosignedRow[]> {
    return readRows<CosignedRow>(this.dataSource, ['log_cosignature', 'log_checkpoint'], COSIGNED, [size]);
  }

  /**
   * The newest tree head that meets the policy. While writes never pause it is rarely the newest of all: witnesses are
   * asked less often than tree heads are signed.
   */
  private newestThatMeets(rows: CosignedRow[]): SignedHead | null {
    const { policy, witnesses } = this.policy;
    for (const { lines, keys, ...head } of rows) {
      const signed = witnesses.filter(({ key }) => keys.includes(`${key.name} ${key.id}`));
      if (!isQuorumMet(policy!, new Set(signed.map(({ name }) => name)))) continue;
      const note = appendSignatures(head.note, lines);
      if (note === this.kept.cosigned?.note) return this.kept.cosigned;
      // Signatures are verified once: for the tree head that is taken, not for all candidates.
      const checkpoint = readCheckpoint(note);
      if (checkpoint && judgeCheckpoint(checkpoint, policy!).isQuorumMet) return { ...head, note };
    }
    return null;
  }
}
