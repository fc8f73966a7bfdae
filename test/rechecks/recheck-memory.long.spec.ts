import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DataSource } from 'typeorm';
import { type GistWorld, hoursAfter, startGistWorld } from './bound-gist.js';
import { seedDueProofs, seededGists } from './due-proofs.js';
import { anAvatar } from '../support/avatar.js';

const alice = anAvatar('alice');
const NOW = new Date();

let world: GistWorld;
beforeAll(async () => {
  world = await startGistWorld();
});
afterAll(() => world.close());

it('many due proofs do not fill the memory', async () => {
  const proofs = await seedDueProofs(world.app.app.get(DataSource), {
    avatar: alice,
    platform: 'github',
    count: 2_400,
    dueAt: hoursAfter(NOW, -1),
  });
  await world.sql('update proof set next_check_at = $1 where link_id > 400', [hoursAfter(NOW, 10)]);
  const gists = seededGists(alice, proofs);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapMiB = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const during: number[] = [];
  let asked = 0;
  world.github.handle((request) => {
    world.github.requests.length = 0; // the stand-in remembers what it was asked
    if (++asked % 500 === 0) during.push(heapMiB());
    return gists(request);
  });

  await world.rechecks.checkDue(NOW); // so that everything is loaded and compiled
  const before = heapMiB();
  during.length = 0;
  const totals = await world.rechecks.checkDue(hoursAfter(NOW, 11));

  expect(totals).toMatchObject({ valid: 2_000 });
  expect(during.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...during) - before).toBeLessThan(10);
  expect(heapMiB() - before).toBeLessThan(5);
});
