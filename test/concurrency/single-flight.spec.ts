import { SingleFlight } from '../../src/concurrency/single-flight.js';

/** A question that is answered when the test says so; the answers are numbered by the order of asking. */
function aQuestion() {
  const pending: (() => void)[] = [];
  let asked = 0;
  return {
    ask: () => {
      const number = ++asked;
      return new Promise<number>((resolve) => pending.push(() => resolve(number)));
    },
    answerNext: async () => {
      while (pending.length === 0) await Promise.resolve();
      pending.shift()!();
    },
    asked: () => asked,
  };
}

describe('a run that starts after the call', () => {
  it('happens at most twice for any number of callers at the same time', async () => {
    const { ask, answerNext, asked } = aQuestion();
    const shared = new SingleFlight<number>();
    const answers = Array.from({ length: 50 }, () => shared.follow(ask, 'total'));

    await answerNext();
    expect(await answers[0]).toBe(1);
    await answerNext();

    expect(await Promise.all(answers.slice(1))).toEqual(Array(49).fill(2));
    expect(asked()).toBe(2);
  });

  it('gives no answer that is older than the call', async () => {
    const { ask, answerNext } = aQuestion();
    const shared = new SingleFlight<number>();
    const before = shared.follow(ask, 'total');
    const meanwhile = shared.follow(ask, 'total');
    await answerNext();
    await before;
    await answerNext();
    await meanwhile;
    const afterwards = shared.follow(ask, 'total');
    await answerNext();

    expect([await before, await meanwhile, await afterwards]).toEqual([1, 2, 3]);
  });

  it('belongs to one key', async () => {
    const { ask, answerNext } = aQuestion();
    const shared = new SingleFlight<number>();
    const answers = [shared.follow(ask, 'one'), shared.follow(ask, 'another')];
    await answerNext();
    await answerNext();

    expect(await Promise.all(answers)).toEqual([1, 2]);
  });

  it('fails for those who started it, and happens anew for those who came later', async () => {
    const shared = new SingleFlight<string>();
    const first = shared.follow(() => Promise.reject(new Error('no database')));
    const second = shared.follow(() => Promise.resolve('well again'));

    await expect(first).rejects.toThrow('no database');
    expect(await second).toBe('well again');
  });
});

describe('a run that callers join', () => {
  it('happens once for all who come while it is under way, and anew for who comes later', async () => {
    const { ask, answerNext, asked } = aQuestion();
    const shared = new SingleFlight<number>();
    const answers = [shared.join(ask), shared.join(ask), shared.join(ask)];

    await answerNext();
    expect(await Promise.all(answers)).toEqual([1, 1, 1]);
    const later = shared.join(ask);
    await answerNext();

    expect(await later).toBe(2);
    expect(asked()).toBe(2);
  });

  it('turns an error that is thrown at once into a rejection, and can be started again', async () => {
    const shared = new SingleFlight<string>();
    const failing = shared.join(() => {
      throw new Error('no database');
    });

    await expect(failing).rejects.toThrow('no database');
    expect(shared.isRunning()).toBe(false);
    expect(await shared.join(async () => 'well again')).toBe('well again');
  });
});

it('settles once the last of the runs has ended, failed ones included', async () => {
  const { ask, answerNext } = aQuestion();
  const shared = new SingleFlight<number>();
  const failed = shared.join(() => Promise.reject(new Error('no database')), 'other').catch(() => 'failed');
  const answers = [shared.join(ask), shared.follow(ask)];
  let isSettled = false;
  const settled = shared.settle().then(() => (isSettled = true));

  await answerNext();
  await answers[0];
  expect(isSettled).toBe(false);
  await answerNext();
  await settled;

  expect(await Promise.all([failed, ...answers])).toEqual(['failed', 1, 2]);
  await new SingleFlight().settle();
});
