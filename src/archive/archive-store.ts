/* What the archive hands to a permanent storage, and hears of it. Nothing here knows a table or a link. */

/** Name and value of a tag by which a storage finds a document again. */
export interface Tag {
  name: string;
  value: string;
}

/** A document as it will stand in the storage for good. */
export interface SignedDocument {
  /**
   * The id under which the document can be fetched; it follows from the signature, so it is known before anything is
   * sent.
   */
  id: string;
  /**
   * Everything that is sent: signature, owner, tags and document. Signatures are random, so only these bytes have this
   * id.
   */
  bytes: Uint8Array;
}

/** What is known of something that was sent: `confirmed`, still `pending`, or `unknown` to everybody. */
export type TransactionStatus = 'confirmed' | 'pending' | 'unknown';

/** A way to get signed items into the network. */
export interface ArchiveRoute {
  /** Whether the operator's wallet pays for what is sent. */
  readonly isPaying: boolean;

  /**
   * Makes the one transaction in which these items travel together, to be kept before it is sent, so that sending again
   * is sending the same; `''` where each item travels by itself.
   * @throws PlatformUnavailableError
   */
  pack(items: SignedDocument[]): Promise<string>;

  /**
   * Sends items, in their transaction if there is one. Sending again does no harm. `progress` is awaited after every
   * few requests with the ids of the items that were accepted since the last call, perhaps none.
   * @throws PlatformUnavailableError, ArchiveRefusedError after everything that could be sent was sent; whatever
   *   `progress` throws, at once.
   */
  send(items: SignedDocument[], transaction: string, progress: (accepted: string[]) => Promise<void>): Promise<void>;

  /**
   * What is known of a transaction that was accepted; `confirmed` where items travel by themselves.
   * @throws PlatformUnavailableError
   */
  status(transaction: string): Promise<TransactionStatus>;
}

/**
 * The network answered, and does not take what was sent: out of money, stale, or not acceptable. Carries no secret
 * and no remote text.
 */
export class ArchiveRefusedError extends Error {
  override readonly name = 'ArchiveRefusedError';
}
