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
   */
  forRecorded(item: RecordedItem): Promise<string | undefined>;
}

/** The description of the member `receipt` of an answer. */
export const RECEIPT_DESCRIPTION =
  'The promise of the log that the record will be in it, exactly so, until a deadline: a note that its key signed (docs/verify.md, 12). Absent without a log, and while it cannot promise anything.';

/** An example of a receipt. */
export const RECEIPT_EXAMPLE = [
  'signet-receipt/1',
  'log signet.example/log',
  'kind link',
  'avatar 0x038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75',
  'uuid 74913704-0904-4e3a-9fa1-ce6a90be6612',
  'hash 0f1a2ff3e7d60ab8e0bf0b7e17b9ab32af0a3cfd26ef0e7d59f4ed5f8b0b4e1c',
  'time 1700000000',
  'deadline 1700086400',
  '',
  '— signet.example/log <Base64>',
  '',
].join('\n');
