import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { codeOfStatus } from '../error-body.js';
import { SECURITY_HEADERS } from '../security-headers.js';

/** Request line and headers together. The longest query we take is 12 KiB. */
export const MAX_HEADER_BYTES = 16 * 1024;

const PARSER_ERRORS: Record<string, { status: number; phrase: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    message: `The request line and the headers may have ${MAX_HEADER_BYTES} bytes together.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, phrase: 'Request Timeout', message: 'The request did not arrive in time.' },
};

/** Errors of Node's HTTP parser: there is no request object yet, so the answer is written to the socket. */
export function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, phrase, message } = PARSER_ERRORS[error.code ?? ''] ?? {
    status: 400,
    phrase: 'Bad Request',
    message: 'The request is not valid HTTP/1.1.',
  };
  socket.end(rawAnswer(status, phrase, message));
}

/**
 * Answers requests that Node would answer in its own words or not at all: `CONNECT`, and an `Expect` other than
 * `100-continue` (RFC 9110, 10.1.1).
 */
export function answerUnknownRequests(server: Server): void {
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(rawAnswer(404, 'Not Found', 'There is no CONNECT here: this is not a proxy.'));
  });
  server.on('checkExpectation', ({ socket }) => {
    socket.end(rawAnswer(417, 'Expectation Failed', 'The header Expect may only be 100-continue.'));
  });
}

function rawAnswer(status: number, phrase: string, message: string): string {
  const body = JSON.stringify({ message, code: codeOfStatus(status) });
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Content-Type: application/json; charset=utf-8',
    'Access-Control-Allow-Origin: *',
    'Cache-Control: no-store',
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
