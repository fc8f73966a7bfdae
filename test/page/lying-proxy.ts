import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands between the page and the service, and may change what it answers. */
export interface LyingProxy {
  baseUrl: string;
  /** Writes the JSON of answers anew, by their path; null leaves everything as it is. */
  lie: ((path: string, answer: Answer) => void) | null;
  /** Writes answers that are not JSON anew, by their path; null leaves them as they are. */
  lieInText: ((path: string, text: string) => string) | null;
  /** Answers in the place of the service, by the path; null, and where it answers null, the service is asked. */
  answer: ((path: string) => object | null) | null;
  /** What happens before the service is asked, by the path. */
  before: ((path: string) => Promise<void>) | null;
  /** Milliseconds before answers to `/v1` begin. */
  delayMs: number;
  /** Whether answers are readable for other origins, as the service says. */
  hasCors: boolean;
  close(): Promise<void>;
}

/** The parsed body of an answer, to be changed in place. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test changes what it knows to be there
export type Answer = any;

/** A proxy on loopback in front of `target`; everything but JSON passes as it comes. */
export async function startLyingProxy(target: string): Promise<LyingProxy> {
  // No connection is ended because it rests: a request that is sent on one in that moment gets no answer.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const isDelayed = proxy.delayMs > 0 && (incoming.url ?? '').startsWith('/v1/');
    const pass = () => forward(target, proxy, incoming, outgoing);
    setTimeout(
      () => (proxy.before ? void proxy.before(incoming.url ?? '/').then(pass) : pass()),
      isDelayed ? proxy.delayMs : 0,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: LyingProxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: null,
    lieInText: null,
    answer: null,
    before: null,
    delayMs: 0,
    hasCors: true,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

function forward(target: string, proxy: LyingProxy, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const path = incoming.url ?? '/';
  const own = proxy.answer?.(path) ?? null;
  if (own !== null) {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    outgoing.end(JSON.stringify(own));
    return;
  }
  // A copy in the browser's cache would hide what is changed here.
  const headers = { ...incoming.headers };
  if (proxy.lie || proxy.lieInText) delete headers['if-none-match'];
  // What is compressed cannot be changed here.
  if (proxy.lie || proxy.lieInText) delete headers['accept-encoding'];
  const onward = request(`${target}${path}`, { method: incoming.method, headers }, (answer) => {
    const passed = { ...answer.headers };
    if (!proxy.hasCors) delete passed['access-control-allow-origin'];
    const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json');
    const isText = path.startsWith('/log/');
    if (!(isJson ? proxy.lie : isText && proxy.lieInText)) {
      outgoing.writeHead(answer.statusCode ?? 502, passed);
      answer.pipe(outgoing);
      return;
    }
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('end', () => {
      const changed = isJson
        ? changedJson(proxy, path, Buffer.concat(parts))
        : changedText(proxy, path, Buffer.concat(parts));
      delete passed['content-length'];
      delete passed['etag'];
      outgoing.writeHead(answer.statusCode ?? 502, { ...passed, 'cache-control': 'no-store' });
      outgoing.end(changed);
    });
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

function changedJson(proxy: LyingProxy, path: string, bytes: Buffer): string {
  const body: Answer = JSON.parse(bytes.toString());
  proxy.lie?.(path, body);
  return JSON.stringify(body);
}

/** Bundles of entries hold lengths too: each byte is a character here. */
function changedText(proxy: LyingProxy, path: string, bytes: Buffer): Buffer {
  return Buffer.from(
    proxy.lieInText!(path, bytes.toString(path.endsWith('/checkpoint') ? 'utf8' : 'latin1')),
    path.endsWith('/checkpoint') ? 'utf8' : 'latin1',
  );
}

/** The text with one character in its middle replaced by another of the same kind. */
export function flipped(text: string): string {
  const at = Math.floor(text.length / 2);
  const old = text[at]!;
  const other = old === 'a' ? 'b' : old === '1' ? '2' : /[0-9]/.test(old) ? '1' : 'a';
  return text.slice(0, at) + other + text.slice(at + 1);
}
