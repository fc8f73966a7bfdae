/** Receivers of webhooks for the frameworks of JavaScript: each answers what the sender of a webhook expects. */
import { demandFunctions } from '../checks.js';
import { SignetError, WrongUsageError } from '../errors.js';
import { demandMethods } from '../writes/given-to.js';
import { type FactHandler, type HandlerOptions, InOrder } from './in-order.js';
import type { NodeRequest } from './raw-body.js';
import type { Webhook, WebhookRequest } from './webhook.js';

export type { NodeRequest } from './raw-body.js';

/** The part of a response of Node that is used. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: string): unknown;
}

/** The third argument of a handler of Express. */
export type NextFunction = (error?: unknown) => void;

/** Called with what the handler of an app threw. */
export type ErrorHandler = (error: unknown) => void;

/** An answer: 204 for what was handled or dropped, 4xx with a reason for what is not genuine. */
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

const DONE: Answer = { status: 204, headers: {}, body: null };

/**
 * A handler of fetch requests: a route of Next.js, Hono, Remix, Bun, Deno or a worker. It verifies each request,
 * handles each fact once and in order, and answers 204; a request that is not genuine gets 401, and a long one 413.
 *
 *     export const POST = fetchHandler(new Webhook(process.env.WEBHOOK_SECRET), async (fact) => { … });
 *
 * The handler throws what `onFact` throws; frameworks answer 500 then, and the server sends the fact again.
 */
export function fetchHandler(
  webhook: Webhook,
  onFact: FactHandler,
  options?: HandlerOptions,
): (request: Request) => Promise<Response> {
  const answer = answerer(webhook, onFact, options);
  return async (request) => {
    const { status, headers, body } = await answer(request, request.method);
    return new Response(body, { status, headers });
  };
}

/**
 * A listener of `createServer` of Node, which does what `fetchHandler` does. Where `onFact` throws, it answers 500, and
 * the server sends the fact again; `onError` gets the error, which is logged when absent.
 */
export function nodeHandler(
  webhook: Webhook,
  onFact: FactHandler,
  { onError = logError, ...options }: HandlerOptions & { onError?: ErrorHandler | undefined } = {},
): (request: NodeRequest, response: NodeResponse) => void {
  demandFunctions({ onError }, 'onError');
  const answer = answerer(webhook, onFact, options);
  return (request, response) => {
    answer(request, request.method)
      .catch((error: unknown) => {
        onError(error);
        return { status: 500, headers: {}, body: null };
      })
      .then((answered) => send(response, answered), onError);
  };
}

/**
 * A handler of Express, which does what `fetchHandler` does. Mount it before `express.json()`, or behind
 * `express.raw({ type: '*\/*' })`: the signature is over the body as it came. What `onFact` throws goes to `next`.
 *
 *     app.post('/signet', expressHandler(new Webhook(process.env.WEBHOOK_SECRET), async (fact) => { … }));
 */
export function expressHandler(
  webhook: Webhook,
  onFact: FactHandler,
  options?: HandlerOptions,
): (request: NodeRequest, response: NodeResponse, next: NextFunction) => void {
  const answer = answerer(webhook, onFact, options);
  return (request, response, next) => {
    answer(request, request.method).then((answered) => send(response, answered), next);
  };
}

function answerer(webhook: Webhook, onFact: FactHandler, options: HandlerOptions | undefined) {
  if (typeof webhook?.verify !== 'function' || typeof onFact !== 'function') {
    throw new WrongUsageError('A handler takes a Webhook, and a function that is called with each fact.');
  }
  demandMethods('store', options?.store, ['get', 'set']);
  const inOrder = new InOrder(onFact, options);
  return async (request: WebhookRequest, method: string | undefined): Promise<Answer> => {
    if (method !== 'POST') return refused(405, 'Webhooks are sent by POST.', 'method_not_allowed', { allow: 'POST' });
    let fact;
    try {
      fact = await webhook.verify(request);
    } catch (error) {
      // A wrong use is the fault of the app, and a broken connection has nobody to answer.
      if (!(error instanceof SignetError) || error instanceof WrongUsageError) throw error;
      const isLong = error.code === 'body_too_large';
      return refused(isLong ? 413 : 401, error.message, error.code, isLong ? { connection: 'close' } : {});
    }
    await inOrder.handle(fact);
    return DONE;
  };
}

function refused(status: number, message: string, code: string, headers: Record<string, string>): Answer {
  const type = { 'content-type': 'application/json' };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify({ message, code }) };
}

function send(response: NodeResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body ?? undefined);
}

function logError(error: unknown): void {
  console.error('A webhook of Signet was not handled:', error);
}
