import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Environment } from '../config/environment.js';
import { outlineOf } from '../crypto/json-outline.js';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { trustedProxies } from './client-address.js';
import { answerConditionally } from './conditional-requests.js';
import { codeOfStatus } from './error-body.js';
import { watchConnections } from './prompt-close.js';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** A KV patch is at most 64 KiB as canonical JSON; escapes can make it six times that on the wire. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Request line and headers together. The longest query we take is 12 KiB. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Far above every limit of ours, far below what overflows a recursive walk; a patch has a tighter one. */
const MAX_BODY_DEPTH = 600;
/** What the other members of a body with a patch may hold. */
const VALUES_BESIDE_PATCH = 1000;
/**
 * Milliseconds in which the headers of a request must have arrived, the first ones counted from the moment of the
 * connection.
 */
const HEADERS_TIMEOUT_MS = 10_000;
/** Milliseconds in which a request must have arrived whole. */
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * How often Node looks for connections that are late; its own 30 seconds would make the times above up to four times as
 * long.
 */
const CONNECTION_CHECK_MS = 2000;

/**
 * Fastify with the manners of docs/design/decisions.md 4: one shape for every error, any Content-Type read as JSON,
 * forgiving slashes.
 */
export function createFastifyAdapter(environment: Environment): FastifyAdapter {
  const adapter = new FastifyAdapter({
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
    },
    trustProxy: trustedProxies(environment.TRUST_PROXY),
    genReqId: requestIdOf,
    clientErrorHandler: answerParserError,
    frameworkErrors: answerFrameworkError,
    // While the server stops, what still arrives on an open connection is answered as usual.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  const fastify = adapter.getInstance();
  answerConditionally(fastify);
  const letClose = watchConnections(fastify.server);
  fastify.addHook('preClose', (done) => {
    letClose();
    done();
  });
  const addHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(SECURITY_HEADERS).header(REQUEST_ID_HEADER, request.id);
  fastify.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply);
    done();
  });
  // Preflights are answered by the adapter before any hook of ours.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!reply.hasHeader(REQUEST_ID_HEADER)) addHeaders(request, reply);
    done(null, payload);
  });
  // Fastify answers 415 to a Content-Type that it cannot read, before it looks for a parser; here the type says nothing
  // anyway.
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['content-type'] !== undefined) request.headers['content-type'] = 'application/json';
    done();
  });
  const limits = structureLimits(environment);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseBody(body as Buffer, limits));
    } catch (error) {
      done(error as Error);
    }
  });
  return adapter;
}

interface StructureLimits {
  values: number;
  members: number;
}

/**
 * What a patch of the largest size can hold and some more. Values and members are what parsing costs: 1 MiB of members
 * with a name each takes more than 50 ms.
 */
function structureLimits({ KV_MAX_PATCH_BYTES }: Environment): StructureLimits {
  return {
    values: Math.ceil((KV_MAX_PATCH_BYTES * 2) / 3) + VALUES_BESIDE_PATCH, // `[],` is counted twice
    members: Math.ceil(KV_MAX_PATCH_BYTES / 6) + VALUES_BESIDE_PATCH, // `"a":0,`
  };
}

/**
 * @throws InvalidRequestError for what is not JSON in UTF-8, is nested too deep to be walked safely, or holds too many
 *   values.
 */
function parseBody(body: Buffer, limits: StructureLimits): unknown {
  const { depth, values, members } = outlineOf(body);
  if (depth > MAX_BODY_DEPTH) {
    throw new InvalidRequestError(`The body is nested more than ${MAX_BODY_DEPTH} levels deep.`, 'nesting_too_deep');
  }
  if (values > limits.values || members > limits.members) {
    throw new InvalidRequestError(
      `The body holds more than ${limits.values} values, or more than ${limits.members} members of objects.`,
      'too_many_values',
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new InvalidRequestError('The body is not JSON in UTF-8.', 'malformed_json');
  }
}

/** Errors of Fastify before any route is known, such as a path that cannot be decoded. */
function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 400;
  const message = status === 414 ? 'The path is too long.' : 'The path cannot be decoded.';
  void reply
    .status(status)
    .headers({ ...SECURITY_HEADERS, [REQUEST_ID_HEADER]: request.id, 'Access-Control-Allow-Origin': '*' })
    .type('application/json; charset=utf-8')
    .send({ message, code: codeOfStatus(status) });
}

const PARSER_ERRORS: Record<string, { status: number; phrase: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    message: `The request line and the headers may have ${MAX_HEADER_BYTES} bytes together.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, phrase: 'Request Timeout', message: 'The request did not arrive in time.' },
};

/** Errors of Node's HTTP parser: there is no request object yet, so the answer is written to the socket. */
function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, phrase, message } = PARSER_ERRORS[error.code ?? ''] ?? {
    status: 400,
    phrase: 'Bad Request',
    message: 'The request is not valid HTTP/1.1.',
  };
  const body = JSON.stringify({ message, code: codeOfStatus(status) });
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Content-Type: application/json; charset=utf-8',
    'Access-Control-Allow-Origin: *',
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
