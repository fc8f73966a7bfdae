import { jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommitUnknownError, TransactionNotBegunError } from '../../src/database/write-transactions.js';
import { OverloadedError } from '../../src/domain/domain-errors.js';
import { until } from '../support/until.js';
import { NEXT_BATCH, type Outcome, type Recording, SharedCommits } from '../../src/ledger/shared-commits.js';

/** Batches as they are recorded; each is held until it is let go or fails. */
class Recorder implements Recording<number, string> {
  readonly batches: number[][] = [];
  /** Whether each batch was told to wait for locks. */
  readonly patience: boolean[] = [];
  /** Questions for what became of a commit; each is held like a batch. */
  readonly asked: number[][] = [];
  /** What is there after a lost commit. */
  readonly kept = new Set<number>();
  /** Whether a transaction takes its changes only when it has begun. */
  isLate = false;
  /** How many of a batch are recorded at most; the others are put off. */
  most = Infinity;
  bytesOf: (change: number) => number = () => 1;
  groupOf?: (change: number) => string;
  private readonly ends: ((error?: Error) => void)[] = [];

  /** Odd numbers are refused. */
  async record(take: () => number[], isPatient: boolean): Promise<Outcome<string>[]> {
    if (this.isLate) await this.held();
    const changes = take();
    this.batches.push(changes);
    this.patience.push(isPatient);
    await this.held();
    return changes.map((change, index) => {
      if (index >= this.most) return NEXT_BATCH;
      return change % 2 === 0
        ? { status: 'fulfilled', value: `recorded ${change}` }
        : { status: 'rejected', reason: new Error(`refused ${change}`) };
    });
  }

  async findRecorded(changes: number[]): Promise<({ value: string } | null)[]> {
    this.asked.push(changes);
    await this.held();
    return changes.map((change) => (this.kept.has(change) ? { value: `found ${change}` } : null));
  }

  private held(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.ends.push((error) => (error ? reject(error) : resolve()));
    });
  }

  get isBusy(): boolean {
    return this.ends.length > 0;
  }

  /** Ends the oldest of what is held. */
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
  commits = new SharedCommits(recorder);
});

/** What a promise comes to while all that is held is let go, one after the other; undefined if to nothing. */
async function letGo<T>(promise: Promise<T>): Promise<T | undefined> {
  let result: T | undefined;
  void promise.then((value) => (result = value));
  for (let step = 0; result === undefined && step < 10_000; step += 1) {
    await (recorder.isBusy ? recorder.end() : nextTurn());
  }
  return result;
}

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

  it('take along what comes until the transaction has begun', async () => {
    recorder.isLate = true;
    const answers = settled(upTo(3).map((number) => commits.submit(number * 2)));

    await recorder.end();
    const late = commits.submit(6);
    await recorder.end();
    await recorder.end();
    await recorder.end();

    expect(recorder.batches).toEqual([[0, 2, 4], [6]]);
    expect([...(await answers), await late]).toEqual([0, 2, 4, 6].map((number) => `recorded ${number}`));
  });

  it('fail with a transaction that did not begin only if they waited for all of its time', async () => {
    recorder.isLate = true;
    const failing = settled([commits.submit(0)]);
    const late = commits.submit(2);

    await recorder.end(new TransactionNotBegunError(withCode('55P03')));
    await recorder.end();
    await recorder.end();

    expect(await failing).toEqual(['The transaction did not begin: 55P03']);
    expect(recorder.batches).toEqual([[2]]);
    expect(await late).toBe('recorded 2');
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

  it('are fewer of one batch where they are large, and at least one', async () => {
    recorder.bytesOf = (number) => (number === 4 ? 5_000_000 : 400_000);
    const answers = settled(upTo(7).map((number) => commits.submit(number * 2)));

    for (let batch = 0; batch < 5; batch += 1) await recorder.end();

    expect(recorder.batches).toEqual([[0], [2], [4], [6, 8], [10, 12]]);
    expect(new Set(await answers).size).toBe(7);
  });

  it('are refused where as many bytes wait as may', async () => {
    recorder.bytesOf = () => 900_000;
    const answers = settled(upTo(36).map((number) => commits.submit(number * 2)));

    await expect(commits.submit(0)).rejects.toBeInstanceOf(OverloadedError);

    for (let batch = 0; batch < 36; batch += 1) await recorder.end();
    expect(await answers).toHaveLength(36);
  });

  it('fill a batch, and the queue, to the last byte that is allowed', async () => {
    recorder.bytesOf = (number) => (number === 0 ? 1 : 500_000);
    const answers = settled(upTo(65).map((number) => commits.submit(number * 2)));

    await expect(commits.submit(0)).rejects.toBeInstanceOf(OverloadedError);

    for (let batch = 0; batch < 33; batch += 1) await recorder.end();
    expect(recorder.batches.map(({ length }) => length)).toEqual([1, ...Array.from({ length: 32 }, () => 2)]);
    expect(await answers).toHaveLength(65);
  });

  it('are taken again, as many as before, once those that waited are recorded, put off or refused', async () => {
    recorder.groupOf = (number) => String(number % 10);
    recorder.most = 100;
    const fill = async () => {
      const answers = settled(upTo(2001).map((number) => commits.submit(number * 2)));
      await expect(commits.submit(0)).rejects.toBeInstanceOf(OverloadedError);
      return answers;
    };
    const first = fill();
    await recorder.end();
    // The groups of one batch go apart, and wait there.
    await recorder.end(withCode('55P03'));
    const answers = await letGo(first);

    const second = await letGo(fill());

    expect(new Set(answers).size).toBe(2001);
    expect(second).toEqual(answers);
  });

  it('all fail at once where the disk is full', async () => {
    const answers = settled(upTo(3).map((number) => commits.submit(number * 2)));
    await recorder.end();

    await recorder.end(withCode('53100'));

    expect(recorder.batches).toEqual([[0], [2, 4]]);
    expect(await answers).toEqual(['recorded 0', '53100', '53100']);
  });

  it('go on being tried one by one where the database gives up one now and then', async () => {
    const answers = settled(upTo(5).map((number) => commits.submit(number * 2)));
    await recorder.end();
    await recorder.end(withCode('55P03'));

    await recorder.end(withCode('55P03'));
    await recorder.end();
    await recorder.end(withCode('55P03'));
    await recorder.end();

    expect(await answers).toEqual(['recorded 0', '55P03', 'recorded 4', '55P03', 'recorded 8']);
  });

  it('go first in the next batch where the one before has put them off', async () => {
    recorder.most = 2;
    const answers = settled(upTo(4).map((number) => commits.submit(number * 2)));
    await recorder.end();
    const late = commits.submit(8);

    await recorder.end();
    // One transaction at a time, whatever was put off.
    const latest = commits.submit(10);
    expect(recorder.batches).toEqual([[0], [2, 4, 6], [6, 8]]);
    await recorder.end();
    await recorder.end();

    expect(recorder.batches).toEqual([[0], [2, 4, 6], [6, 8], [10]]);
    expect([...(await answers), await late, await latest]).toEqual(
      [0, 2, 4, 6, 8, 10].map((number) => `recorded ${number}`),
    );
  });
});

