import type { RecordedLinkItem, RecordedPatchItem } from '@signet/verify/log';

/** Injection token of `Receipts`; absent where there is no log. */
export const RECEIPTS = Symbol('RECEIPTS');

/** A link or a patch, as its feed answers it, without its number there. */
export type RecordedItem = { link: RecordedLinkItem } | { patch: RecordedPatchItem };

/** Gives receipts for what was recorded: promises that it will be in the log. */
export interface Receipts {
  /**
   * The receipt of a record that is committed, or undefined where the log cannot promise anything now. Never throws:
   * what is recorded is recorded.
   * @param recordedAt by the clock of the database
   */
  forRecorded(item: RecordedItem, recordedAt: Date): Promise<string | undefined>;
}
