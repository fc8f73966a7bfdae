import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connectionsFor } from '../../src/operations/limits/load-shedding.js';
import { type RunningApp, startApp } from '../support/app.js';
import { cpuMsOf, WITH_CPU_PROBE } from '../support/cpu-time.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectRefusal } from '../support/refusals.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { until } from '../support/until.js';

/** As many open files are needed, here and in the service. */
const SLOW_CLIENTS = Number(process.env.SLOW_CLIENTS ?? 10_000);
/** Most milliseconds of the processor for a request while all the others stand around: it takes one. */
const MAX_CPU_MS = 10;
const REQUESTS = 50;
const FEED = '/v1/proofchain/changes?last_id=0';

const open = (baseUrl: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject).on('error', () => {});
  });

/** Sends `bytes`, and then one more now and then, until the server closes; answers what it said. */
async function drip(baseUrl: string, bytes: string): Promise<string> {
  const socket = await open(baseUrl);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  if (bytes !== '') socket.write(bytes);
  const drops = setInterval(() => bytes !== '' && socket.writable && socket.write('x'), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drops);
  return answer;
}

describe('a client that takes its time', () => {
  let running: RunningApp;
  let server: Server;

  beforeAll(async () => {
    running = await startApp();
    server = running.app.getHttpServer();
  });
  afterAll(() => running.close());

  it('has 10 seconds for the headers, 30 for the whole request, and 72 until the next one', () => {
    const { headersTimeout: headers, requestTimeout: request, keepAliveTimeout: idle } = server;
    expect({ headers, request, idle }).toEqual({ headers: 10_000, request: 30_000, idle: 72_000 });
  });

  it.each([
    ['says nothing', ''],
    ['never ends its headers', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['never ends its body', 'POST /v1/proof HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n'],
  ])('is told so and sent away when it %s', async (_what, bytes) => {
    // The times themselves are checked above; nobody has to wait for them here.
    Object.assign(server, { headersTimeout: 300, requestTimeout: 600 });

    const answer = await drip(running.baseUrl, bytes);

    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expectRefusal(
      { status: 408, body: JSON.parse(body) },
      { status: 408, code: 'request_timeout', message: 'did not arrive in time' },
    );
    expect((await running.get('/healthz')).status).toBe(200);
  });
});

describe(`${SLOW_CLIENTS} connections that are idle or slow`, () => {
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startService({ DATABASE_URL: database.url, ...WITH_CPU_PROBE });
  });
  afterAll(async () => {
    await service?.kill9();
    await database?.drop();
  });

  it('do not stop a normal client', async () => {
    const beginnings = [
      '',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: x',
      'POST /v1/proof HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n{"action":',
      `GET ${FEED} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    ];
    const sockets: Socket[] = [];
    for (let opened = 0; opened < SLOW_CLIENTS; opened += 250) {
      const count = Math.min(250, SLOW_CLIENTS - opened);
      sockets.push(...(await Promise.all(Array.from({ length: count }, () => open(service.baseUrl)))));
    }
    sockets.forEach((socket, number) => socket.write(beginnings[number % beginnings.length]!));
    const standing = sockets.filter((socket) => !socket.destroyed).length;

    // A quarter of them has asked for a page, all at once, for which a pool of ten connections takes a while.
    await until(async () => (await service.get(FEED)).status === 200);
    const before = await cpuMsOf(service);
    const statuses: number[] = [];
    for (let request = 0; request < REQUESTS; request += 1) statuses.push((await service.get(FEED)).status);
    const cpuMs = ((await cpuMsOf(service)) - before) / REQUESTS;

    process.stdout.write(
      `slow clients: ${standing} idle connections and slow senders, a request meanwhile: ${cpuMs.toFixed(1)} ms of the processor\n`,
    );
    expect(standing).toBe(SLOW_CLIENTS);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(cpuMs).toBeLessThan(MAX_CPU_MS);
    for (const socket of sockets) socket.destroy();
    expect((await service.get('/healthz')).status).toBe(200);
  });
});

describe('more idle connections than the system allows open files', () => {
  const OPEN_FILES = 512;
  const IDLE = 800;
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' }, OPEN_FILES);
  });
  afterAll(async () => {
    await service?.kill9();
    await database?.drop();
  });

  it('are refused beyond a bound, and the service still has its database and serves whoever is there', async () => {
    const current = await open(service.baseUrl);
    const idle = await Promise.all(Array.from({ length: IDLE }, () => open(service.baseUrl).catch(() => null)));
    await until(() => idle.filter((socket) => socket && !socket.destroyed).length <= OPEN_FILES / 2);

    current.write(`GET ${FEED} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [answer] = (await once(current, 'data')) as [Buffer];
    const during = service.output();
    for (const socket of [current, ...idle]) socket?.destroy();
    await until(async () => (await service.get('/healthz').catch(() => ({ status: 0 }))).status === 200);

    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(during).toContain('Connections are refused');
    expect(service.output()).not.toContain('EMFILE');
  });
});

describe('the connections that a process accepts', () => {
  it.each([
    [1024, 768],
    [20_000, 19_744],
    [512, 256],
    [256, 128],
    [Infinity, Infinity],
  ])('of %p open files are %p', (openFiles, connections) => {
    expect(connectionsFor(openFiles)).toBe(connections);
  });
});
