import { jest } from '@jest/globals';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../support/until.js';
import { EventLoopGauge } from '../../src/operations/limits/event-loop-gauge.js';

const SAMPLE_MS = 500;
const BLOCK_MS = 800;
/** More than the lateness of a busy machine, and less than that of the callbacks here. */
const LATE_MS = 100;

let gauge: EventLoopGauge;

beforeEach(() => {
  jest.useFakeTimers({ now: Date.now(), doNotFake: ['performance', 'setImmediate', 'setTimeout', 'nextTick', 'Date'] });
  gauge = new EventLoopGauge();
});
afterEach(() => {
  gauge.stop();
  jest.useRealTimers();
});

/** Turns of the event loop until a sample: as many measured ones, and before them one with a callback that long. */
async function turns(measured: number, callbackMs = 0): Promise<void> {
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  // A measurement is the time between two turns, so that the first one only begins it.
  while (own.count === 0) await nextTurn();
  for (const end = performance.now() + callbackMs; performance.now() < end;);
  while (own.count < 1 + measured) await nextTurn();
  await nextTurn();
  own.disable();
  jest.advanceTimersByTime(SAMPLE_MS);
}

it('a single long callback does not make an event loop late', async () => {
  await turns(20);
  await turns(1, BLOCK_MS);

  expect(gauge.delayMs).toBeLessThan(LATE_MS);
});

it('long callbacks in two samples in a row do, until a sample has none', async () => {
  await turns(1, BLOCK_MS);
  await turns(1, BLOCK_MS);
  expect(gauge.delayMs).toBeGreaterThan(LATE_MS);

  // A busy machine may add a sample that is late by itself.
  await until(async () => {
    await turns(20);
    return gauge.delayMs < LATE_MS;
  });
});
