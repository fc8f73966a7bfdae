import type { HeadStore } from './head-store.js';
import type { ReceiptStore } from './receipt-store.js';

/** Which keys a client trusts about a log, and where it remembers what it saw. */
export interface LogOptions {
  /**
   * The verifier key of the log, `<origin>+<id>+<Base64>`. Without it and without a policy, the key that the server
   * reports first is remembered, and no other is trusted afterwards.
   */
  logKey?: string | undefined;
  /** The text of a policy (C2SP tlog-policy): keys of logs, and the witnesses that have to sign. */
  policy?: string | undefined;
  /**
   * How long ago the witnesses of the policy may have signed the checkpoint that answers are proved by, seconds; 86,400
   * (a day) when absent. An older one is refused: a server could show one reader an old state for ever. `Infinity` asks
   * for no age. Without a policy that asks for witnesses no signed time is known, and nothing is refused for its age.
   */
  witnessSeconds?: number | undefined;
  /** Where heads are remembered; in memory when absent. */
  heads?: HeadStore | undefined;
  /** Where receipts of writes are kept for `checkReceipts`; they are not kept when absent. */
  receipts?: ReceiptStore | undefined;
  /** Whether a write without a receipt is a `VerificationError`, which says that it was recorded; not when absent. */
  demandReceipt?: boolean | undefined;
  /** For how long a record that is not in the log yet is waited for, milliseconds; 10,000 when absent. */
  logWaitMs?: number | undefined;
}
