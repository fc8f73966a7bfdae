import { createHash } from 'node:crypto';
import {
  jsonReply,
  type StandIn,
  startStandIn,
  type StandInReply,
  type StandInRequest,
  textReply,
} from '../../packages/look/test/support/stand-in-server.js';
import {
  checkTransaction,
  placeOfChunk,
  readBundle,
  readDataItem,
  type ReadItem,
  type WireTransaction,
} from './second-opinion.js';

/** Something that takes the place of the usual answer; null lets the usual one be given. */
export type Fault = (request: StandInRequest) => StandInReply | null | Promise<StandInReply | null>;

interface SentTransaction {
  json: WireTransaction;
  /** Bytes of the data that are still to come, by where they start. */
  chunks: Map<number, Buffer>;
  isComplete: boolean;
}

/**
 * The network and an upload service on loopback. They take nothing that `second-opinion` does not verify, and serve
 * what they took by its id. What was refused because it did not verify is in `complaints`; a test that is not about
 * that asserts that there are none.
 */
export class ArweaveStandIn {
  /** Items that were taken, by id. */
  readonly items = new Map<string, ReadItem>();
  /** How often each item was taken in another transaction, or over the upload service. */
  readonly timesTaken = new Map<string, number>();
  readonly transactions = new Map<string, SentTransaction>();
  readonly complaints: string[] = [];
  /** In winston. */
  balance = 5_000_000_000_000n;
  /** Whether what was taken is in a block and served. */
  isConfirming = true;
  gatewayFault: Fault = () => null;
  uploadFault: Fault = () => null;
  /** Takes the next so many items or transactions, says yes, and forgets them. */
  toLose = 0;
  private readonly anchors = new Set<string>();

  private constructor(
    readonly gateway: StandIn,
    readonly upload: StandIn,
  ) {}

  static async start(): Promise<ArweaveStandIn> {
    const network = new ArweaveStandIn(await startStandIn(() => 'cut'), await startStandIn(() => 'cut'));
    network.gateway.handle(async (request) => (await network.gatewayFault(request)) ?? network.answerGateway(request));
    network.upload.handle(async (request) => (await network.uploadFault(request)) ?? network.answerUpload(request));
    return network;
  }

  /** Settings of a service that archives here as fast as it can. */
  settings({ isUploading }: { isUploading: boolean }): Record<string, string> {
    return {
      ARCHIVE: 'arweave',
      ARWEAVE_GATEWAY_URL: this.gateway.baseUrl,
      ...(isUploading ? { ARWEAVE_UPLOAD_URL: `${this.upload.baseUrl}/v1/tx` } : {}),
      ARWEAVE_WALLET: new URL('test-wallet.json', import.meta.url).pathname,
      ARCHIVE_BATCH_SECONDS: '0',
      OUTBOUND_TIMEOUT_MS: '1000',
    };
  }

  /** Transactions that were taken before name an anchor that is too old from now on. */
  letAnchorsAge(): void {
    this.anchors.clear();
  }

  /** The ids under which a link is to be found here. */
  idsOf(uuid: string): string[] {
    return [...this.items.values()]
      .filter(({ tags }) => tags.some(({ name, value }) => name === 'UUID' && value === uuid))
      .map(({ id }) => id);
  }

  async close(): Promise<void> {
    await Promise.all([this.gateway.close(), this.upload.close()]);
  }

  /** What the gateway answers where nothing is wrong. */
  async answerGateway(request: StandInRequest): Promise<StandInReply> {
    const [first = '', second = '', third = ''] = request.path.slice(1).split('/');
    if (request.method === 'POST') {
      if (first === 'graphql') return this.answerSearch(request);
      return first === 'tx' ? this.takeTransaction(request) : this.takeChunk(request);
    }
    if (first === 'tx_anchor') return textReply(this.newAnchor());
    if (first === 'price') return textReply(String(1000 * Number(second)));
    if (first === 'wallet' && third === 'balance') return textReply(String(this.balance));
    if (first === 'tx' && third === 'status') return this.statusOf(second);
    const item = this.isConfirming ? this.items.get(first) : undefined;
    if (!item) return textReply('Not Found', 404);
    return { bytes: item.data, headers: { 'content-type': 'application/json' } };
  }

