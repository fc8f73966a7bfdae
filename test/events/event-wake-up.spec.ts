import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { itUnless, type Lack } from '../../packages/verify/test/support/unless.js';
import type { OpenDatabase } from '../../src/database/database.js';
import { EventWakeUp } from '../../src/events/event-wake-up.js';

/** Stands where PostgreSQL should be, and ends every connection. */
let server: Server;
let attempts: number;
/** How many of them the service has ended as well. */
let ended: number;
let database: OpenDatabase;

beforeEach(async () => {
  Logger.overrideLogger(false);
  attempts = ended = 0;
  server = createServer({ allowHalfOpen: true }, (socket) => {
    attempts += 1;
    socket.on('error', () => {}).on('close', () => (ended += 1));
    socket.resume().end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  database = { kind: 'postgres', directUrl: `postgres://nobody@127.0.0.1:${port}/none` } as OpenDatabase;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance'] });
});
afterEach(async () => {
  jest.useRealTimers();
  await new Promise((resolve) => server.close(resolve));
});

/** A connection of the test, which comes behind any that the service has begun. */
async function connectOnce(): Promise<void> {
  await once(connect((server.address() as AddressInfo).port, '127.0.0.1'), 'close');
}

/**
 * Waits, without a timer, until the connection was tried so often and the next try is planned. What another file has
 * left may plan something too, so the service has to have seen the end of its connection.
 */
async function untilTried(times: number): Promise<void> {
  while (ended < times || jest.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(attempts).toBe(times);
}

it('whoever listens for events tries again after half a second, and then less and less often, up to five seconds', async () => {
  const wakeUp = new EventWakeUp(database);
  wakeUp.onApplicationBootstrap();
  await untilTried(1);

  for (const [index, ms] of [500, 1_000, 2_000, 4_000, 5_000, 5_000].entries()) {
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect(attempts).toBe(index + 1);
    await jest.advanceTimersByTimeAsync(1);
    await untilTried(index + 2);
  }

  let isComplete = false;
  wakeUp.streamGrew.subscribe({ complete: () => (isComplete = true) });
  await wakeUp.onApplicationShutdown();
  await jest.advanceTimersByTimeAsync(20_000);
  await connectOnce();
  expect([isComplete, attempts]).toEqual([true, 8]);
});

it('nobody listens on the embedded database', async () => {
  const wakeUp = new EventWakeUp({ ...database, kind: 'embedded' });
  wakeUp.onApplicationBootstrap();

  await jest.advanceTimersByTimeAsync(20_000);
  await connectOnce();

  expect(attempts).toBe(1);
  await wakeUp.onApplicationShutdown();
});

const noTimers: Lack = process.platform === 'linux' ? null : 'only Linux shows the timers of connections';

/** Seconds until Linux asks whether the other end of a connection is there; null before it has a timer. */
function keepAliveSeconds(): number | null {
  const port = (server.address() as AddressInfo).port.toString(16).toUpperCase().padStart(4, '0');
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((text) => text.includes(` 0100007F:${port} 01 `));
  // A timer of kind 2, and when it fires, in hundredths of a second (proc_net_tcp of the kernel's documentation).
  const timer = / 02:([0-9A-F]{8}) /.exec(line ?? '');
  return timer && parseInt(timer[1]!, 16) / 100;
}

const TITLE = 'whoever listens for events does not wait for ever for a server that says nothing, or is gone';
itUnless(noTimers, TITLE, async () => {
  server.removeAllListeners('connection').on('connection', (socket) => {
    attempts += 1;
    socket
      .resume()
      .on('error', () => {})
      .on('end', () => socket.end());
  });
  const wakeUp = new EventWakeUp({ ...database, connectTimeoutMs: 3_000 });
  wakeUp.onApplicationBootstrap();
  try {
    await once(server, 'connection');
    while (keepAliveSeconds() === null) await new Promise((resolve) => setImmediate(resolve));
    expect(keepAliveSeconds()).toBeLessThanOrEqual(10);

    await jest.advanceTimersByTimeAsync(3_000);
    while (jest.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(500);
    while (attempts < 2) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    await wakeUp.onApplicationShutdown();
  }
});
