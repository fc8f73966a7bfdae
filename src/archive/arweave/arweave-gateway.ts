import { PlatformUnavailableError, type WebReply, type WebRequest } from '@signet/look';
import type { WebClient } from '../../outbound/web-client.js';
import { ArchiveRefusedError, type TransactionStatus } from '../archive-store.js';

/** What budgets and circuits of the web client call a gateway. */
export const GATEWAY = 'arweave';
/** Base64url of 32 bytes, or of 48 for the hash of a block, which is what gateways give as an anchor. */
const ANCHOR = /^[A-Za-z0-9_-]{43,64}$/;
const WINSTON = /^\d{1,30}$/;
/** Longer than any answer that is not a document. */
const SHORT_REPLY_BYTES = 64 * 1024;

/**
 * The HTTP interface of an Arweave gateway or node. Every method throws PlatformUnavailableError where no usable answer
 * came.
 */
export class ArweaveGateway {
  private readonly base: string;

  /** @param baseUrl ARWEAVE_GATEWAY_URL, with or without a slash at its end */
  constructor(
    private readonly web: WebClient,
    baseUrl: string,
  ) {
    this.base = baseUrl.replace(/\/+$/, '');
  }

  /**
   * What a new transaction names, so that it can be mined only now: it ages within about 50 blocks, less than two
   * hours.
   */
  async anchor(): Promise<string> {
    return this.word('/tx_anchor', ANCHOR);
  }

  /** Price in winston (10^-12 AR) of storing this many bytes. */
  async price(bytes: number): Promise<string> {
    return this.word(`/price/${bytes}`, WINSTON);
  }

  /** In winston. */
  async balance(address: string): Promise<bigint> {
    return BigInt(await this.word(`/wallet/${address}/balance`, WINSTON));
  }

  /** @throws ArchiveRefusedError for an answer other than 2xx */
  async postTransaction(transaction: object): Promise<void> {
    assertTaken(await this.postJson('/tx', transaction), 'The gateway');
  }

  /**
   * A chunk that is refused is one to send again: the node may not have heard of its transaction, or have no space for
   * it yet.
   */
  async postChunk(chunk: object): Promise<void> {
    const { status } = await this.postJson('/chunk', chunk);
    if (status !== 200) throw new PlatformUnavailableError(`The gateway answered ${status} to a chunk.`);
  }

  /** Whether a transaction is in a block (`confirmed`), waits for one, or is unknown. */
  async status(transactionId: string): Promise<TransactionStatus> {
    const reply = await this.web.send(this.request(`${this.base}/tx/${transactionId}/status`));
    assertAnswers(reply, 'The gateway');
    if (reply.status === 200) return 'confirmed';
    return reply.status === 202 ? 'pending' : 'unknown';
  }

  /**
   * The bytes behind an id, wherever the gateway leads; null if it does not have them (yet), or has more than
   * `maxBytes`.
   */
  async document(id: string, maxBytes: number): Promise<Uint8Array | null> {
    const limit = Math.max(maxBytes, SHORT_REPLY_BYTES);
    const reply = await this.web.sendFollowing(this.request(`${this.base}/${id}`, { maxBytes: limit }));
    assertAnswers(reply, 'The gateway');
    return reply.status === 200 && reply.body.length <= maxBytes ? reply.body : null;
  }

  private async word(path: string, pattern: RegExp): Promise<string> {
    const reply = await this.web.send(this.request(this.base + path));
    const text = Buffer.from(reply.body).toString('latin1').trim();
    if (reply.status === 200 && pattern.test(text)) return text;
    throw new PlatformUnavailableError(
      `The gateway answered ${path.split('/')[1]} with ${reply.status} and no usable text.`,
    );
  }

  private async postJson(path: string, body: object): Promise<WebReply> {
    const headers = { 'content-type': 'application/json' };
    return this.web.send(this.request(this.base + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  private request(url: string, more: Partial<WebRequest> = {}): WebRequest {
    return { url, trust: 'operator', platform: GATEWAY, maxBytes: SHORT_REPLY_BYTES, ...more };
  }
}

/**
 * @throws PlatformUnavailableError for an answer that says nothing about what was asked: too many requests, or a
 * failure.
 */
function assertAnswers({ status }: WebReply, who: string): void {
  if (status === 429 || status >= 500) throw new PlatformUnavailableError(`${who} answered ${status}.`);
}

/** @throws PlatformUnavailableError as above, ArchiveRefusedError for any other answer that is not 2xx. */
export function assertTaken(reply: WebReply, who: string): void {
  assertAnswers(reply, who);
  if (reply.status < 200 || reply.status > 299) throw new ArchiveRefusedError(`${who} answered ${reply.status}.`);
}
