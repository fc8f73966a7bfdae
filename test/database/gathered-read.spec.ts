import type pg from 'pg';
import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { GatheredRead } from '../../src/database/connections/gathered-read.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

interface Word {
  text: string;
}

describe('lookups by key', () => {
  let database: TestDatabase;
  let source: DataSource;
  let statements = 0;
  let words: GatheredRead<Word>;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const opened = await openDatabase(loadEnvironment({ DATABASE_URL: database.url }));
    source = await new DataSource(dataSourceOptions(opened)).initialize();
    // Each statement takes a connection of its own from the pool.
    (source.driver as unknown as { master: pg.Pool }).master.on('acquire', () => (statements += 1));
    await source.query('create table word (owner int, text text)');
    await source.query(`insert into word select owner, 'word ' || owner from generate_series(1, 200) as owner`);
    await source.query(`insert into word values (7, 'another'), (7, 'between')`);
    words = new GatheredRead(source, {
      key: { owner: 'int', prefix: 'text' },
      tables: ['word'],
      sql: `select text, row_number() over (order by text collate "C" desc)::int as position
        from word where owner = key.owner and starts_with(text, key.prefix)`,
    });
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });
  beforeEach(() => (statements = 0));

  const textsOf = async (owner: number, prefix = ''): Promise<string[]> =>
    (await words.rows(owner, prefix)).map(({ text }) => text);

  it('that are asked at once share a statement, and each asker gets its own rows in their order', async () => {
    const answers = await Promise.all([textsOf(3), textsOf(7), textsOf(999), textsOf(3), textsOf(7, 'a')]);

    expect(answers).toEqual([['word 3'], ['word 7', 'between', 'another'], [], ['word 3'], ['another']]);
    expect(statements).toBe(1);
  });

  it('take another statement for each 64 keys', async () => {
    const owners = Array.from({ length: 200 }, (_, index) => index + 1);

    const answers = await Promise.all(owners.map((owner) => textsOf(owner, 'word')));

    expect(answers).toEqual(owners.map((owner) => [`word ${owner}`]));
    expect(statements).toBe(4);
  });

  it('ask alone for what had many rows the last time, until it has few', async () => {
    await source.query(`insert into word select 300, 'many ' || n from generate_series(1, 150) as n`);
    const sizes = async () => (await Promise.all([textsOf(3), textsOf(300), textsOf(5)])).map((texts) => texts.length);
    const asked: number[] = [];
    const ask = async () => {
      statements = 0;
      const found = await sizes();
      asked.push(statements);
      return found;
    };

    expect([await ask(), await ask()]).toEqual([
      [1, 150, 1],
      [1, 150, 1],
    ]);
    await source.query(`delete from word where owner = 300 and text <> 'many 1'`);
    expect([await ask(), await ask()]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    expect(asked).toEqual([1, 2, 2, 1]);
  });

  it('remember nothing: what was written before a question is in its answer', async () => {
    const before = await textsOf(1);
    await source.query(`insert into word values (1, 'a new one')`);

    expect([before, await textsOf(1)]).toEqual([['word 1'], ['word 1', 'a new one']]);
  });

  it('fail for the one alone whose value the database cannot take', async () => {
    const [good, bad, another] = await Promise.allSettled([textsOf(3), textsOf(4, 'a\0b'), textsOf(5)]);

    expect(good).toEqual({ status: 'fulfilled', value: ['word 3'] });
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
    expect(another).toEqual({ status: 'fulfilled', value: ['word 5'] });
  });

  it('fail for all, and are not tried again, when the statement itself fails', async () => {
    const sql = 'select 1 from nowhere where key.owner = 1';
    const lost = new GatheredRead(source, { key: { owner: 'int' }, tables: ['nowhere'], sql });

    const answers = await Promise.allSettled([lost.rows(1), lost.rows(2)]);

    expect(answers).toMatchObject(Array(2).fill({ status: 'rejected', reason: { code: '42P01' } }));
    expect(statements).toBe(1);
  });
});
