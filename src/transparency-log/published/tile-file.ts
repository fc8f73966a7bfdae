import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tilePath, type TilePath } from '@signet/verify/internal/log';

/** Notes and proofs are text (C2SP signed-note). */
export const NOTE_TYPE = 'text/plain; charset=utf-8';
/** Of JSON that is answered as bytes. */
export const JSON_TYPE = 'application/json; charset=utf-8';
/** Not longer than the least time between two tree heads. */
export const CHECKPOINT_CACHING = 'public, max-age=1';
export const TILE_TYPE = 'application/octet-stream';
/** A tile of a given width never changes; caches need never ask again (C2SP tlog-tiles). */
const TILE_CACHING = 'public, max-age=31536000, immutable';
/** Characters of the hash of an origin that distinguish logs: 72 bits. */
const TAG_LENGTH = 12;

/** A tile or bundle as it is answered. */
export interface TileFile {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

/**
 * A tile or bundle of the log `origin`, as it is answered. Content that never changes needs no hash: its name will do.
 */
export function tileFile(origin: string, path: TilePath, body: Buffer): TileFile {
  const tag = hash('sha256', origin, 'base64url').slice(0, TAG_LENGTH);
  return {
    body,
    headers: {
      'content-type': TILE_TYPE,
      'cache-control': TILE_CACHING,
      etag: `"${tag}/${tilePath(path)}"`,
      // Hashes cannot be compressed.
      ...(path.level === 'entries' && { vary: 'Accept-Encoding' }),
    },
  };
}

const compress = promisify(gzip);

/** A bundle as it is answered to clients that accept gzip. Node compresses on a thread of its own. */
export async function zippedFile({ body, headers }: TileFile): Promise<TileFile> {
  const etag = headers['etag']!.replace(/"$/, '.gzip"');
  return { body: await compress(body), headers: { ...headers, etag, 'content-encoding': 'gzip' } };
}
