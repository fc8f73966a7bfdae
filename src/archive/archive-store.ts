/* What the archive hands to a permanent storage, and hears of it. Nothing here knows a table or a record. */

/** Name and value of a tag by which a storage finds a document again. */
export interface Tag {
  name: string;
  value: string;
}

/** A document as it will stand in the storage for good. */
export interface SignedDocument {
  /**
   * The id of the document in the storage. It follows from the signature, so it is known before the document is sent.
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
   * Makes the transaction that carries all these items, or returns `''` if each item travels alone. The caller stores
   * the transaction before sending it, so that a second attempt sends the same one.
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
 * The network answered and refused what was sent: no money, stale, or not acceptable. The message has no secret and no
 * text of the remote server.
 */
export class ArchiveRefusedError extends Error {
  override readonly name = 'ArchiveRefusedError';
}
