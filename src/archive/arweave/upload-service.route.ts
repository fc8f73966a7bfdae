import { PlatformUnavailableError } from '@signet/look';
import { chunksOf } from '../../domain/lists.js';
import type { WebClient } from '../../outbound/web-client.js';
import {
  ArchiveRefusedError,
  type ArchiveRoute,
  type SignedDocument,
  type TransactionStatus,
} from '../archive-store.js';
import { assertTaken } from './arweave-gateway.js';

/** What budgets and circuits of the web client call the service. */
export const UPLOAD_SERVICE = 'arweave-upload';
/** Requests at the same time; the web client gives a host six. */
const TOGETHER = 4;

/**
 * Sends data items to an upload service (Turbo: POST /v1/tx), which bundles them with others and pays the network. The
 * service cannot change an item, because items are signed. It accepts an item again that it already has.
 */
export class UploadServiceRoute implements ArchiveRoute {
  readonly isPaying = false;

  /** @param url ARWEAVE_UPLOAD_URL: the address that takes data items, complete */
  constructor(
    private readonly web: WebClient,
    private readonly url: string,
  ) {}

  async pack(): Promise<string> {
    return '';
  }

  async send(
    items: SignedDocument[],
    _transaction: string,
    progress: (accepted: string[]) => Promise<void>,
  ): Promise<void> {
    let refusal: ArchiveRefusedError | undefined;
    for (const group of chunksOf(items, TOGETHER)) {
      const results = await Promise.all(group.map((item) => this.post(item).catch((error: Error) => error)));
      await progress(group.filter((_, index) => results[index] === undefined).map(({ id }) => id));
      const errors = results.filter((result) => result instanceof Error);
      // One item that is refused does not hold up the others; a service that is away has no answer for them either.
      const failure = errors.find((error) => !(error instanceof ArchiveRefusedError));
      if (failure) throw failure;
      refusal ??= errors[0] as ArchiveRefusedError | undefined;
    }
    if (refusal) throw refusal;
  }

  /** The service reports nothing until the gateway serves the items. */
  async status(): Promise<TransactionStatus> {
    return 'confirmed';
  }

  private async post({ id, bytes }: SignedDocument): Promise<void> {
    const headers = { 'content-type': 'application/octet-stream' };
    const { url } = this;
    const request = { url, trust: 'operator', platform: UPLOAD_SERVICE, method: 'POST', headers, body: bytes } as const;
    const reply = await this.web.send(request);
    assertTaken(reply, 'The upload service');
    const named = idIn(reply.body);
    if (named !== undefined && named !== id) {
      throw new PlatformUnavailableError('The upload service took an item under another id than its own.');
    }
  }
}

/** The id that a receipt names, where the answer is a receipt. */
function idIn(body: Uint8Array): unknown {
  try {
    return (Object(JSON.parse(Buffer.from(body).toString('utf8'))) as { id?: unknown }).id;
  } catch {
    return undefined;
  }
}
