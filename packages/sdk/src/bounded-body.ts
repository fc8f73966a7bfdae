/**
 * Reading the answers of a server that may be hostile. Without a promise: for the packages of Signet alone, as
 * `@signet/sdk/internal`, which may change in any version.
 */
import { SignetError } from './errors.js';

/**
 * The body of an answer, which is not read on when it is longer than `maxBytes` after decompression: neither a false
 * Content-Length nor a compressed body makes it longer.
 * @throws SignetError (`answer_too_large`); what the body itself fails with, such as the reason of an aborted signal
 */
export async function readBody(
  response: Pick<Response, 'body' | 'arrayBuffer'>,
  maxBytes: number,
  baseUrl: string,
  refusal = tooLarge(baseUrl, maxBytes),
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  // Answers without a body have none, and the fetch of React Native has no streams.
  if (!reader) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > maxBytes) throw refusal;
    return bytes;
  }
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > maxBytes) {
      // Closes the connection; a failure of that changes nothing.
      void reader.cancel().catch(() => undefined);
      throw refusal;
    }
    pieces.push(part.value);
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** The error for what is longer than a server of Signet answers. */
export function tooLarge(baseUrl: string, maxBytes: number, what = 'The answer'): SignetError {
  const [size, unit] = maxBytes < 1 << 20 ? [maxBytes / 1024, 'KiB'] : [maxBytes / (1 << 20), 'MiB'];
  const message = `${what} of ${baseUrl} is longer than ${Number(size.toFixed(1))} ${unit}, and was not read on.`;
  return new SignetError(message, { code: 'answer_too_large', status: 200 });
}
