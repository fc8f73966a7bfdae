import { jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { type Refusal, RefusalCounter } from '../../src/bounds/refusal-counter.js';
import {
  CommitUnknownError,
  TransactionNotBegunError,
  type TransactionWork,
  type WriteOptions,
} from '../../src/database/write-transactions.js';
import { OverloadedError } from '../../src/domain/domain-errors.js';
import { BatchRecorder } from '../../src/ledger/batch-recorder.js';
import type { ChainState, SignedItem } from '../../src/ledger/signed-chain.js';
import { anAvatar } from '../support/avatar.js';
import { until } from '../support/until.js';

/** Transactions that are held, at their beginning if they are late, and before their commit, until they may go on. */
class HeldTransactions {
  /** Numbers of each batch, in the order in which they took them. */
  readonly batches: number[][] = [];
  /** Whether each batch waits for locks as long as it may. */
  readonly patience: boolean[] = [];
  /** Questions for what became of a commit; each is held like a batch. */
  readonly asked: number[][] = [];
  /** What is there after a lost commit. */
  readonly kept = new Set<number>();
  /** Whether a transaction takes its items only when it has begun. */
  isLate = false;
  /** Whether no other server has the lock for all when a transaction begins. */
  isLockFree = true;
  private readonly ends: ((error?: Error) => void)[] = [];

  async transaction<T>(work: TransactionWork<T>, { lockMs }: WriteOptions = {}): Promise<T> {
    if (this.isLate) await this.held();
    this.patience.push(lockMs === undefined);
    const result = await work(NO_DATABASE, { begun: () => this.begun(), commitBehind: (written) => written });
    await this.held();
    return result;
  }

  /** Where another server has the lock, it is held until the transaction has it. */
  private async begun(): Promise<boolean> {
    if (this.isLockFree) return true;
    await this.held();
    return false;
  }

  async findCommitted(_sql: string, uuids: string[]): Promise<Set<string>> {
    this.asked.push(uuids.map(Number));
    await this.held();
    return new Set(uuids.filter((uuid) => this.kept.has(Number(uuid))));
  }

  private held(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.ends.push((error) => (error ? reject(error) : resolve()));
    });
  }

  get isBusy(): boolean {
    return this.ends.length > 0;
  }

  /** Ends the oldest of what is held, or what is held next. */
  async end(error?: Error): Promise<void> {
    while (!this.isBusy) await nextTurn();
    this.ends.shift()!(error);
    await nextTurn();
  }
}

const NO_DATABASE = {} as EntityManager;
/** A millisecond for batches: what an impatient one is known by. */
const BATCH_LOCK_MS = 1;

interface NumberItem extends SignedItem {
  number: number;
}

/** A kind of chain whose items are numbers; odd ones are refused by its rules. */
class NumberRecorder extends BatchRecorder<NumberItem, ChainState, number, string> {
  protected readonly table = 'number';
  protected override readonly batchLockMs = BATCH_LOCK_MS;
  protected lock: number | (() => string) = 7;
  bytes: (number: number) => number = () => 1;
  avatarOf: (number: number) => string = String;
  /** How many of a batch are recorded at most; the others are put off. */
  most = Infinity;
  /** What the next item of each Avatar is signed on. */
  private readonly heads = new Map<string, string>();

  constructor(
    private readonly held: HeldTransactions,
    refusals: RefusalCounter,
  ) {
    super(held, held, refusals);
  }

  /** Each batch takes the locks of its Avatars, which `avatarOf` names. */
  lockByAvatar(avatarOf: (number: number) => string): void {
    this.avatarOf = avatarOf;
    this.lock = () => 'select';
  }

  submit(number: number): Promise<string> {
    const name = this.avatarOf(number);
    const signed = { platform: 'github', identity: 'alice', createdAt: new Date(0), signaturePayload: '{}' };
    const chain = { uuid: String(number), signature: `s${number}`, previous: this.heads.get(name) ?? null };
    this.heads.set(name, chain.signature);
    return this.record({ number, avatar: avatarNamed(name), ...signed, ...chain });
  }

  protected verify = () => ({ ok: true, complete: true, steps: [] });
  protected bytesOf = ({ number }: NumberItem) => this.bytes(number);

  protected async begin(_manager: EntityManager, items: NumberItem[]): Promise<undefined> {
    this.held.batches.push(items.map(({ number }) => number));
  }

  protected async readStates(_manager: EntityManager, items: NumberItem[]): Promise<ChainState[]> {
    return items
      .slice(0, this.most)
      .map(({ previous }) => ({ head: previous, headAt: null, length: 0, isRecorded: false }));
  }

