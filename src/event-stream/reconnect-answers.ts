import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What passes by itself: too many requests or streams, and a server or database that cannot serve for a moment. */
const PASSING = [429, 503];
const DEFAULT_RETRY_SECONDS = 5;

/**
 * Answers a stream that is opened again, by 200, a `retry:` field and its end where it would be refused for a moment.
 * WHATWG HTML ("Server-sent events", 9.2.3) makes an `EventSource` give up for good on any other status, so a browser
 * would miss all that follows. Whoever opens a stream for the first time is told in full why it is refused.
 */
export function keepReconnectsAlive(fastify: FastifyInstance): void {
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
