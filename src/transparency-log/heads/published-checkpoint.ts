import { appendSignatures } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { readRows } from '../../database/connections/prepared.js';
import { UnavailableError } from '../../domain/domain-errors.js';
import { CosignedHead } from '../witnesses/cosigned-head.js';
import { NoHeadYetError } from '../log-errors.js';
import { LogHeads } from './log-heads.js';
import type { PlacedHead } from '../log-outlook.js';
import { LogRefusedError } from '../log-refused-error.js';
import { LogStatus } from '../log-status.js';
import { LogStore, type SignedHead } from '../log-store.js';

/** For so long a checkpoint is kept, which caches keep for longer. */
const KEPT_MS = 250;

/** A tree head as the log shows it: the note carries the cosignatures that there are. */
export type PublishedHead = SignedHead;

/** What is shown of the log. */
export interface PublishedHeads {
  /** Null while none was signed. */
  newest: PublishedHead | null;
  /** The newest that meets the policy; null while there is none, and without a policy that asks for cosignatures. */
  cosigned: PublishedHead | null;
}

/** The checkpoints that everybody is shown. */
@Injectable()
export class PublishedCheckpoint {
  private readonly reads = new SingleFlight<PublishedHeads>();
  private kept: PublishedHeads = { newest: null, cosigned: null };
  private keptAtMs = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: LogStore,
    private readonly heads: LogHeads,
    private readonly status: LogStatus,
    private readonly cosignedHead: CosignedHead,
  ) {}

  /**
   * The newest, not older than a moment; null while none was signed.
   * @throws UnavailableError (`log_refused`) if the database holds another history than this server has shown
   */
  async current(): Promise<PublishedHead | null> {
    return (await this.both()).newest;
  }

  /**
   * Both, of one moment.
   * @throws as `current`
   */
  async both(): Promise<PublishedHeads> {
    if (performance.now() - this.keptAtMs <= KEPT_MS) return this.kept;
    return this.reads.join(() => this.read());
  }

  /** The newest, where there is one. @throws NoHeadYetError; UnavailableError as `current` */
  async required(): Promise<PublishedHead> {
    const head = await this.current();
    if (!head) throw new NoHeadYetError();
    return head;
  }

  private async read(): Promise<PublishedHeads> {
    const seen = this.heads.remembered;
    const found = await this.store.newestHead();
    const head = found && found.head;
    // Of a new origin this server has seen nothing; its sequencer takes it up within a second.
    if (found?.head.note.startsWith(`${this.heads.origin}\n`)) await this.accept(found, seen);
    const newest = head && { ...head, note: appendSignatures(head.note, await this.cosignatures(head.size)) };
    this.kept = { newest, cosigned: await this.cosignedHead.find(newest) };
    this.keptAtMs = performance.now();
    return this.kept;
  }

  /** An older tree head may be shown again: it was signed, and a reader who knows a newer one is not misled. */
  private async accept(found: PlacedHead, seen: Parameters<LogHeads['accept']>[1]): Promise<void> {
    try {
      await this.heads.show(found, seen);
    } catch (error) {
      if (!(error instanceof LogRefusedError)) throw error;
      this.status.refuse(error.message);
      if (!error.isFinal || (seen && found.head.size < seen.size)) return;
      throw new UnavailableError('The log of this server is being looked at by its operator.', 'log_refused');
    }
  }

  private async cosignatures(size: number): Promise<string[]> {
    const rows = await readRows<{ line: string }>(
      this.dataSource,
      'select line from log_cosignature where size = $1 order by witness, key_id',
      [size],
    );
    return rows.map(({ line }) => line);
  }
}
