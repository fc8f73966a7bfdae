import type { FeedRecord } from '@signet/verify/log';

/** Injection token of `Receipts`; absent where there is no log. */
export const RECEIPTS = Symbol('RECEIPTS');

/** What a receipt names of a record; all of it, as its feed answers it, is in the hash, but for its number there. */
export type RecordedItem = Pick<FeedRecord, 'avatar' | 'uuid'>;

/** Gives receipts for what was recorded: promises that it will be in the log. */
export interface Receipts {
  /**
   * The receipt of a record that is committed, or undefined where the log cannot promise anything now. Never throws:
   * what is recorded is recorded.
   * @param kind the name of its kind
   * @param recordedAt by the clock of the database
   */
  forRecorded(kind: string, record: RecordedItem, recordedAt: Date): Promise<string | undefined>;
}
