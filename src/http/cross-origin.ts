import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser may remember that cross-origin calls are allowed. */
const MAX_AGE_SECONDS = 24 * 3600;

/**
 * Headers of every answer by which scripts of any site may read it (Fetch Standard, "HTTP extensions": CORS protocol),
 * and some of its headers besides. Names in small letters, as Fastify keeps them.
 */
export const CROSS_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy',
};

/**
 * Answers OPTIONS for every path by 204, to a browser that asks before a cross-origin call (a preflight) and to anybody
 * else. What is allowed is the same everywhere; the headers that a browser wants to send are all allowed.
 *
 * Choice: not `@fastify/cors`, which makes the headers anew for each request, and whose headers the adapter of Nest
 * copies to the response of Node, where each of them then is checked and stored a second time: 7 % of a payload.
 */
export function answerPreflights(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') return done();
    const wanted = request.headers['access-control-request-headers'];
    if (wanted !== undefined) void reply.header('access-control-allow-headers', wanted);
    void reply
      .code(204)
      .headers({
        vary: 'Access-Control-Request-Headers',
        'access-control-allow-methods': 'GET,HEAD,POST',
        'access-control-max-age': String(MAX_AGE_SECONDS),
        'content-length': '0',
      })
      .send();
  });
}
