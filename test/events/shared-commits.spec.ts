import { setImmediate as nextTurn } from 'node:timers/promises';
import { TransactionNotBegunError } from '../../src/database/write-transactions.js';
import { OverloadedError } from '../../src/domain/domain-errors.js';
import { SharedCommits } from '../../src/events/shared-commits.js';

/** Batches as they are recorded; each is held until it is let go or fails. */
class Recorder {
  readonly batches: number[][] = [];
  private readonly ends: ((error?: Error) => void)[] = [];

  /** Odd numbers are refused. */
  readonly record = async (changes: number[]): Promise<PromiseSettledResult<string>[]> => {
    this.batches.push(changes);
    await new Promise<void>((resolve, reject) => {
      this.ends.push((error) => (error ? reject(error) : resolve()));
    });
    return changes.map((change) =>
      change % 2 === 0
        ? { status: 'fulfilled', value: `recorded ${change}` }
        : { status: 'rejected', reason: new Error(`refused ${change}`) },
    );
  };

  /** Ends the batch under way. */
  async end(error?: Error): Promise<void> {
    this.ends.shift()!(error);
    await nextTurn();
  }
}

const withCode = (code: string) => Object.assign(new Error(code), { code });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const settled = (promises: Promise<string>[]) =>
  Promise.allSettled(promises).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
  );

let recorder: Recorder;
let commits: SharedCommits<number, string>;
beforeEach(() => {
  recorder = new Recorder();
  commits = new SharedCommits(recorder.record);
});

describe('changes that share commits', () => {
  it('are recorded at once where nothing is under way', async () => {
    const alone = commits.submit(0);

    expect(recorder.batches).toEqual([[0]]);
    await recorder.end();
    expect(await alone).toBe('recorded 0');
  });

  it('go together with the batch behind the one under way, and each gets its own answer', async () => {
    const answers = settled(upTo(4).map((number) => commits.submit(number)));

    await recorder.end();
    expect(recorder.batches).toEqual([[0], [1, 2, 3]]);
    await recorder.end();

    expect(await answers).toEqual(['recorded 0', 'refused 1', 'recorded 2', 'refused 3']);
  });

  it('are at most two hundred of one batch, in the order in which they came', async () => {
    const answers = settled(upTo(302).map((number) => commits.submit(number)));

    await recorder.end();
    await recorder.end();
    await recorder.end();

    expect(recorder.batches.map(({ length }) => length)).toEqual([1, 200, 101]);
    expect(recorder.batches.flat()).toEqual(upTo(302));
    expect(new Set(await answers).size).toBe(302);
  });

  it('are refused where two thousand wait already', async () => {
    const answers = settled(upTo(2001).map((number) => commits.submit(number)));

    await expect(commits.submit(0)).rejects.toBeInstanceOf(OverloadedError);

    for (let batch = 0; batch < 11; batch += 1) await recorder.end();
    expect(await answers).toHaveLength(2001);
  });

  it('are tried one by one after a statement that failed for a reason of one row, which fails alone', async () => {
    const answers = settled(upTo(4).map((number) => commits.submit(number * 2)));
    await recorder.end();

    await recorder.end(withCode('22021'));
    await recorder.end();
    await recorder.end(withCode('22021'));
    await recorder.end();

    expect(recorder.batches).toEqual([[0], [2, 4, 6], [2], [4], [6]]);
    expect(await answers).toEqual(['recorded 0', 'recorded 2', '22021', 'recorded 6']);
  });

  it('all fail with the database, which may have committed them, and are not tried again', async () => {
    const answers = settled(upTo(3).map((number) => commits.submit(number * 2)));
    await recorder.end();

    await recorder.end(withCode('57P01'));

    expect(recorder.batches).toEqual([[0], [2, 4]]);
    expect(await answers).toEqual(['recorded 0', '57P01', '57P01']);
  });

  it('all fail at once where the lock of the transaction is not to be had', async () => {
    const answers = settled(upTo(3).map((number) => commits.submit(number * 2)));
    await recorder.end();

    await recorder.end(new TransactionNotBegunError(withCode('55P03')));

    expect(recorder.batches).toEqual([[0], [2, 4]]);
    expect(await answers).toEqual([
      'recorded 0',
      'The transaction did not begin: 55P03',
      'The transaction did not begin: 55P03',
    ]);
  });

  it('stop being tried one by one after two that the database gave up for their time', async () => {
    const answers = settled(upTo(5).map((number) => commits.submit(number * 2)));
    await recorder.end();

    await recorder.end(withCode('55P03'));
    await recorder.end(withCode('55P03'));
    await recorder.end(withCode('55P03'));

    expect(recorder.batches).toEqual([[0], [2, 4, 6, 8], [2], [4]]);
    expect(await answers).toEqual(['recorded 0', '55P03', '55P03', '55P03', '55P03']);
  });

  it('go on after a batch that failed', async () => {
    const failing = settled([commits.submit(0)]);
    await recorder.end(withCode('57P01'));
    const next = commits.submit(2);
    await recorder.end();

    expect([...(await failing), await next]).toEqual(['57P01', 'recorded 2']);
  });
});
