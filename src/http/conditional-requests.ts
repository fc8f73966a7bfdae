import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Seconds for which a cache may use a settled page. Only a late `archive_id`, the length of the chain or an erasure can
 * still change it. The time is short so that an erased text soon leaves the caches.
 */
const PAGE_SECONDS = 60;

/**
 * Conditional requests (RFC 9110, 13). Every answer to a GET has a strong ETag, except a stream; the ETag is the hash
 * of the body unless the route names one. A client that already has the answer gets a 304 without it. Unless the route
 * says otherwise, a cache may store an answer but has to ask each time, because any answer can change at any moment.
 * Errors are never stored.
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
    // Fastify takes the body of a HEAD away itself, and reads the length of it first.
    if (request.method === 'HEAD') done();
    else done(null, null);
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
