import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ProofChainService } from '../proof-chain/proof-chain.service.js';

/** How many links have come how far. */
export interface ArchiveBacklog {
  /** Links that the network has and serves. */
  confirmed: number;
  /** Links that are signed and not yet accepted by the network. */
  unsent: number;
  /** Links that were accepted and are not served yet. */
  unconfirmed: number;
  /** Links that are not signed yet; all that are not confirmed, while ARCHIVE is `none`. */
  unsigned: number;
  /** When the oldest link was signed that is not confirmed; null if there is none. */
  oldestSignedAt: Date | null;
  /** The newest failure of a batch that is not done yet. */
  lastError: { message: string; at: Date } | null;
}

interface CountRow {
  signed: number;
  unsent: number;
  unconfirmed: number;
  oldest: Date | null;
}

/**
 * Only the rows of the backlog are counted: links are signed without a gap, so the newest signed one shows how many
 * there are.
 */
const COUNT = `
  select (select coalesce(max(link_id), 0) from archive_item) as signed, count(*) filter (where state = 'signed') as unsent,
    count(*) filter (where state = 'sent') as unconfirmed, min(signed_at) as oldest
  from archive_item where state <> 'confirmed'`;

const LAST_ERROR = `
  select last_error as message, failed_at as at from archive_batch where next_at is not null and last_error <> ''
  order by failed_at desc limit 1`;

/** Counts what waits, for metrics and for the operator. */
@Injectable()
export class ArchiveBacklogQueries {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chain: ProofChainService,
  ) {}

  async read(): Promise<ArchiveBacklog> {
    const counts: CountRow[] = await this.dataSource.query(COUNT);
    const errors: { message: string; at: Date }[] = await this.dataSource.query(LAST_ERROR);
    const newest = await this.chain.newestId();
    const { signed, unsent, unconfirmed, oldest } = counts[0]!;
    return {
      confirmed: signed - unsent - unconfirmed,
      unsent: unsent,
      unconfirmed: unconfirmed,
      unsigned: Math.max(newest - signed, 0),
      oldestSignedAt: oldest,
      lastError: errors[0] ?? null,
    };
  }
}
