import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';
import { EventLoopGauge } from '../../src/operations/limits/event-loop-gauge.js';
import { UnsentAnswers } from '../../src/operations/limits/unsent-answers.js';
import { kvPayload, submitKv } from '../kv/kv-scenario.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { refusedBy } from '../support/refused.js';
import { expectRefusal } from '../support/refusals.js';
import { until } from '../support/until.js';

const overloaded = (message: RegExp) => ({ status: 503, code: 'overloaded', message });
const feed = (running: RunningApp): Promise<Answer> =>
  running.get('/v1/proofchain/changes?last_id=0', { Origin: 'https://app.example' });
/** Keeps the event loop for so long, which is that of the server too. */
const block = (ms: number) => {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt;);
};
const statusOf = async (answer: Promise<Answer>) => (await answer).status;

let running: RunningApp;
const start = async (env: Record<string, string>) => {
  running = await startApp({ env: { LOAD_SHEDDING: 'on', ...env } });
};
afterEach(() => running.close());

describe('a server whose event loop is late', () => {
  it('refuses requests with 503, answers health and files of the page, and serves again when it has caught up', async () => {
    await start({ MAX_EVENT_LOOP_DELAY_MS: '30' });
    let page = '';
    // On a busy machine its event loop may be late before that.
    await until(async () => {
      const answer = await fetch(`${running.baseUrl}/`, { headers: { Accept: 'text/html' } });
      page = await answer.text();
      return answer.ok;
    });
    const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);
    expect(scripts.length).toBeGreaterThan(1);
    const busy = setInterval(() => block(100), 1);

    await until(async () => (await statusOf(feed(running))) === 503);
    const files = ['/favicon.svg', '/platform-icons.svg', '/embed.js', '/example.json', ...scripts];
    const [refusal, served, health, metrics, description] = await Promise.all([
      feed(running),
      Promise.all(files.map(async (file) => [file, (await fetch(running.baseUrl + file)).status])),
      running.get('/healthz'),
      fetch(`${running.baseUrl}/metrics`),
      running.get('/openapi.json'),
    ]);
    clearInterval(busy);

    expectRefusal(refusal, overloaded(/too much to do: its event loop is late\. Try again/));
    expect(refusal.headers.get('Retry-After')).toBe('5');
    expect(refusal.headers.get('Access-Control-Allow-Origin')).toBe('*');
    await until(async () => (await refusedBy(running)).event_loop > 0);
    expect([health.status, metrics.status]).toEqual([200, 200]);
    // A page that was served needs its files, and never asks for them again.
    expect(served).toEqual(files.map((file) => [file, 200]));
    expectRefusal(description, overloaded(/its event loop is late/));
    await until(async () => (await statusOf(feed(running))) === 200);
  });

  it('serves on where the operator says so', async () => {
    await start({ MAX_EVENT_LOOP_DELAY_MS: '30', LOAD_SHEDDING: 'off' });
    const gauge = new EventLoopGauge();
    const busy = setInterval(() => block(100), 1);

    await until(() => gauge.delayMs > 30);
    const status = await statusOf(feed(running));
    clearInterval(busy);
    gauge.stop();

    expect(status).toBe(200);
  });
});

