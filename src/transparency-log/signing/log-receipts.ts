import { recordedHash } from '@signet/verify/internal/log';
import type { Receipt } from '@signet/verify/log';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { sha256 } from '../../crypto/hashing.js';
import { NotFoundError, UnavailableError } from '../../domain/domain-errors.js';
import { unixSeconds } from '../../domain/unix-time.js';
import { type Recorded, type RecordKind, RecordKinds } from '../../ledger/record-kind.js';
import type { RecordedItem, Receipts } from '../../ledger/receipts.js';
import { noHeadYet, recordNotFound } from './heads/log-errors.js';
import { LogIdentities } from './heads/log-identity.js';
import { LogStatus } from './heads/log-status.js';
import { TOLERATED_SECONDS } from './recorded-times.js';

/**
 * Signs receipts. A promise has to be kept, so none is given while the log is refused, and before this server has read
 * the state of the log. Signing takes tens of microseconds, and no query once the key was read.
 */
@Injectable()
export class LogReceipts implements Receipts {
  private readonly logger = new Logger('Log');

  constructor(
    private readonly environment: Environment,
    private readonly identities: LogIdentities,
    private readonly status: LogStatus,
    private readonly kinds: RecordKinds,
    private readonly dataSource: DataSource,
  ) {}

  async forRecorded(kind: string, record: RecordedItem, recordedAt: Date): Promise<string | undefined> {
    if (!this.canPromise()) return undefined;
    try {
      return (await this.sign(this.kinds.get(kind), record, recordedAt)) ?? undefined;
    } catch (error) {
      this.logger.warn(`A write has no receipt: ${(error as Error).message}`);
      return undefined;
    }
  }

  /**
   * The receipt of a record that was made before, for a client that has lost the answer: of the same facts,
   * and its time is the one at which the record was made.
   * @throws NotFoundError (`record_not_found`, `record_erased`, `receipt_over`); UnavailableError (`log_catching_up`
   *   while the state of the log is not known; `log_refused`)
   */
  async ofUuid(uuid: string): Promise<string> {
    if (this.status.condition === 'refused') {
      throw new UnavailableError('The log of this server signs nothing now.', 'log_refused');
    }
    if (!this.canPromise()) throw noHeadYet();
    const found = await this.find(uuid);
    if (!found) throw recordNotFound(this.kinds);
    const { kind, row } = found;
    const record = kind.toRecord(row);
    if (record.erased) {
      const message = 'The text of this record was erased; its proof is that of the erasure.';
      throw new NotFoundError(message, 'record_erased');
    }
    const receipt = await this.sign(kind, record, row.recordedAt);
    if (receipt !== null) return receipt;
    const message = 'The time until which this record had to be in the log is over; its proof shows that it is there.';
    throw new NotFoundError(message, 'receipt_over');
  }

  private async find(uuid: string): Promise<{ kind: RecordKind; row: Recorded } | null> {
    for (const kind of this.kinds) {
      const row = await kind.feed.findByUuid(this.dataSource, uuid);
      if (row) return { kind, row };
    }
    return null;
  }

  private canPromise(): boolean {
    return this.status.origin !== '' && this.status.condition !== 'refused';
  }

  /**
   * Null where nothing can be promised: the deadline is over, or the clock of the database is ahead of this one, so
   * that the log will put the time right.
   */
  private async sign(kind: RecordKind, record: RecordedItem, recordedAt: Date): Promise<string | null> {
    const time = unixSeconds(recordedAt);
    const deadline = time + this.environment.LOG_RECEIPT_SECONDS;
    const now = unixSeconds(new Date());
    if (deadline <= now || time > now + TOLERATED_SECONDS) return null;
    const identity = await this.identities.current();
    const receipt: Receipt = {
      log: identity.origin,
      kind: kind.name,
      avatar: record.avatar,
      uuid: record.uuid,
      hash: recordedHash(kind, record, sha256),
      time,
      deadline,
    };
    return identity.signReceipt(receipt);
  }
}
