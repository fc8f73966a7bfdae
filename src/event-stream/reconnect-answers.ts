import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Refusals that pass by themselves: too many requests or streams, or a server or database that is away shortly. */
const PASSING = [429, 503];
const DEFAULT_RETRY_SECONDS = 5;

/**
 * Answers a reconnect of a stream that would be refused for a moment with 200, a `retry:` field and the end of the
 * stream. WHATWG HTML ("Server-sent events", 9.2.3) makes an `EventSource` give up for good on any other status, so a
 * browser would miss all that follows. A client that opens a stream for the first time gets the full refusal.
 */
export function answerReconnects(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (!PASSING.includes(reply.statusCode) || !isReconnect(request)) return done(null, payload);
    const text = `retry: ${retrySecondsOf(reply) * 1000}\n\n`;
    void reply
      .code(200)
      .removeHeader('Content-Length')
      .header('Content-Type', 'text/event-stream; charset=utf-8')
      .header('Cache-Control', 'no-store');
    done(null, text);
  });
}

/** The header is sent only by a client that has received an id before. */
function isReconnect(request: FastifyRequest): boolean {
  return request.routeOptions.url === '/v1/events' && Boolean(request.headers['last-event-id']);
}

function retrySecondsOf(reply: FastifyReply): number {
  return Number(reply.getHeader('Retry-After')) || DEFAULT_RETRY_SECONDS;
}
