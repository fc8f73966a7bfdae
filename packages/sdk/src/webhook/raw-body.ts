/** Reading the raw bodies of requests, which are what is signed, up to a bound. */
import { readBody } from '../bounded-body.js';
import { InvalidRequestError, WrongUsageError } from '../errors.js';

/** The part of a request of Node that is used; `body` is what a framework has read already. */
export interface NodeRequest {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
  readableDidRead?: boolean;
  on(event: 'data', listener: (part: Uint8Array) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(): unknown;
}

/** The raw body of a request of fetch. @throws InvalidRequestError (`body_too_large`) */
export async function readFetchBody(request: Request, maxBytes: number): Promise<string> {
  if (request.bodyUsed) throw bodyIsGone();
  const bytes = await readBody(request, maxBytes, '', tooLong(maxBytes));
  return textOf(bytes);
}

/**
 * The raw body of a request of Node: what a parser of raw bodies has left in `body`, or else the stream.
 * @throws InvalidRequestError (`body_too_large`); WrongUsageError where something has parsed the body before; Error
 *   where the connection breaks
 */
export function readNodeBody(request: NodeRequest, maxBytes: number): Promise<string> {
  const { body, headers } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) return Promise.resolve(textOf(body, maxBytes));
  if (request.readableDidRead) return Promise.reject(bodyIsGone());
  if (Number(headers['content-length']) > maxBytes) return Promise.reject(tooLong(maxBytes));
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    let [text, size] = ['', 0];
    request.on('data', (part) => {
      size += part.length;
      if (size <= maxBytes) {
        text += decoder.decode(part, { stream: true });
        return;
      }
      request.pause();
      reject(tooLong(maxBytes));
    });
    request.on('end', () => resolve(text + decoder.decode()));
    request.on('error', reject);
    // Behind `end` this changes nothing.
    request.on('close', () => reject(new Error('The connection ended within the body.')));
  });
}

/** A body that is there already. @throws InvalidRequestError (`body_too_large`) */
export function textOf(body: string | Uint8Array, maxBytes = Infinity): string {
  if (body.length > maxBytes) throw tooLong(maxBytes);
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

function tooLong(maxBytes: number): InvalidRequestError {
  const facts = { code: 'body_too_large', status: 413 } as const;
  return new InvalidRequestError(`The body of a webhook has at most ${maxBytes} bytes.`, facts);
}

function bodyIsGone(): WrongUsageError {
  return new WrongUsageError(
    'The body was read before, and the signature is over its exact text: verify the webhook before anything parses it, such as express.json().',
  );
}
