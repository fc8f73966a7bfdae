import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { WebFailure } from '../web/web-failure.js';

/**
 * Reads a body to its end. `maxBytes` counts bytes after decompression while they stream, so that neither a false
 * Content-Length nor a small body that inflates to a huge one exceeds it. Only gzip was offered; any other coding, or
 * several on top of each other, is refused.
 * @param encoding the Content-Encoding header, `''` if there is none
 * @param onPiece called for every piece that arrives
 * @throws WebFailure `too_large` or `unusable`; errors of the stream pass unchanged
 */
export async function readBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
  onPiece: () => void,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  const watch = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      onPiece();
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw new WebFailure('too_large', `the body is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  };

  const coding = encoding.trim().toLowerCase();
  if (coding === '' || coding === 'identity') await pipeline(body, watch, collect);
  else if (coding === 'gzip' || coding === 'x-gzip') await pipeline(body, watch, createGunzip(), collect);
  else {
    body.on('error', () => undefined).destroy();
    throw new WebFailure('unusable', 'the content coding was not offered');
  }
  return Buffer.concat(chunks, size);
}
