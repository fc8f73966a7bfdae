import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { OpenDatabase } from '../../src/database/database.js';
import { EventWakeUp } from '../../src/events/event-wake-up.js';

/** Stands where PostgreSQL should be, and ends every connection. */
let server: Server;
let attempts: number;
let database: OpenDatabase;

beforeEach(async () => {
  Logger.overrideLogger(false);
  attempts = 0;
  server = createServer((socket) => {
    attempts += 1;
    socket.destroy();
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

/** Waits, without a timer, until the connection was tried so often and the next try is planned. */
async function untilTried(times: number): Promise<void> {
  while (attempts < times || jest.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(attempts).toBe(times);
}

it('whoever listens for events tries again after half a second, and then less and less often, up to five seconds', async () => {
  const wakeUp = new EventWakeUp(database);
  wakeUp.onApplicationBootstrap();
  await untilTried(1);

  for (const [index, ms] of [500, 1_000, 2_000, 4_000, 5_000, 5_000].entries()) {
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect([attempts, jest.getTimerCount()]).toEqual([index + 1, 1]);
    await jest.advanceTimersByTimeAsync(1);
    await untilTried(index + 2);
  }

  let isComplete = false;
  wakeUp.streamGrew.subscribe({ complete: () => (isComplete = true) });
  await wakeUp.onApplicationShutdown();
  expect([isComplete, jest.getTimerCount()]).toEqual([true, 0]);
});

it('nobody listens on the embedded database', async () => {
  const wakeUp = new EventWakeUp({ ...database, kind: 'embedded' });
  wakeUp.onApplicationBootstrap();

  // A connection of the test comes behind any that the service has begun.
  const own = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(own, 'close');

  expect([attempts, jest.getTimerCount()]).toEqual([1, 0]);
  await wakeUp.onApplicationShutdown();
});

it('whoever listens for events does not wait for ever for a server that says nothing, or is gone', async () => {
  const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
  server.removeAllListeners('connection').on('connection', (socket) => {
    attempts += 1;
    socket.resume();
  });
  const wakeUp = new EventWakeUp({ ...database, connectTimeoutMs: 3_000 });
  wakeUp.onApplicationBootstrap();
  try {
    await once(server, 'connection');
    expect(jest.getTimerCount()).toBe(1);
    while (keepAlive.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(keepAlive.mock.calls).toEqual([[true, 10_000]]);

    await jest.advanceTimersByTimeAsync(3_500);
    await untilTried(2);
  } finally {
    await wakeUp.onApplicationShutdown();
  }
});
