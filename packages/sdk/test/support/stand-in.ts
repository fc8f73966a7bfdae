import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a stand-in was asked. */
export interface StandInRequest {
  method: string;
  /** Path without the query, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  body: string;
}

/** An answer with at most one of `json`, `text` and `bytes`. `json` brings its content type. */
export interface PlainReply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  bytes?: Uint8Array;
}

/** An answer, or a function that writes one. */
export type StandInReply = PlainReply | ((response: ServerResponse) => void);

export type StandInHandler = (request: StandInRequest) => StandInReply | Promise<StandInReply>;

/** A running server on loopback. */
export interface StandIn {
  /** `http://127.0.0.1:<port>` */
  baseUrl: string;
  /** All requests so far, oldest first. */
  requests: StandInRequest[];
  /** Cuts what is still open. */
  close(): Promise<void>;
}

/** A JSON answer. */
export function jsonReply(json: unknown, status = 200): PlainReply {
  return { status, json };
}

/** A text answer. */
export function textReply(text: string, status = 200): PlainReply {
  return { status, text, headers: { 'content-type': 'text/plain; charset=utf-8' } };
}

/**
 * Starts a server on a free port of 127.0.0.1 that answers with `handler`. A handler that throws is a defect of the
 * test, and is answered with 599.
 */
export async function startStandIn(handler: StandInHandler): Promise<StandIn> {
  const requests: StandInRequest[] = [];
  const server = createServer((incoming, response) => {
    const answer = async () => {
      const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://stand-in');
      const parts: Buffer[] = [];
      for await (const part of incoming) parts.push(part as Buffer);
      const request = { method: incoming.method ?? '', path, query, body: Buffer.concat(parts).toString() };
      requests.push(request);
      write(await handler(request), response);
    };
    answer().catch((error: unknown) => response.writeHead(599).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function write(reply: StandInReply, response: ServerResponse): void {
  if (typeof reply === 'function') return reply(response);
  const { status = 200, headers = {}, json, text, bytes } = reply;
  const body = json === undefined ? (bytes ?? text ?? '') : JSON.stringify(json);
  const type = json === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(body), ...headers }).end(body);
}
