import type { ArchiveStore, WalletBalance, SignedDocument, Tag, TransactionStatus } from '../archive-store.js';
import type { ArweaveGateway } from './arweave-gateway.js';
import type { ArweaveWallet } from './arweave-wallet.js';
import { documentOf, signDataItem } from './data-item.js';

/** One of the two ways to get data items into the network; the members are those of `ArchiveStore`. */
export interface ArweaveRoute extends Pick<ArchiveStore, 'pack' | 'send' | 'status'> {
  /** Whether the operator's wallet pays for what is sent. */
  readonly isPaying: boolean;
}

/** ARCHIVE=arweave: documents are data items (ANS-104), signed by the operator's wallet and fetched from a gateway. */
export class ArweaveStore implements ArchiveStore {
  constructor(
    private readonly wallet: ArweaveWallet,
    private readonly gateway: ArweaveGateway,
    private readonly route: ArweaveRoute,
  ) {}

  async sign(document: string, tags: Tag[]): Promise<SignedDocument> {
    return signDataItem(this.wallet, document, tags);
  }

  async pack(items: SignedDocument[]): Promise<string> {
    return this.route.pack(items);
  }

  async send(
    items: SignedDocument[],
    transaction: string,
    progress: (accepted: string[]) => Promise<void>,
  ): Promise<void> {
    return this.route.send(items, transaction, progress);
  }

  async status(transaction: string): Promise<TransactionStatus> {
    return this.route.status(transaction);
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
