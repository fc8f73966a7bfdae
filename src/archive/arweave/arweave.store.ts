import type { ArchiveRoute, ArchiveStore, SignedDocument, Tag, WalletBalance } from '../archive-store.js';
import type { ArweaveGateway } from './arweave-gateway.js';
import type { ArweaveWallet } from './arweave-wallet.js';
import { documentOf, signDataItem } from './data-item.js';

/** ARCHIVE=arweave: documents are data items (ANS-104), signed by the operator's wallet and fetched from a gateway. */
export class ArweaveStore implements ArchiveStore {
  constructor(
    private readonly wallet: ArweaveWallet,
    private readonly gateway: ArweaveGateway,
    readonly route: ArchiveRoute,
  ) {}

  async sign(document: string, tags: Tag[]): Promise<SignedDocument> {
    return signDataItem(this.wallet, document, tags);
  }

  async isServed(item: SignedDocument): Promise<boolean> {
    const expected = documentOf(item);
    const served = await this.gateway.document(item.id, expected.length);
    return served !== null && Buffer.compare(served, expected) === 0;
  }

  async walletBalance(): Promise<WalletBalance> {
    const { address } = this.wallet;
    const balance = await this.gateway.balance(address).catch(() => null);
    return { address, balance, isPaying: this.route.isPaying };
  }
}
