import { SharedAnswers } from '../../src/proof/shared-answers.js';

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

describe('an answer that callers share', () => {
  it('is asked at most twice for any number of callers at the same time', async () => {
    const { ask, answerNext, asked } = aQuestion();
    const shared = new SharedAnswers<number>();
    const answers = Array.from({ length: 50 }, () => shared.get('total', ask));

    await answerNext();
    expect(await answers[0]).toBe(1);
    await answerNext();

    expect(await Promise.all(answers.slice(1))).toEqual(Array(49).fill(2));
    expect(asked()).toBe(2);
  });

  it('is never older than the question', async () => {
    const { ask, answerNext } = aQuestion();
    const shared = new SharedAnswers<number>();
    const before = shared.get('total', ask);
    const meanwhile = shared.get('total', ask);
    await answerNext();
    await before;
    await answerNext();
    await meanwhile;
    const afterwards = shared.get('total', ask);
    await answerNext();

    expect([await before, await meanwhile, await afterwards]).toEqual([1, 2, 3]);
  });

  it('belongs to one question', async () => {
    const { ask, answerNext } = aQuestion();
    const shared = new SharedAnswers<number>();
    const answers = [shared.get('one', ask), shared.get('another', ask)];
    await answerNext();
    await answerNext();

    expect(await Promise.all(answers)).toEqual([1, 2]);
  });

  it('fails for those who asked, and is asked anew for those who came later', async () => {
    const shared = new SharedAnswers<string>();
    const first = shared.get('total', () => Promise.reject(new Error('no database')));
    const second = shared.get('total', () => Promise.resolve('well again'));

    await expect(first).rejects.toThrow('no database');
    expect(await second).toBe('well again');
  });
});