describe('a server whose requests wait for the database', () => {
  it('refuses more of them, answers health, and finishes those that wait', async () => {
    await start({ DATABASE_POOL_SIZE: '2', MAX_POOL_WAIT_MS: '3000', MAX_EVENT_LOOP_DELAY_MS: '20000' });
    const runners = await holdAllConnections(running, 2);
    const arrives = once(running.app.getHttpServer(), 'request');
    const waiting = feed(running);
    // On a busy machine a request that is sent later may arrive before this one, which is refused then.
    await arrives;

    await until(async () => (await Promise.race([statusOf(feed(running)), delay(100, 0)])) === 503);
    const refusal = await feed(running);
    const health = await running.get('/healthz');
    for (const runner of runners) await runner.release();

    expectRefusal(refusal, overloaded(/requests wait too long for the database/));
    expect(refusal.headers.get('Retry-After')).toBe('5');
    expect(health.status).toBe(200);
    expect(await statusOf(waiting)).toBe(200);
    await until(async () => (await refusedBy(running)).pool_wait > 0);
    await until(async () => (await statusOf(feed(running))) === 200);
  });

  it('does not mind a queue that moves', async () => {
    // The clients are in this process too, and make its event loop late where the machine is slow: no time counts here.
    await start({ DATABASE_POOL_SIZE: '1', MAX_POOL_WAIT_MS: '20000', MAX_EVENT_LOOP_DELAY_MS: '20000' });

    const answers = await Promise.all(Array.from({ length: 200 }, () => feed(running)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

async function holdAllConnections({ app }: RunningApp, size: number): Promise<QueryRunner[]> {
  const runners = Array.from({ length: size }, () => app.get(DataSource).createQueryRunner());
  await Promise.all(runners.map((runner) => runner.connect()));
  return runners;
}

describe('a client that asks for much and reads nothing', () => {
  it('gets large answers only up to a bound, and others get theirs', async () => {
    // The clients are in this process too, and make its event loop late where the machine is slow.
    await start({ MAX_UNSENT_BYTES: String(1024 * 1024), MAX_EVENT_LOOP_DELAY_MS: '20000' });
    const alice = anAvatar('alice');
    for (let part = 0; part < 16; part += 1) {
      const patch = { [`part ${part}`]: 'x'.repeat(60_000) };
      const { body } = await kvPayload(running, alice, patch);
      expect((await submitKv(running, alice, body, patch)).status).toBe(201);
    }
    const path = `/v1/kv?avatar=${alice.key.compressed}`;

    const greedy = await askWithoutReading(running.baseUrl, path);
    let refusal = await running.get(path);
    // The kernel takes some megabytes; then one answer stays with the server.
    await until(async () => {
      greedy.write(requestFor(path));
      const before = await running.get(path);
      refusal = await running.get(path);
      return before.status === 503 && refusal.status === 503;
    });
    const small = await feed(running);
    greedy.destroy();

    expectRefusal(refusal, overloaded(/large answers wait for slow readers/));
    expect(refusal.headers.get('Cache-Control')).toBe('no-store');
    expect(refusal.headers.get('ETag')).toBeNull();
    expect(small.status).toBe(200);
    await until(async () => (await refusedBy(running)).unsent_bytes > 0);
    await until(async () => (await statusOf(running.get(path))) === 200);
  });
});

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

async function askWithoutReading(baseUrl: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(requestFor(path));
  return socket;
}

describe('large answers that wait', () => {
  const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
  let server: Server;
  let baseUrl: string;

  const serve = async (unsent: UnsentAnswers) => {
    server = createServer((_request, response) => {
      if (unsent.accept(response, LARGE, 'reads')) response.end(LARGE);
      else response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  };
  beforeEach(async () => {
    running = { close: async () => {} } as RunningApp;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('are cut off when the reader takes too long', async () => {
    await serve(new UnsentAnswers(LARGE.length, 100, LARGE.length / 100)); // 200 ms in all
    const answered = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const startedAt = performance.now();

    const reader = await askWithoutReading(baseUrl, '/');
    const [, response] = await answered;
    await once(response, 'close');
    reader.resume();
    await once(reader, 'close');

    expect(performance.now() - startedAt).toBeGreaterThan(190);
    expect(reader.bytesRead).toBeLessThan(LARGE.length);
  });

  it('free their memory when they are read, and when the reader goes away', async () => {
    await serve(new UnsentAnswers(LARGE.length));
    const sizeOf = async () => (await fetch(baseUrl).then((answer) => answer.arrayBuffer())).byteLength;

    const sizes = [await sizeOf(), await sizeOf()];
    const arrived = once(server, 'request');
    const reader = await askWithoutReading(baseUrl, '/');
    await arrived;
    const meanwhile = await sizeOf();
    reader.destroy();
    await until(async () => (await sizeOf()) === LARGE.length);

    expect([...sizes, meanwhile]).toEqual([LARGE.length, LARGE.length, 0]);
  });
});