  private newAnchor(): string {
    const anchor = createHash('sha384')
      .update(String(this.anchors.size + performance.now()))
      .digest('base64url');
    this.anchors.add(anchor);
    return anchor;
  }

  /** The one query of `verify-archive`. */
  private answerSearch(request: StandInRequest): StandInReply {
    const { variables } = JSON.parse(request.body) as { variables: { id: string } };
    const item = this.items.get(variables.id);
    if (!item) return jsonReply({ data: { transaction: null } });
    const { signature, owner, tags } = item;
    return jsonReply({ data: { transaction: { signature, anchor: '', recipient: '', owner: { key: owner }, tags } } });
  }

  private statusOf(id: string): StandInReply {
    if (!this.transactions.get(id)?.isComplete) return textReply('Not Found.', 404);
    return this.isConfirming ? jsonReply({ block_height: 1, number_of_confirmations: 1 }) : textReply('Pending', 202);
  }

  private async takeTransaction(request: StandInRequest): Promise<StandInReply> {
    const json = JSON.parse(request.body) as WireTransaction;
    if (this.transactions.has(json.id)) return textReply('Transaction already processed.', 208);
    if (!this.anchors.has(json.last_tx)) return jsonReply({ error: 'tx_bad_anchor' }, 400);
    const data = json.data === '' ? null : Buffer.from(json.data, 'base64url');
    try {
      await checkTransaction(json, data);
      assertBundleTags(json);
      if (data) await readBundle(data);
    } catch (error) {
      return this.refuse(error);
    }
    if (this.isLosing()) return textReply('OK');
    const transaction = { json, chunks: new Map<number, Buffer>(), isComplete: false };
    this.transactions.set(json.id, transaction);
    if (data) await this.complete(transaction, data);
    return textReply('OK');
  }

  private async takeChunk(request: StandInRequest): Promise<StandInReply> {
    const chunk = JSON.parse(request.body) as Record<string, string>;
    const transaction = [...this.transactions.values()].find(({ json }) => json.data_root === chunk.data_root);
    if (!transaction) return jsonReply({ error: 'data_root_not_found' }, 400);
    try {
      const { start, bytes } = await placeOfChunk(chunk);
      transaction.chunks.set(start, bytes);
      const parts = [...transaction.chunks].sort(([one], [other]) => one - other).map(([, part]) => part);
      const data = Buffer.concat(parts);
      if (data.length === Number(transaction.json.data_size)) await this.complete(transaction, data);
      return textReply('OK');
    } catch (error) {
      return this.refuse(error);
    }
  }

  private async complete(transaction: SentTransaction, data: Buffer): Promise<void> {
    if (transaction.isComplete) return;
    await checkTransaction(transaction.json, data);
    for (const item of await readBundle(data)) this.keep(item);
    transaction.isComplete = true;
  }

  /** What the upload service answers where nothing is wrong. */
  async answerUpload(request: StandInRequest): Promise<StandInReply> {
    if (request.method !== 'POST' || request.path !== '/v1/tx') return textReply('Not Found', 404);
    if (request.headers['content-type'] !== 'application/octet-stream') return textReply('Invalid Content Type', 400);
    try {
      const item = await readDataItem(request.bytes);
      if (this.items.has(item.id)) return textReply('', 202);
      if (!this.isLosing()) this.keep(item);
      return jsonReply({ id: item.id, owner: item.owner, timestamp: Date.now() });
    } catch (error) {
      return this.refuse(error);
    }
  }

  private keep(item: ReadItem): void {
    this.items.set(item.id, item);
    this.timesTaken.set(item.id, (this.timesTaken.get(item.id) ?? 0) + 1);
  }

  private isLosing(): boolean {
    if (this.toLose === 0) return false;
    this.toLose -= 1;
    return true;
  }

  private refuse(error: unknown): StandInReply {
    this.complaints.push((error as Error).message);
    return jsonReply({ error: (error as Error).message }, 400);
  }
}

/** ANS-104 1.1: without these two tags nobody looks into the data. */
function assertBundleTags({ tags }: WireTransaction): void {
  const decoded = tags.map(({ name, value }) =>
    [name, value].map((text) => Buffer.from(text, 'base64url').toString()).join(': '),
  );
  for (const tag of ['Bundle-Format: binary', 'Bundle-Version: 2.0.0']) {
    if (!decoded.includes(tag)) throw new Error(`the transaction has no tag ${tag}`);
  }
}
