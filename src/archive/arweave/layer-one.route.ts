import { dataItemId } from '@signet/verify/internal/signatures';
import transactionModule from 'arweave/node/lib/transaction.js';
import {
  ArchiveRefusedError,
  type ArchiveRoute,
  type SignedDocument,
  type TransactionStatus,
} from '../archive-store.js';
import type { ArweaveGateway } from './arweave-gateway.js';
import type { ArweaveWallet } from './arweave-wallet.js';
import { bundleOf } from './data-item.js';

const Transaction = transactionModule.default;
type Transaction = InstanceType<typeof Transaction>;

/** A signed transaction without its data, and the ids of the items that the data holds, in order. */
interface StoredTransaction {
  header: ReturnType<Transaction['toJSON']>;
  items: string[];
}

/**
 * Straight to the network: many items in one transaction that the wallet pays for. Data of one chunk (256 KiB) travels
 * in the transaction, longer data in chunks behind it (arweave HTTP interface, /tx and /chunk).
 */
export class LayerOneRoute implements ArchiveRoute {
  readonly isPaying = true;

  constructor(
    private readonly gateway: ArweaveGateway,
    private readonly wallet: ArweaveWallet,
  ) {}

  async pack(items: SignedDocument[]): Promise<string> {
    const data = bundleOf(items);
    const [anchor, price] = await Promise.all([this.gateway.anchor(), this.gateway.price(data.length)]);
    const transaction = new Transaction({
      last_tx: anchor,
      reward: price,
      owner: Buffer.from(this.wallet.owner).toString('base64url'),
      data_size: String(data.length),
    });
    transaction.addTag('Bundle-Format', 'binary');
    transaction.addTag('Bundle-Version', '2.0.0');
    await transaction.prepareChunks(data);
    const signature = await this.wallet.sign(await transaction.getSignatureData());
    const { owner } = transaction;
    const encoded = Buffer.from(signature).toString('base64url');
    transaction.setSignature({ id: dataItemId(signature), owner, signature: encoded });
    return JSON.stringify({
      header: transaction.toJSON(),
      items: items.map(({ id }) => id),
    } satisfies StoredTransaction);
  }

  async send(items: SignedDocument[], stored: string, progress: (accepted: string[]) => Promise<void>): Promise<void> {
    const { header, items: ids } = JSON.parse(stored) as StoredTransaction;
    const data = bundleOf(ids.map((id) => items.find((item) => item.id === id)!));
    const transaction = new Transaction({ ...header, data: new Uint8Array() });
    await transaction.prepareChunks(data);
    const chunks = transaction.chunks!.chunks.length;
    if (chunks > 1) {
      await this.announce(header);
      for (let index = 0; index < chunks; index += 1) {
        await progress([]);
        await this.gateway.postChunk(transaction.getChunk(index, data));
      }
    } else await this.announce({ ...header, data: Buffer.from(data).toString('base64url') });
    await progress(ids);
  }

  async status(stored: string): Promise<TransactionStatus> {
    return this.gateway.status((JSON.parse(stored) as StoredTransaction).header.id);
  }

  /** Some nodes refuse a transaction that they have already; it counts as taken. */
  private async announce(header: StoredTransaction['header']): Promise<void> {
    try {
      await this.gateway.postTransaction(header);
    } catch (error) {
      if (!(error instanceof ArchiveRefusedError) || (await this.gateway.status(header.id)) === 'unknown') throw error;
    }
  }
}
