import type { ArchiveRoute, SignedDocument, Tag } from '../archive-store.js';
import type { ArweaveGateway } from './arweave-gateway.js';
import type { ArweaveWallet } from './arweave-wallet.js';
import { documentOf, signDataItem } from './data-item.js';

/** ARCHIVE=arweave: documents are data items (ANS-104), signed by the operator's wallet and fetched from a gateway. */
export class ArweaveStore {
  constructor(
    private readonly wallet: ArweaveWallet,
    private readonly gateway: ArweaveGateway,
    readonly route: ArchiveRoute,
  ) {}

  get walletAddress(): string {
    return this.wallet.address;
  }

  /** Signs a document (UTF-8 text) with its tags. Sends nothing. */
  async sign(document: string, tags: Tag[]): Promise<SignedDocument> {
    return signDataItem(this.wallet, document, tags);
  }

  /** Whether the network answers the id of this item with exactly its document. @throws PlatformUnavailableError */
  async isServed(item: SignedDocument): Promise<boolean> {
    const expected = documentOf(item);
    const served = await this.gateway.document(item.id, expected.length);
    return served !== null && Buffer.compare(served, expected) === 0;
  }

  /** The balance of the wallet in winston; null where the gateway cannot be asked. Never throws. */
  async balance(): Promise<bigint | null> {
    return this.gateway.balance(this.walletAddress).catch(() => null);
  }
}
