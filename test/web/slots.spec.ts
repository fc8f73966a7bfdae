import { Slots } from '../../src/web/slots.js';
import { WebFailure } from '../../src/web/web-failure.js';

it('lets the next one in when one is done, first come, first served', async () => {
  const slots = new Slots(1, 2);
  const order: string[] = [];
  const release = await slots.take(1_000);
  const second = slots.take(1_000).then((next) => (order.push('second'), next));
  const third = slots.take(1_000).then((next) => (order.push('third'), next));

  release();
  (await second)();
  (await third)();

  expect(order).toEqual(['second', 'third']);
  expect(slots.isIdle).toBe(true);
});

it('refuses at once when the queue is full', async () => {
  const slots = new Slots(1, 1);
  const release = await slots.take(1_000);
  const waiting = slots.take(1_000);

  await expect(slots.take(1_000)).rejects.toThrow(WebFailure);

  release();
  (await waiting)();
});

it('lets nobody wait longer than allowed, and forgets who gave up', async () => {
  const slots = new Slots(1, 1);
  const release = await slots.take(1_000);
  await expect(slots.take(10)).rejects.toThrow(WebFailure);

  const waiting = slots.take(1_000);
  release();
  (await waiting)();

  expect(slots.isIdle).toBe(true);
});

it('takes a slot back only once', async () => {
  const slots = new Slots(1, 1);
  const release = await slots.take(10);
  release();
  release();
  await slots.take(10);

  await expect(slots.take(10)).rejects.toThrow(WebFailure);
});
