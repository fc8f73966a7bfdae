import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { InvalidRequestError } from '@signet/look';
import type { Environment } from '../../config/environment.js';
import { bodyParser } from './body-parser.js';
import { trustedProxies } from './client-address.js';
import { answerConditionally } from '../conditional-requests.js';
import { answerParserError, answerUnknownRequests, MAX_HEADER_BYTES } from './connection-errors.js';
import { codeOfStatus, MAX_BODY_BYTES } from '../error-body.js';
import { answerPreflights, CROSS_ORIGIN_HEADERS } from '../cross-origin.js';
import { PATH_OPTIONS } from './known-paths.js';
import { GracefulClose } from './graceful-close.js';
import { hostProblem } from './host-field.js';
import { traitsOf } from './served-as.js';
import { SECURITY_HEADERS } from '../security-headers.js';
import { writeJson } from '../stored-json.js';
import { readUnreadBodies } from './unread-body.js';

/**
 * Milliseconds in which the headers of a request must arrive. For the first request they count from the opening of the
 * connection.
 */
const HEADERS_TIMEOUT_MS = 10_000;
/** Milliseconds in which a request must have arrived whole. */
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * How often Node checks for late connections; its default of 30 seconds would make the times above up to four times as
 * long.
 */
const CONNECTION_CHECK_MS = 2000;

/**
 * Fastify as docs/design/decisions.md 4 has it: one shape for every error, any Content-Type read as JSON, forgiving
 * slashes.
 */
export function createFastifyAdapter(environment: Environment): FastifyAdapter {
  const adapter = new FastifyAdapter({
    routerOptions: PATH_OPTIONS,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node's own refusal has no body; ours is below.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
    },
    trustProxy: trustedProxies(environment.TRUST_PROXY),
    genReqId: requestIdOf,
    clientErrorHandler: answerParserError,
    frameworkErrors: answerFrameworkError,
    // While the server stops, requests on open connections are answered as usual.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  const fastify = adapter.getInstance();
  answerConditionally(fastify);
  readUnreadBodies(fastify);
  answerUnknownRequests(fastify.server);
  const gracefulClose = new GracefulClose(fastify.server);
  fastify.decorate('gracefulClose', gracefulClose);
  fastify.addHook('preClose', (done) => {
    gracefulClose.finish();
    done();
  });
  const addHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(COMMON_HEADERS).header(REQUEST_ID_HEADER, request.id);
  fastify.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply);
    const problem = hostProblem(request.raw);
    done(problem === null ? undefined : new InvalidRequestError(problem));
  });
  answerPreflights(fastify);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // Answers of Nest's adapter come before any hook of ours.
    if (!reply.hasHeader(REQUEST_ID_HEADER)) addHeaders(request, reply);
    if (!gracefulClose.isClosing) return done(null, payload);
    void reply.header('Connection', 'close');
    void gracefulClose.mayAnswer().then(() => done(null, payload));
  });
  // Fastify answers 415 to a Content-Type that it cannot read, before it looks for a parser; this service ignores the
  // type.
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    const { 'content-type': type } = headers;
    if (type !== undefined) headers['content-type'] = isLatin1(type) ? LATIN1_TYPE : 'application/json';
    done();
  });
  fastify.setReplySerializer(writeJson);
  const parse = bodyParser(environment);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    // Many clients name a type for a body that a DELETE does not have.
    if (request.method === 'DELETE' && body.length === 0) return done(null, undefined);
    const charset = request.headers['content-type'] === LATIN1_TYPE ? 'latin1' : 'utf8';
    try {
      done(null, traitsOf(request).hasRawBody ? body : parse(body as Buffer, charset));
    } catch (error) {
      done(error as Error);
    }
  });
  return adapter;
}

/** Headers of every answer. */
const COMMON_HEADERS = { ...SECURITY_HEADERS, ...CROSS_ORIGIN_HEADERS };

/** The header in which a proxy may name a request, and in which every answer names it. */
const REQUEST_ID_HEADER = 'x-request-id';
/** Letters, digits and `.`, `_`, `-`: nothing that could break a line of the log or a header. */
const REQUEST_ID = /^[\w.-]{8,128}$/;

/** The id that came with the request, if it is well-formed, otherwise a new one. */
function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

const LATIN1_TYPE = 'application/json; charset=iso-8859-1';

/** Whether the body is stated to be ISO-8859-1, which some Java clients send; any other charset is read as UTF-8. */
function isLatin1(contentType: string): boolean {
  return /;\s*charset\s*=\s*"?iso-8859-1"?\s*(;|$)/i.test(contentType.slice(0, 256));
}

/** Errors of Fastify before any route is known, such as a path that cannot be decoded. */
function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 400;
  const message = status === 414 ? 'The path is too long.' : 'The path cannot be decoded.';
  void reply
    .status(status)
    .headers(COMMON_HEADERS)
    .header(REQUEST_ID_HEADER, request.id)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({ message, code: codeOfStatus(status) });
}
