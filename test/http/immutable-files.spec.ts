import { once } from 'node:events';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type FileTransfer, ImmutableFiles } from '../../src/http/immutable-files.js';
import { rawGet, sendRaw } from '../support/raw-http.js';

const FILE = { body: Buffer.from('the file'), route: '/files/*', headers: { etag: '"one"' } };
const byRoute: RequestListener = (_request, response) => void response.writeHead(203).end('the route');

let files: ImmutableFiles;
let server: Server;
let baseUrl: string;

beforeEach(async () => {
  files = new ImmutableFiles({ 'x-common': 'everywhere' });
  files.add((url) => (url === '/files/1' ? FILE : undefined));
  server = createServer({ requireHostHeader: false }, byRoute);
  files.standBefore(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void server.close());

/** Status and body of one request on a connection of its own. */
const ask = async (
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
) => {
  const sent = request(`${baseUrl}${path}`, { agent: false, method: options.method, headers: options.headers });
  sent.end(options.body);
  const [response] = await once(sent, 'response');
  return [response.statusCode, await text(response)];
};
const BY_ROUTE = [203, 'the route'];

it('sends a file with the fields of every answer, its own, and those that a check adds', async () => {
  const sent: FileTransfer[] = [];
  files.check(({ added }) => added.push('x-left', '3') > 0);
  files.observe((transfer) => sent.push(transfer));

  const response = await fetch(`${baseUrl}/files/1`, { headers: { 'X-Request-Id': 'request-1' } });

  expect([response.status, await response.text()]).toEqual([200, 'the file']);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-common': 'everywhere',
    'x-request-id': 'request-1',
    'x-left': '3',
    'content-length': '8',
    etag: '"one"',
  });
  expect(sent).toMatchObject([{ file: FILE, requestId: 'request-1' }]);
});

it.each<[what: string, path: string, options: Parameters<typeof ask>[1]]>([
  ['for another path', '/files/2', {}],
  ['with a query', '/files/1?a=b', {}],
  ['by another method', '/files/1', { method: 'POST' }],
  ['that may be answered without a body', '/files/1', { headers: { 'If-None-Match': '"one"' } }],
  ['with a body', '/files/1', { headers: { 'Content-Length': '1' }, body: 'x' }],
  ['with a body of unknown length', '/files/1', { headers: { 'Transfer-Encoding': 'chunked' }, body: 'x' }],
])('leaves a request %s to its route', async (_what, path, options) => {
  expect(await ask(path, options)).toEqual(BY_ROUTE);
});

it('leaves HEAD, HTTP/1.0 and a request without Host to the route', async () => {
  expect((await ask('/files/1', { method: 'HEAD' }))[0]).toBe(203);
  expect((await sendRaw(baseUrl, 'GET /files/1 HTTP/1.0\r\nHost: localhost\r\n\r\n')).status).toBe(203);
  expect((await sendRaw(baseUrl, 'GET /files/1 HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(203);
});

it('leaves what a check refuses, or fails at, to the route, and tells no observer of it', async () => {
  const sent: FileTransfer[] = [];
  files.observe((transfer) => sent.push(transfer));
  let check: () => boolean | Promise<boolean> = () => false;
  files.check(() => check());

  const refused = await ask('/files/1');
  check = () => Promise.reject(new Error('away'));
  const failed = await ask('/files/1');
  check = () => Promise.resolve(true);
  const allowed = await ask('/files/1');

  expect([refused, failed, allowed]).toEqual([BY_ROUTE, BY_ROUTE, [200, 'the file']]);
  expect(sent).toHaveLength(1);
});

it('asks no further check once one has refused', async () => {
  let asked = 0;
  files.check(() => false);
  files.check(() => (asked += 1) > 0);

  await ask('/files/1');

  expect(asked).toBe(0);
});

it('answers in the order of the requests on one connection, also while a check takes its time', async () => {
  let go = () => {};
  const isSlow = new Promise<void>((resolve) => (go = resolve));
  files.check(async ({ request: { headers } }) => {
    if (headers['x-slow']) await isSlow;
    else go();
    return true;
  });

  const first = rawGet('/files/1', ['X-Slow: yes', 'X-Request-Id: request-1']).replace('Connection: close\r\n', '');
  const { text: both } = await sendRaw(baseUrl, first + rawGet('/files/1', ['X-Request-Id: request-2']));

  expect(both).toMatch(/^the file.*request-2.*the file$/s);
});

it('leaves everything to the routes once it is told to', async () => {
  files.leaveToRoutes();

  expect(await ask('/files/1')).toEqual(BY_ROUTE);
});
