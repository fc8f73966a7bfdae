import { anAvatar } from '../support/avatar.js';
import { startApp } from '../support/app.js';
import { jsonReply } from '../../packages/look/test/support/stand-in-server.js';
import { startBoundWorld, startObserver, untilIdle } from './observer-world.js';

it('RATE_BUDGETS may name the budget for servers that are looked at', async () => {
  const env = { LOOK_AT: 'http://127.0.0.1:1', RATE_BUDGETS: 'signet=1/1' };
  const server = await startApp({ env });
  try {
    expect((await server.get('/healthz')).status).toBe(200);
  } finally {
    await server.close();
  }
});

it('leaves a platform alone that asked for it, without counting that as looks that failed', async () => {
  const alice = anAvatar('alice');
  const world = await startBoundWorld(alice, '1'.repeat(32));
  const observer = await startObserver(world.app, new Map(world.gists));
  try {
    await observer.statements(alice.key.compressed);
    observer.github.handle(() => jsonReply({ message: 'slow down' }, 429, { 'retry-after': '3000' }));
    const states: unknown[] = [];
    for (let look = 0; look < 2; look++) {
      await observer.makeDue();
      await untilIdle(observer);
      states.push(...(await observer.sql('select failures, is_seen from observed_binding')));
    }

    expect(states).toEqual([
      { failures: 1, is_seen: true },
      { failures: 1, is_seen: true },
    ]);
  } finally {
    await observer.close();
    await world.close();
  }
});
