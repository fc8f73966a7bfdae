import { isWebhookSecret, verifyWebhook } from '@signet/verify';
import { demandNumbers, givenTo } from '../writes/given-to.js';
import { VerificationError, WrongUsageError } from '../errors.js';
import { factIn, type WebhookFact } from './facts.js';
import { type NodeRequest, readFetchBody, readNodeBody, textOf } from './raw-body.js';

/** A request as frameworks have it: of fetch, of Node with its stream, or headers and the raw body. */
export type WebhookRequest =
  | Request
  | NodeRequest
  | { headers: Headers | Record<string, string | string[] | undefined>; body: string | Uint8Array };

/** How webhooks are verified. */
export interface WebhookOptions {
  /** Bytes of a body that are read; 65,536 when absent. A server of Signet sends some hundred. */
  maxBytes?: number | undefined;
  /** Seconds by which the clocks of sender and receiver may be apart, so how old a replay may be; 300 when absent. */
  toleranceSeconds?: number | undefined;
}

const MAX_BYTES = 65_536;

/**
 * Verifies the webhooks of one subscription (Standard Webhooks, symmetric signatures).
 *
 *     const webhook = new Webhook(process.env.WEBHOOK_SECRET);
 *     const fact = await webhook.verify(request);
 *     if (fact.type === 'proof.revoked') forget(fact.data.avatar);
 */
export class Webhook {
  readonly #secret: string;
  readonly #maxBytes: number;
  readonly #toleranceSeconds: number | undefined;

  /**
   * `secret` is what the operator got when the subscription was made: `whsec_…`.
   * @throws WrongUsageError for any other text, which it does not repeat
   */
  constructor(secret: string | undefined, { maxBytes = MAX_BYTES, toleranceSeconds }: WebhookOptions = {}) {
    if (typeof secret !== 'string' || !isWebhookSecret(secret)) {
      throw new WrongUsageError('secret has to be that of the subscription: whsec_ and the Base64 of 24 to 64 bytes.');
    }
    demandNumbers({ maxBytes, toleranceSeconds });
    this.#secret = secret;
    this.#maxBytes = maxBytes;
    this.#toleranceSeconds = toleranceSeconds;
  }

  /**
   * What a request says, if it was signed with the secret just now. Its raw body is read up to a bound, and not at all
   * where the headers alone show that it is not genuine.
   * @throws VerificationError, with the steps of the check, for a request that is not genuine; InvalidRequestError
   *   (`body_too_large`); WrongUsageError where something has parsed the body before
   */
  async verify(request: WebhookRequest): Promise<WebhookFact> {
    const headers = plain(givenTo('verify', request).headers);
    this.#check(headers, '', ['headers', 'time']);
    const body = await this.#bodyOf(request);
    this.#check(headers, body);
    const fact = factIn(headers['webhook-id']!, body);
    if (fact) return fact;
    const detail = 'It was signed with this secret, and its body is no event.';
    throw new VerificationError(detail, [{ name: 'body', state: 'failed', detail }]);
  }

  #check(headers: Record<string, string>, body: string, names?: string[]): void {
    const options = { now: Date.now() / 1000, toleranceSeconds: this.#toleranceSeconds };
    const { steps } = verifyWebhook(this.#secret, headers, body, definedOnly(options));
    const failed = steps.find(({ name, state }) => state === 'failed' && (names?.includes(name) ?? true));
    if (failed) throw new VerificationError(`The webhook is not genuine. ${failed.detail}`, steps);
  }

  #bodyOf(request: WebhookRequest): Promise<string> | string {
    if ('arrayBuffer' in request) return readFetchBody(request, this.#maxBytes);
    if ('on' in request) return readNodeBody(request, this.#maxBytes);
    return textOf(request.body, this.#maxBytes);
  }
}

/** `toleranceSeconds` is absent, not undefined, where the default is meant. */
function definedOnly({ now, toleranceSeconds }: { now: number; toleranceSeconds: number | undefined }) {
  return toleranceSeconds === undefined ? { now } : { now, toleranceSeconds };
}

/** Headers by their lowercase names. One that is there several times is none of a webhook. */
function plain(headers: WebhookRequest['headers']): Record<string, string> {
  const entries = typeof headers.get === 'function' ? [...(headers as Headers)] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  );
}
