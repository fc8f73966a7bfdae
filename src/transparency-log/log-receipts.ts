import { type Receipt, receiptHash } from '@signet/verify/log';
import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { sha256 } from '../crypto/hashing.js';
import { NotFoundError, UnavailableError } from '../domain/domain-errors.js';
import { unixSeconds } from '../domain/unix-time.js';
import { KvFeed } from '../kv/kv-feed.js';
import type { RecordedItem, Receipts } from '../ledger/receipts.js';
import { ProofChainService } from '../proof-chain/proof-chain.service.js';
import { noHeadYet, recordNotFound } from './log-errors.js';
import { LogIdentities } from './log-identity.js';
import { LogStatus } from './log-status.js';
import { feedLinkOf, feedPatchOf } from './records/feed-records.js';
import { TOLERATED_SECONDS } from './records/recorded-times.js';

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
    private readonly links: ProofChainService,
    private readonly patches: KvFeed,
  ) {}

  async forRecorded(item: RecordedItem, recordedAt: Date): Promise<string | undefined> {
    if (!this.canPromise()) return undefined;
    try {
      return (await this.sign(item, recordedAt)) ?? undefined;
    } catch (error) {
      this.logger.warn(`A write has no receipt: ${(error as Error).message}`);
      return undefined;
    }
  }

  /**
   * The receipt of a link or patch that was recorded before, for a client that has lost the answer: of the same facts,
   * and its time is the one at which the record was made.
   * @throws NotFoundError (`record_not_found`, `record_erased`, `receipt_over`); UnavailableError (`log_catching_up`
   *   while the state of the log is not known; `log_refused`)
   */
  async ofUuid(uuid: string): Promise<string> {
    if (this.status.condition === 'refused') {
      throw new UnavailableError('The log of this server signs nothing now.', 'log_refused');
    }
    if (!this.canPromise()) throw noHeadYet();
    const link = await this.links.findByUuid(uuid);
    const patch = link ? null : await this.patches.findByUuid(uuid);
    if (link?.erased ?? patch?.erased) {
      const message = 'The text of this record was erased; its proof is that of the erasure.';
      throw new NotFoundError(message, 'record_erased');
    }
    const record = link ?? patch;
    if (!record) throw recordNotFound();
    const item = link ? { link: feedLinkOf(link) } : { patch: feedPatchOf(patch!) };
    const receipt = await this.sign(item, record.recordedAt);
    if (receipt !== null) return receipt;
    const message = 'The time until which this record had to be in the log is over; its proof shows that it is there.';
    throw new NotFoundError(message, 'receipt_over');
  }

  private canPromise(): boolean {
    return this.status.origin !== '' && this.status.condition !== 'refused';
  }

  /**
   * Null where nothing can be promised: the deadline is over, or the clock of the database is ahead of this one, so
   * that the log will put the time right.
   */
  private async sign(item: RecordedItem, recordedAt: Date): Promise<string | null> {
    const time = unixSeconds(recordedAt);
    const deadline = time + this.environment.LOG_RECEIPT_SECONDS;
    const now = unixSeconds(new Date());
    if (deadline <= now || time > now + TOLERATED_SECONDS) return null;
    const identity = await this.identities.current();
    const record = 'link' in item ? item.link : item.patch;
    const receipt: Receipt = {
      log: identity.origin,
      kind: 'link' in item ? 'link' : 'kv',
      avatar: record.avatar,
      uuid: record.uuid,
      hash: receiptHash(item, sha256),
      time,
      deadline,
    };
    return identity.signReceipt(receipt);
  }
}
