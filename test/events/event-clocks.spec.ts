import { jest } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { EventRelay } from '../../src/events/event-relay.js';
import { stepClock } from '../support/clock.js';
import { type OpenTestDatabase, openTestDatabase } from '../support/engines.js';
import { until } from '../support/until.js';
import { cursorOf, Diary, recordEvents, startEventServer } from './event-server.js';

const HOUR = 3600 * 1000;

let opened: OpenTestDatabase;
let server: TestingModule;

beforeEach(async () => {
  opened = await openTestDatabase('postgres');
  server = await startEventServer(opened);
});
afterEach(async () => {
  jest.useRealTimers();
  await server.close();
  await opened.drop();
});

async function relayUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    server.get(EventRelay).wake();
    return isTrue();
  });
}

describe('the back-off of a listener that failed', () => {
  it('does not wait for a clock that was an hour ahead when it failed', async () => {
    let failures = 0;
    server.get(Diary).check = () => {
      failures += 1;
      if (failures === 1) throw new Error('the page is torn');
    };

    stepClock(HOUR);
    await recordEvents(server, [1]);
    await relayUntil(() => failures === 1);
    stepClock(0);

    await relayUntil(async () => (await cursorOf(server, 'diary')) === 1);
  });

  it('is not used up in a moment by a clock that jumps ahead by an hour at each try', async () => {
    const failedAt: number[] = [];
    server.get(Diary).check = () => {
      failedAt.push(performance.now());
      stepClock(failedAt.length * HOUR);
      throw new Error('the page is torn');
    };

    await recordEvents(server, [1]);
    await relayUntil(() => failedAt.length === 3);

    // The first try is followed by a second of back-off, and the second one by two.
    expect(failedAt[2]! - failedAt[0]!).toBeGreaterThan(2_900);
  });
});
