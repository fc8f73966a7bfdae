import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';

/** Bytes that are read of a body that is not used; after that the connection is closed while the client writes. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 5000;

/**
 * Reads and drops the rest of a request's body before its answer is sent, up to a limit. Most clients read no answer
 * while they write: if the connection closes in the middle of the body, they see a broken connection instead of the
 * answer (RFC 9112, 9.6). This concerns every answer that is given before the body was read: too large, too many
 * requests, overloaded.
 */
export function readUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ raw }, _reply, _payload, done) => {
    if (!hasUnreadBody(raw)) return done();
    void drop(raw).then(() => done());
  });
}

function hasUnreadBody({ complete, headers, destroyed }: IncomingMessage): boolean {
  if (complete || destroyed) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Resolves when the body has ended, or has reached a limit of bytes or time. */
function drop(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) finish();
    };
    const finish = (): void => {
      clearTimeout(timer);
      request.off('data', count).off('end', finish).off('close', finish);
      resolve();
    };
    const timer = setTimeout(finish, MAX_MS);
    request.on('data', count).on('end', finish).on('close', finish).resume();
  });
}
