import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { OpenDatabase } from '../../src/database/database.js';
import type { EventDelivery } from '../../src/events/event-delivery.js';
import { EventRelay } from '../../src/events/event-relay.js';
import type { EventWakeUp } from '../../src/events/event-wake-up.js';

describe('passes of the relay', () => {
  let looks: number;
  let relay: EventRelay;

  beforeEach(() => {
    jest.useFakeTimers();
    looks = 0;
    const query = () => Promise.resolve(((looks += 1), []));
    const delivery = { deliverNext: () => Promise.resolve(false) };
    relay = new EventRelay(
      { query } as unknown as DataSource,
      { streamGrew: { next: () => {} } } as unknown as EventWakeUp,
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

  it('do not begin any more once the service stops', async () => {
    relay.wake();
    relay.wake();
    await relay.onApplicationShutdown();

    await jest.advanceTimersByTimeAsync(1000);
    expect(looks).toBe(1);
  });
});