  protected accept = ({ number }: NumberItem) => (number % 2 === 0 ? number : new Error(`refused ${number}`));

  protected async write(_manager: EntityManager, accepted: number[]): Promise<string[]> {
    return accepted.map((number) => `recorded ${number}`);
  }

  protected async findResult({ number }: NumberItem): Promise<string> {
    return `found ${number}`;
  }
}

const keys = new Map<string, NumberItem['avatar']>();
function avatarNamed(name: string): NumberItem['avatar'] {
  const key = keys.get(name) ?? anAvatar(name).key;
  keys.set(name, key);
  return key;
}

const withCode = (code: string) => Object.assign(new Error(code), { code });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const settled = (promises: Promise<string>[]) =>
  Promise.allSettled(promises).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
  );

let held: HeldTransactions;
let recorder: NumberRecorder;
let refused: Refusal[];
beforeEach(() => {
  held = new HeldTransactions();
  refused = [];
  const refusals = new RefusalCounter();
  refusals.counted.subscribe((refusal) => refused.push(refusal));
  recorder = new NumberRecorder(held, refusals);
});

/** What a promise comes to while all that is held is let go, one after the other; undefined if to nothing. */
async function letGo<T>(promise: Promise<T>): Promise<T | undefined> {
  let result: T | undefined;
  void promise.then((value) => (result = value));
  for (let step = 0; result === undefined && step < 10_000; step += 1) {
    await (held.isBusy ? held.end() : nextTurn());
  }
  return result;
}

