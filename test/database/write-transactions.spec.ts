import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import {
  CommitUnknownError,
  TransactionNotBegunError,
  type TransactionWork,
  WriteTransactions,
} from '../../src/database/write-transactions.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { waitersFor } from '../support/locks.js';
import { startTripCounter, type TripCounter } from '../support/trip-counter.js';
import { until } from '../support/until.js';

const LOCK = 7_000_002;

describe('transactions for changes', () => {
  let database: TestDatabase;
  let operator: pg.Client;
  let counter: TripCounter;
  let source: DataSource;
  let transactions: WriteTransactions;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
    await operator.query('create table word (text text unique)');
    counter = await startTripCounter(database.url);
    const opened = await openDatabase(loadEnvironment({ DATABASE_URL: counter.url }));
    source = await new DataSource(dataSourceOptions(opened)).initialize();
    transactions = new WriteTransactions(source, opened);
  });
  afterAll(async () => {
    await source.destroy();
    await counter.close();
    await operator.end();
    await database.drop();
  });
  beforeEach(async () => {
    await operator.query('truncate word');
    await source.query('select 1');
  });

  /** The words that are there, read by another session. */
  const words = async () => (await operator.query<{ text: string }>('select text from word order by text')).rows;
  const add = (manager: EntityManager, text: string): Promise<unknown> =>
    manager.query('insert into word values ($1)', [text]);
  /** Reads how many words there are, and adds one more behind the begin. */
  const countAndAdd: TransactionWork<number[]> = async (manager, { begun, commitBehind }) => {
    const count = async () =>
      ((await manager.query('select count(*)::int as n from word where $1', [true])) as [{ n: number }])[0].n;
    const counts = [await count()];
    if (!(await begun())) counts.push(await count());
    await commitBehind(add(manager, `word ${counts.at(-1)}`));
    return counts;
  };
  const ahead = { lock: LOCK, readsAhead: true };

  it('take two round trips where the work reads ahead and commits behind what it writes', async () => {
    await transactions.run(countAndAdd, ahead);
    const before = counter.trips();

    const counts = await transactions.run(countAndAdd, ahead);

    expect(counter.trips() - before).toBe(2);
    expect(counts).toEqual([1]);
    expect(await words()).toEqual([{ text: 'word 0' }, { text: 'word 1' }]);
  });

  it('read again where another session has the lock, what that one has committed', async () => {
    await operator.query('begin');
    await operator.query(`select pg_advisory_xact_lock(${LOCK})`);
    await operator.query("insert into word values ('of the other')");
    const running = transactions.run(countAndAdd, ahead);
    await until(async () => (await waitersFor(operator, LOCK)) === 1);
    await operator.query('commit');

    expect(await running).toEqual([0, 1]);
    expect(await words()).toEqual([{ text: 'of the other' }, { text: 'word 1' }]);
  });

  it('do not begin where the lock is not to be had, and say so whatever the work reads', async () => {
    await operator.query(`select pg_advisory_lock(${LOCK})`);
    try {
      const failing = transactions.run(countAndAdd, { ...ahead, lockMs: 50 });
      await expect(failing).rejects.toThrow(TransactionNotBegunError);
      const reading = transactions.run((manager) => add(manager, 'never'), { lock: LOCK, lockMs: 50 });
      await expect(reading).rejects.toThrow(TransactionNotBegunError);
    } finally {
      await operator.query(`select pg_advisory_unlock(${LOCK})`);
    }
    expect(await words()).toEqual([]);
  });

  it.each([
    { patience: undefined, limits: ['1500ms', '4s', '3s'] },
    { patience: '3', limits: ['4500ms', '12s', '9s'] },
  ])('bear what DATABASE_WRITE_PATIENCE says ($patience)', async ({ patience, limits }) => {
    const env = patience === undefined ? {} : { DATABASE_WRITE_PATIENCE: patience };
    const opened = await openDatabase(
      loadEnvironment({ DATABASE_URL: database.url, DATABASE_LOCK_TIMEOUT_MS: '0', ...env }),
    );
    const patient = new WriteTransactions(source, opened);
    const sql = `select array[current_setting('lock_timeout'), current_setting('statement_timeout'),
      current_setting('idle_in_transaction_session_timeout')] as limits`;

    const read = async (lockMs?: number) => {
      const options = { lock: LOCK, ...(lockMs !== undefined && { lockMs }) };
      const [row] = await patient.run((manager) => manager.query<{ limits: string[] }[]>(sql), options);
      return row!.limits;
    };

    expect(await read()).toEqual(limits);
    // Who asks for less would do something else meanwhile.
    expect(await read(200)).toEqual(['200ms', ...limits.slice(1)]);
  });

  it('write nothing where a statement in front of the commit is refused, and say why', async () => {
    const work: TransactionWork<unknown> = (manager, { commitBehind }) =>
      commitBehind(Promise.all([add(manager, 'twice'), add(manager, 'twice')]));

    await expect(transactions.run(work)).rejects.toMatchObject({ driverError: { code: '23505' } });

    expect(await words()).toEqual([]);
    expect(await transactions.run(countAndAdd, ahead)).toEqual([0]);
  });

  it('refuse a statement behind the commit, which would be run without the locks', async () => {
    const twoStatements = async (manager: EntityManager) => {
      await add(manager, 'in time');
      await add(manager, 'too late');
    };
    const running = transactions.run((manager, { commitBehind }) => commitBehind(twoStatements(manager)));

    await expect(running).rejects.toThrow(/sent behind the commit/);
    expect(await words()).toEqual([{ text: 'in time' }]);
  });

  it('do not know what became of a commit that was sent when the work fails by itself', async () => {
    const work: TransactionWork<unknown> = (manager, { commitBehind }) =>
      commitBehind(add(manager, 'there').then(() => Promise.reject(new RangeError('an answer that cannot be read'))));

    await expect(transactions.run(work)).rejects.toThrow(CommitUnknownError);

    expect(await words()).toEqual([{ text: 'there' }]);
  });

  it('end with a rollback where the work fails before its commit, and the connection serves on', async () => {
    const failing = transactions.run(async (manager) => {
      await add(manager, 'never');
      throw new RangeError('changed its mind');
    });
    await expect(failing).rejects.toThrow('changed its mind');

    expect(await words()).toEqual([]);
    expect(await source.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
