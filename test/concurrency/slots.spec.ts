import { BusyError, Slots } from '../../src/concurrency/slots.js';

it('lets the next one in when one is done, first come, first served', async () => {
  const slots = new Slots({ running: 1, waiting: 2 });
  const order: string[] = [];
  const release = await slots.acquire(1_000);
  const second = slots.acquire(1_000).then((next) => (order.push('second'), next));
  const third = slots.acquire(1_000).then((next) => (order.push('third'), next));

  release();
  (await second)();
  (await third)();

  expect(order).toEqual(['second', 'third']);
  expect(slots.isIdle).toBe(true);
});

it('refuses at once when the queue is full', async () => {
  const slots = new Slots({ running: 1, waiting: 1 });
  const release = await slots.acquire(1_000);
  const waiting = slots.acquire(1_000);

  await expect(slots.acquire(1_000)).rejects.toThrow(BusyError);

  release();
  (await waiting)();
});

it('lets nobody wait longer than allowed, and forgets who gave up', async () => {
  const slots = new Slots({ running: 1, waiting: 1 });
  const release = await slots.acquire(1_000);
  await expect(slots.acquire(10)).rejects.toThrow(BusyError);

  const waiting = slots.acquire(1_000);
  release();
  (await waiting)();

  expect(slots.isIdle).toBe(true);
});

it('takes a slot back only once', async () => {
  const slots = new Slots({ running: 1, waiting: 1 });
  const release = await slots.acquire(10);
  release();
  release();
  await slots.acquire(10);

  await expect(slots.acquire(10)).rejects.toThrow(BusyError);
});

describe('slots by key', () => {
  /** Takes a slot for `key` once there is one, notes that, and keeps it until the test gives it back. */
  function aQueue(slots: Slots) {
    const served: string[] = [];
    const releases: (() => void)[] = [];
    const enter = (key: string) =>
      slots.acquire(60_000, key).then(
        (release) => {
          served.push(key);
          releases.push(release);
        },
        () => served.push(`${key} refused`),
      );
    return { served, releases, enter };
  }

  it('go to the keys that wait in rotation, however many of one key came before', async () => {
    const slots = new Slots({ running: 1, waiting: 10 });
    const { served, releases, enter } = aQueue(slots);
    const all = ['many', 'many', 'many', 'many', 'one', 'other'].map(enter);

    for (let index = 0; index < all.length; index += 1) {
      while (releases.length <= index) await new Promise(setImmediate);
      releases[index]!();
    }
    await Promise.all(all);

    expect(served).toEqual(['many', 'many', 'one', 'other', 'many', 'many']);
    expect(slots.isIdle).toBe(true);
  });

  it('are at most so many for one key, and the others are free for other keys', async () => {
    const slots = new Slots({ running: 3, waiting: 10, runningPerKey: 2 });
    const { served, releases, enter } = aQueue(slots);
    void ['many', 'many', 'many'].map(enter);
    await enter('one');

    expect(served).toEqual(['many', 'many', 'one']);
    releases[0]!();
    await new Promise(setImmediate);
    expect(served).toEqual(['many', 'many', 'one', 'many']);
  });

  it('are refused to the last of a long queue when another key finds the queue full', async () => {
    const slots = new Slots({ running: 1, waiting: 3 });
    const { served, releases, enter } = aQueue(slots);
    const all = ['many', 'many', 'many', 'many'].map(enter);
    await all[0];
    const one = enter('one');
    await all[3];

    expect(served).toEqual(['many', 'many refused']);
    releases[0]!();
    await all[1];
    releases[1]!();
    await one;
    expect(served).toEqual(['many', 'many refused', 'many', 'one']);
    releases[2]!();
    await all[2];
  });
});
