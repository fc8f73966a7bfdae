import { get, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** An answer as it came over the socket. */
export interface RawAnswer {
  status: number;
  /** Lowercase names. */
  headers: Record<string, string>;
  text: string;
}

/**
 * Sends exactly these bytes and reads until the server closes, for requests that no well-behaved client would make. The
 * request has to say `Connection: close`, unless the server closes by itself.
 */
export async function sendRaw(baseUrl: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that has answered and closed resets a client that is still sending; the answer counts.
    socket.on('error', (error) => (chunks.length > 0 ? resolve() : reject(error)));
    socket.on('close', () => resolve());
  });
  return parse(Buffer.concat(chunks).toString('utf8'));
}

/** A request without a body for `target`, which is sent as it is. */
export function rawGet(target: string, headers: string[] = []): string {
  return ['GET ' + target + ' HTTP/1.1', 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
}

/** A POST of `body` for `target`. */
export function rawPost(target: string, body: Buffer, headers: string[] = []): Buffer {
  const head = [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', `Content-Length: ${body.length}`];
  return Buffer.concat([Buffer.from([...head, ...headers, '', ''].join('\r\n')), body]);
}

function parse(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: answer.slice(end + 4),
  };
}

/** A GET whose body comes as it was sent. */
export function rawGetBytes(
  url: string,
  acceptEncoding: string,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { 'Accept-Encoding': acceptEncoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(parts) }));
    });
    request.on('error', reject);
  });
}
