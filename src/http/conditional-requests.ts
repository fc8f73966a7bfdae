import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Seconds for which a page may be used that nothing but a late `archive_id`, the length of its chain or an erasure can
 * change. Not longer, so that a text that was erased is soon gone from caches, too.
 */
const PAGE_SECONDS = 60;

/**
 * Conditional requests (RFC 9110, 13): every answer to a GET, but for streams, has a strong ETag, and is not sent again
 * to a client that has it: the hash of its body, where the route does not name one. Unless the route says otherwise an
 * answer may be stored but has to be asked for each time: all of them can change at any moment. Errors are never
 * stored.
 */
export function answerConditionally(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (reply.statusCode >= 400) {
      forbidCaching(reply);
      return done();
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return done();
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-cache');
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (reply.statusCode !== 200 || !isWhole) return done();
    const named = reply.getHeader('ETag');
    const etag = typeof named === 'string' ? named : `"${hash('sha1', payload, 'base64')}"`;
    reply.header('ETag', etag);
    if (!hasSeen(request, etag)) return done();
    reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length');
    done(null, null);
  });
}

/** Forbids caches to keep an error, which describes this moment only, even on a route whose pages may be kept. */
export function forbidCaching(reply: FastifyReply): void {
  void reply.header('Cache-Control', 'no-store').removeHeader('ETag');
}

/** Lets caches keep a page that will hardly change: it lags by up to a minute. */
export function allowCaching(reply: FastifyReply): void {
  void reply.header('Cache-Control', `max-age=${PAGE_SECONDS}`);
}

/** `If-None-Match` holds a list of tags or `*`; a tag that a cache on the way weakened still counts. */
function hasSeen(request: FastifyRequest, etag: string): boolean {
  const seen = request.headers['if-none-match'];
  if (seen === undefined) return false;
  return seen.trim() === '*' || seen.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
