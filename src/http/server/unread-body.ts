import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';

/** What is read on of a body that nobody wants; then the connection is closed under the writer. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 5000;

/**
 * Reads and drops the rest of a request's body before its answer is sent, up to a bound. Most clients read no answer
 * while they write, and one that is answered and cut off in the middle of its body sees a broken connection instead of
 * the answer (RFC 9112, 9.6). This concerns every answer that is given before the body was read: too large, too many
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

/** Resolves when the body has ended, or is not worth any more patience. */
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