describe('changes that share commits', () => {
  it('are recorded at once where nothing is under way', async () => {
    const alone = recorder.submit(0);

    expect(held.batches).toEqual([[0]]);
    await held.end();
    expect(await alone).toBe('recorded 0');
  });

  it('go together with the batch behind the one under way, and each gets its own answer', async () => {
    const answers = settled(upTo(4).map((number) => recorder.submit(number)));

    await held.end();
    expect(held.batches).toEqual([[0], [1, 2, 3]]);
    await held.end();

    expect(await answers).toEqual(['recorded 0', 'refused 1', 'recorded 2', 'refused 3']);
  });

  it('are at most two hundred of one batch, in the order in which they came', async () => {
    const answers = settled(upTo(302).map((number) => recorder.submit(number)));

    await held.end();
    await held.end();
    await held.end();

    expect(held.batches.map(({ length }) => length)).toEqual([1, 200, 101]);
    expect(held.batches.flat()).toEqual(upTo(302));
    expect(new Set(await answers).size).toBe(302);
  });

  it('are refused where two thousand wait already', async () => {
    const answers = settled(upTo(2001).map((number) => recorder.submit(number)));
    expect(refused).toEqual([]);

    await expect(recorder.submit(0)).rejects.toBeInstanceOf(OverloadedError);
    expect(refused).toEqual([{ by: 'record_queue', times: 1 }]);

    for (let batch = 0; batch < 11; batch += 1) await held.end();
    expect(await answers).toHaveLength(2001);
  });

  it('are tried one by one after a statement that failed for a reason of one row, which fails alone', async () => {
    const answers = settled(upTo(4).map((number) => recorder.submit(number * 2)));
    await held.end();

    await held.end(withCode('22021'));
    await held.end();
    await held.end(withCode('22021'));
    await held.end();

    expect(held.batches).toEqual([[0], [2, 4, 6], [2], [4], [6]]);
    expect(await answers).toEqual(['recorded 0', 'recorded 2', '22021', 'recorded 6']);
  });

  it('all fail with the database, which may have committed them, and are not tried again', async () => {
    const answers = settled(upTo(3).map((number) => recorder.submit(number * 2)));
    await held.end();

    await held.end(withCode('57P01'));

    expect(held.batches).toEqual([[0], [2, 4]]);
    expect(await answers).toEqual(['recorded 0', '57P01', '57P01']);
  });

  it('all fail at once where the lock of the transaction is not to be had', async () => {
    const answers = settled(upTo(3).map((number) => recorder.submit(number * 2)));
    await held.end();

    await held.end(new TransactionNotBegunError(withCode('55P03')));

    expect(held.batches).toEqual([[0], [2, 4]]);
    expect(await answers).toEqual([
      'recorded 0',
      'The transaction did not begin: 55P03',
      'The transaction did not begin: 55P03',
    ]);
  });

  it('take along what comes until the transaction has begun', async () => {
    held.isLate = true;
    const answers = settled(upTo(3).map((number) => recorder.submit(number * 2)));

    await held.end();
    const late = recorder.submit(6);
    await held.end();
    await held.end();
    await held.end();

    expect(held.batches).toEqual([[0, 2, 4], [6]]);
    expect([...(await answers), await late]).toEqual([0, 2, 4, 6].map((number) => `recorded ${number}`));
  });

  it('take along what comes while another server has the lock, and are read again', async () => {
    held.isLockFree = false;
    const first = recorder.submit(0);
    while (!held.isBusy) await nextTurn();
    const late = settled([2, 4].map((number) => recorder.submit(number)));

    await held.end();
    await held.end();

    expect(held.batches).toEqual([[0], [0, 2, 4]]);
    expect([await first, ...(await late)]).toEqual([0, 2, 4].map((number) => `recorded ${number}`));
  });

  it('fail with a transaction that did not begin only if they waited for all of its time', async () => {
    held.isLate = true;
    const failing = settled([recorder.submit(0)]);
    const late = recorder.submit(2);

    await held.end(new TransactionNotBegunError(withCode('55P03')));
    await held.end();
    await held.end();

    expect(await failing).toEqual(['The transaction did not begin: 55P03']);
    expect(held.batches).toEqual([[2]]);
    expect(await late).toBe('recorded 2');
  });

  it('stop being tried one by one after two that the database gave up for their time', async () => {
    const answers = settled(upTo(5).map((number) => recorder.submit(number * 2)));
    await held.end();

    await held.end(withCode('55P03'));
    await held.end(withCode('55P03'));
    await held.end(withCode('55P03'));

    expect(held.batches).toEqual([[0], [2, 4, 6, 8], [2], [4]]);
    expect(await answers).toEqual(['recorded 0', '55P03', '55P03', '55P03', '55P03']);
  });

  it('go on after a batch that failed', async () => {
    const failing = settled([recorder.submit(0)]);
    await held.end(withCode('57P01'));
    const next = recorder.submit(2);
    await held.end();

    expect([...(await failing), await next]).toEqual(['57P01', 'recorded 2']);
  });

  it('are fewer of one batch where they are large, and at least one', async () => {
    recorder.bytes = (number) => (number === 4 ? 5_000_000 : 400_000);
    const answers = settled(upTo(7).map((number) => recorder.submit(number * 2)));

    for (let batch = 0; batch < 5; batch += 1) await held.end();

    expect(held.batches).toEqual([[0], [2], [4], [6, 8], [10, 12]]);
    expect(new Set(await answers).size).toBe(7);
  });

  it('are refused where as many bytes wait as may', async () => {
    recorder.bytes = () => 900_000;
    const answers = settled(upTo(36).map((number) => recorder.submit(number * 2)));

    await expect(recorder.submit(0)).rejects.toBeInstanceOf(OverloadedError);

    for (let batch = 0; batch < 36; batch += 1) await held.end();
    expect(await answers).toHaveLength(36);
  });

  it('fill a batch, and the queue, to the last byte that is allowed', async () => {
    recorder.bytes = (number) => (number === 0 ? 1 : 500_000);
    const answers = settled(upTo(65).map((number) => recorder.submit(number * 2)));

    await expect(recorder.submit(0)).rejects.toBeInstanceOf(OverloadedError);

    for (let batch = 0; batch < 33; batch += 1) await held.end();
    expect(held.batches.map(({ length }) => length)).toEqual([1, ...Array.from({ length: 32 }, () => 2)]);
    expect(await answers).toHaveLength(65);
  });

  it('are taken again, as many as before, once those that waited are recorded, put off or refused', async () => {
    recorder.lockByAvatar(String);
    recorder.most = 100;
    const fill = async () => {
      const answers = settled(upTo(2001).map((number) => recorder.submit(number * 2)));
      await expect(recorder.submit(0)).rejects.toBeInstanceOf(OverloadedError);
      return answers;
    };
    const first = fill();
    await held.end();
    // The groups of one batch go apart, and wait there.
    await held.end(withCode('55P03'));
    const answers = await letGo(first);

    const second = await letGo(fill());

    expect(new Set(answers).size).toBe(2001);
    expect(second).toEqual(answers);
  });

  it('all fail at once where the disk is full', async () => {
    const answers = settled(upTo(3).map((number) => recorder.submit(number * 2)));
    await held.end();

    await held.end(withCode('53100'));

    expect(held.batches).toEqual([[0], [2, 4]]);
    expect(await answers).toEqual(['recorded 0', '53100', '53100']);
  });

  it('go on being tried one by one where the database gives up one now and then', async () => {
    const answers = settled(upTo(5).map((number) => recorder.submit(number * 2)));
    await held.end();
    await held.end(withCode('55P03'));

    await held.end(withCode('55P03'));
    await held.end();
    await held.end(withCode('55P03'));
    await held.end();

    expect(await answers).toEqual(['recorded 0', '55P03', 'recorded 4', '55P03', 'recorded 8']);
  });

  it('go first in the next batch where the one before has put them off', async () => {
    recorder.most = 2;
    const answers = settled(upTo(4).map((number) => recorder.submit(number * 2)));
    await held.end();
    const late = recorder.submit(8);

    await held.end();
    // One transaction at a time, whatever was put off.
    const latest = recorder.submit(10);
    expect(held.batches).toEqual([[0], [2, 4, 6], [6, 8]]);
    await held.end();
    await held.end();

    expect(held.batches).toEqual([[0], [2, 4, 6], [6, 8], [10]]);
    expect([...(await answers), await late, await latest]).toEqual(
      [0, 2, 4, 6, 8, 10].map((number) => `recorded ${number}`),
    );
  });
});

