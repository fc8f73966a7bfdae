import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.js';

/** A file whose content never changes. */
export interface ImmutableFile {
  body: Buffer;
  /** The pattern of its route, as metrics and logs name it. */
  route: string;
  /** Its own fields: type, caching, ETag. */
  headers: Readonly<Record<string, string>>;
}

/** As listeners to requests get it. */
type Answer = ServerResponse & { req: IncomingMessage };

/** A file that is about to be sent. */
export interface FileTransfer {
  file: ImmutableFile;
  request: IncomingMessage;
  response: Answer;
  /** As in the header `X-Request-Id`. */
  requestId: string;
  /** Fields of this answer beside those of the file: names, with the value behind each. */
  added: string[];
}

/** The file of a path, without asking anybody; undefined where there is none at hand. */
export type FindFile = (path: string) => ImmutableFile | undefined;

/**
 * Whether a file may be sent now; it may add fields to the answer. Where it may not, the request goes to its route,
 * whose hooks refuse it.
 */
export type CheckTransfer = (transfer: FileTransfer) => boolean | Promise<boolean>;

declare module 'fastify' {
  interface FastifyInstance {
    immutableFiles: ImmutableFiles;
  }
}

/**
 * Answers plain requests for files that are in memory and never change before the framework sees them: for such a file
 * the framework, its hooks and the router of Nest cost several times what sending it costs. An answer has the same
 * status, fields and body as that of its route, which serves all other requests for the file: conditional ones, HEAD,
 * those with a query or a body, and those that a check refuses.
 */
export class ImmutableFiles {
  private readonly sources: FindFile[] = [];
  private readonly checks: CheckTransfer[] = [];
  private readonly observers: ((transfer: FileTransfer) => void)[] = [];
  private readonly commonHeaders: string[];
  private isOff = false;

  /** @param commonHeaders fields of every answer of this server */
  constructor(commonHeaders: Readonly<Record<string, string>>) {
    this.commonHeaders = Object.entries(commonHeaders).flat();
  }

  /** Files that are looked for from now on. */
  add(find: FindFile): void {
    this.sources.push(find);
  }

  /** What is asked before a file is sent, in the order of the calls. */
  check(check: CheckTransfer): void {
    this.checks.push(check);
  }

  /** Is called for each file when its sending begins. */
  observe(observer: (transfer: FileTransfer) => void): void {
    this.observers.push(observer);
  }

  /**
   * From now on every request goes to its route: while the server closes, because the route tells the client that the
   * connection ends; and where hooks of the framework have to see every request.
   */
  leaveToRoutes(): void {
    this.isOff = true;
  }

  /** Answers requests of `server` for these files from now on; all others go to what has answered them until now. */
  standBefore(server: Server): void {
    const listeners = server.listeners('request') as RequestListener[];
    const route: RequestListener = (request, response) => {
      for (const listener of listeners) listener(request, response);
    };
    server.removeAllListeners('request').on('request', (request: IncomingMessage, response: Answer) => {
      const file = this.find(request);
      if (file) this.answer({ file, request, response, requestId: requestIdOf(request), added: [] }, route);
      else route(request, response);
    });
  }

  private find(request: IncomingMessage): ImmutableFile | undefined {
    if (this.isOff || !isPlain(request)) return undefined;
    for (const find of this.sources) {
      const file = find(request.url!);
      if (file) return file;
    }
    return undefined;
  }

  private answer(transfer: FileTransfer, route: RequestListener): void {
    if (this.checks.length === 0) return this.send(transfer);
    const { request, response } = transfer;
    this.isAllowed(transfer).then(
      (isAllowed) => (isAllowed ? this.send(transfer) : route(request, response)),
      () => route(request, response),
    );
  }

  private async isAllowed(transfer: FileTransfer): Promise<boolean> {
    for (const check of this.checks) if (!(await check(transfer))) return false;
    return true;
  }

  private send(transfer: FileTransfer): void {
    const { file, response, requestId, added } = transfer;
    for (const observer of this.observers) observer(transfer);
    const headers = [...this.commonHeaders, REQUEST_ID_HEADER, requestId, ...added];
    for (const name in file.headers) headers.push(name, file.headers[name]!);
    headers.push('content-length', String(file.body.length));
    response.writeHead(200, headers).end(file.body);
  }
}

/** Asks for a whole file and says nothing else that an answer would depend on. */
function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.host !== undefined &&
    headers['if-none-match'] === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}