describe('a commit whose answer was lost', () => {
  const lost = new CommitUnknownError(withCode('ECONNRESET'));

  it('is asked for, and what is there is acknowledged, and the rest fails', async () => {
    recorder.kept.add(4);
    const answers = settled(upTo(4).map((number) => commits.submit(number * 2)));
    await recorder.end();

    await recorder.end(lost);
    await recorder.end();

    expect(recorder.asked).toEqual([[2, 4, 6]]);
    expect(await answers).toEqual(['recorded 0', lost.message, 'found 4', lost.message]);
  });

  it('is asked for again where the database is still away, while other changes are tried', async () => {
    recorder.kept.add(0);
    const answer = settled([commits.submit(0)]);
    await recorder.end(lost);
    const next = settled([commits.submit(2)]);

    await recorder.end(withCode('57P03'));
    await recorder.end();
    await until(() => recorder.asked.length === 2);
    await recorder.end();

    expect(await next).toEqual(['recorded 2']);
    expect(await answer).toEqual(['found 0']);
  });

  it('fails where the database stays away for ten seconds', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const answer = settled([commits.submit(0)]);
    await recorder.end(lost);

    now.mockReturnValue(11_000);
    await recorder.end(withCode('57P03'));
    now.mockRestore();
    await until(() => recorder.asked.length === 2);
    jest.spyOn(performance, 'now').mockReturnValue(11_001);
    await recorder.end(withCode('57P03'));
    jest.restoreAllMocks();

    expect(await answer).toEqual([lost.message]);
    expect(recorder.asked).toHaveLength(2);
  });

  it('fails where the question itself does, for a reason that does not pass', async () => {
    const answer = settled([commits.submit(0)]);
    await recorder.end(lost);

    await recorder.end(withCode('42501'));

    expect(await answer).toEqual([lost.message]);
  });
});

describe('changes in groups of which somebody holds the lock of one', () => {
  beforeEach(() => {
    recorder.groupOf = (number) => String(number % 10);
  });

  it('are recorded group by group beside the batches that follow', async () => {
    const answers = settled([0, 2, 12, 4].map((number) => commits.submit(number)));
    await recorder.end();

    await recorder.end(new TransactionNotBegunError(withCode('55P03')));
    const next = commits.submit(6);

    expect(recorder.batches).toEqual([[0], [2, 12, 4], [2, 12], [4], [6]]);
    expect(recorder.patience).toEqual([false, false, true, true, false]);
    for (let batch = 0; batch < 3; batch += 1) await recorder.end();
    expect([...(await answers), await next]).toEqual([0, 2, 12, 4, 6].map((number) => `recorded ${number}`));
  });

  it('are recorded in the end where a transaction of one group puts them off while no other is under way', async () => {
    const answers = settled([0, 2, 12, 22].map((number) => commits.submit(number)));
    await recorder.end();
    await recorder.end(new TransactionNotBegunError(withCode('55P03')));

    recorder.most = 1;
    for (let batch = 0; batch < 3; batch += 1) await recorder.end();

    expect(recorder.batches).toEqual([[0], [2, 12, 22], [2, 12, 22], [12, 22], [22]]);
    expect(await answers).toEqual([0, 2, 12, 22].map((number) => `recorded ${number}`));
  });

  it('fail with the others where the database gives up two groups in a row', async () => {
    recorder.groupOf = String;
    const answers = settled(upTo(8).map((number) => commits.submit(number * 2)));
    await recorder.end();
    await recorder.end(new TransactionNotBegunError(withCode('55P03')));

    // Two at a time: the third one starts behind the first that failed.
    for (let group = 0; group < 3; group += 1) await recorder.end(withCode('55P03'));

    expect(recorder.batches.slice(2)).toEqual([[2], [4], [6]]);
    expect(await answers).toEqual(['recorded 0', ...Array.from({ length: 7 }, () => '55P03')]);
  });
});
