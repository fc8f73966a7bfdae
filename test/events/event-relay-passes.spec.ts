import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { OpenDatabase } from '../../src/database/database.js';
import type { EventDelivery } from '../../src/events/event-delivery.js';
import { EventRelay } from '../../src/events/event-relay.js';
import type { EventWakeUp } from '../../src/events/event-wake-up.js';

describe('passes of the relay', () => {
  let looks: number;
  let relay: EventRelay;
  /** Events that have no position yet; a pass of the database gives one to a thousand of them. */
  let unnumbered: number;
  /** Batches that the listeners have before them. */
  let undelivered: number;
  /** How often it was said that the stream has grown. */
  let told: number;
  /** What fails the next look at the database. */
  let trouble: Error | null;

  beforeEach(() => {
    jest.useFakeTimers();
    Logger.overrideLogger(false);
    [looks, unnumbered, undelivered, told, trouble] = [0, 0, 0, 0, null];
    const query = async () => {
      looks += 1;
      if (trouble) throw trouble;
      return unnumbered > 0 ? [{}] : [];
    };
    const runScript = async (script: string) => {
      const rowCount = Math.min(unnumbered, 1000);
      unnumbered -= rowCount;
      return script
        .split(';\n')
        .map((statement) => ({ rowCount: statement.includes('update domain_event') ? rowCount : null }));
    };
    const delivery = {
      deliverNext: async () => {
        undelivered = Math.max(0, undelivered - 1);
        return undelivered > 0;
      },
    };
    relay = new EventRelay(
      { query, driver: { master: { query: runScript } } } as unknown as DataSource,
      { streamGrew: { next: () => (told += 1) } } as unknown as EventWakeUp,
      delivery as unknown as EventDelivery,
      { kind: 'embedded' } as OpenDatabase,
    );
  });
  afterEach(() => jest.useRealTimers());

  it('begin at once for an event that comes alone, and once in 50 ms for however many that follow', async () => {
    relay.wake();
    expect(looks).toBe(1);
    await jest.advanceTimersByTimeAsync(10);
    for (let event = 0; event < 100; event += 1) relay.wake();

    await jest.advanceTimersByTimeAsync(39);
    expect(looks).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(looks).toBe(2);

    await jest.advanceTimersByTimeAsync(1000);
    expect(looks).toBe(2);
    relay.wake();
    expect(looks).toBe(3);
  });

  it('go on until all events have their positions and all listeners have had theirs, and tell who reads the stream', async () => {
    unnumbered = 2001;
    undelivered = 5;
    relay.wake();
    await jest.advanceTimersByTimeAsync(49);

    expect({ looks, unnumbered, undelivered, told }).toEqual({ looks: 5, unnumbered: 0, undelivered: 0, told: 3 });
    relay.wake();
    await jest.advanceTimersByTimeAsync(1000);
    expect({ looks, told }).toEqual({ looks: 6, told: 3 });
  });

  it('look once more behind a batch that was full', async () => {
    unnumbered = 1000;
    relay.wake();
    await jest.advanceTimersByTimeAsync(49);

    expect({ looks, told }).toEqual({ looks: 2, told: 1 });
  });

  it('end where the database is in trouble, and the next one begins anew', async () => {
    unnumbered = 1;
    trouble = new Error('the database is away');
    relay.wake();
    await jest.advanceTimersByTimeAsync(50);
    expect({ looks, unnumbered }).toEqual({ looks: 1, unnumbered: 1 });

    trouble = null;
    relay.wake();
    await jest.advanceTimersByTimeAsync(50);
    expect({ looks, unnumbered }).toEqual({ looks: 2, unnumbered: 0 });
  });

  it('end at the transaction under way when the service stops, which waits for it', async () => {
    unnumbered = 5000;
    relay.wake();
    const stopped = relay.onApplicationShutdown();
    let isStopped = false;
    void stopped.then(() => (isStopped = true));
    expect(isStopped).toBe(false);

    await stopped;

    expect({ looks, unnumbered }).toEqual({ looks: 1, unnumbered: 4000 });
    relay.wake();
    await jest.advanceTimersByTimeAsync(1000);
    expect(looks).toBe(1);
  });

  it('do not begin any more once the service stops', async () => {
    relay.wake();
    relay.wake();
    await relay.onApplicationShutdown();

    await jest.advanceTimersByTimeAsync(1000);
    expect(looks).toBe(1);
  });
});