describe('a commit whose answer was lost', () => {
  const lost = new CommitUnknownError(withCode('ECONNRESET'));

  it('is asked for, and what is there is acknowledged, and the rest fails', async () => {
    held.kept.add(4);
    const answers = settled(upTo(4).map((number) => recorder.submit(number * 2)));
    await held.end();

    await held.end(lost);
    await held.end();

    expect(held.asked).toEqual([[2, 4, 6]]);
    expect(await answers).toEqual(['recorded 0', lost.message, 'found 4', lost.message]);
  });

  it('is asked for again where the database is still away, while other changes are tried', async () => {
    held.kept.add(0);
    const answer = settled([recorder.submit(0)]);
    await held.end(lost);
    const next = settled([recorder.submit(2)]);

    await held.end(withCode('57P03'));
    await held.end();
    await until(() => held.asked.length === 2);
    await held.end();

    expect(await next).toEqual(['recorded 2']);
    expect(await answer).toEqual(['found 0']);
  });

  it('fails where the database stays away for ten seconds', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const answer = settled([recorder.submit(0)]);
    await held.end(lost);

    now.mockReturnValue(11_000);
    await held.end(withCode('57P03'));
    now.mockRestore();
    await until(() => held.asked.length === 2);
    jest.spyOn(performance, 'now').mockReturnValue(11_001);
    await held.end(withCode('57P03'));
    jest.restoreAllMocks();

    expect(await answer).toEqual([lost.message]);
    expect(held.asked).toHaveLength(2);
  });

  it('fails where the question itself does, for a reason that does not pass', async () => {
    const answer = settled([recorder.submit(0)]);
    await held.end(lost);

    await held.end(withCode('42501'));

    expect(await answer).toEqual([lost.message]);
  });
});

describe('changes in groups of which somebody holds the lock of one', () => {
  beforeEach(() => {
    recorder.lockByAvatar((number) => String(number % 10));
  });

  it('are recorded group by group beside the batches that follow', async () => {
    const answers = settled([0, 2, 12, 4].map((number) => recorder.submit(number)));
    await held.end();

    await held.end(new TransactionNotBegunError(withCode('55P03')));
    const next = recorder.submit(6);

    expect(held.batches).toEqual([[0], [2, 12, 4], [2, 12], [4], [6]]);
    expect(held.patience).toEqual([false, false, true, true, false]);
    for (let batch = 0; batch < 3; batch += 1) await held.end();
    expect([...(await answers), await next]).toEqual([0, 2, 12, 4, 6].map((number) => `recorded ${number}`));
  });

  it('are recorded in the end where a transaction of one group puts them off while no other is under way', async () => {
    const answers = settled([0, 2, 12, 22].map((number) => recorder.submit(number)));
    await held.end();
    recorder.most = 1;
    await held.end(new TransactionNotBegunError(withCode('55P03')));

    for (let batch = 0; batch < 3; batch += 1) await held.end();

    expect(held.batches).toEqual([[0], [2, 12, 22], [2, 12, 22], [12, 22], [22]]);
    expect(await answers).toEqual([0, 2, 12, 22].map((number) => `recorded ${number}`));
  });

  it('fail with the others where the database gives up two groups in a row', async () => {
    recorder.lockByAvatar(String);
    const answers = settled(upTo(8).map((number) => recorder.submit(number * 2)));
    await held.end();
    await held.end(new TransactionNotBegunError(withCode('55P03')));

    // Two at a time: the third one starts behind the first that failed.
    for (let group = 0; group < 3; group += 1) await held.end(withCode('55P03'));

    expect(held.batches.slice(2)).toEqual([[2], [4], [6]]);
    expect(await answers).toEqual(['recorded 0', ...Array.from({ length: 7 }, () => '55P03')]);
  });
});
