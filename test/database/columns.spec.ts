import { Column, DataSource } from 'typeorm';
import { parseBigint } from '../../src/database/connections/database-client.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { TableColumns } from '../../src/database/table-columns.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

class TallyMark {
  @Column('bigint')
  id: number;

  @Column('timestamptz')
  lastCheckedAt: Date;

  @Column('text')
  archiveURLText: string;

  @Column('text')
  already_snake: string;

  @Column('text')
  sha256Hex: string;

  @Column('integer', { name: 'turn' })
  sequence: number;
}

it('turns properties into columns, unless a name is given', () => {
  expect(TableColumns.of(TallyMark).names).toBe(
    'id, last_checked_at, archive_url_text, already_snake, sha256_hex, turn',
  );
});

describe('64-bit integers', () => {
  it('are numbers up to 2^53 - 1', () => {
    expect(parseBigint('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseBigint('-7')).toBe(-7);
  });

  it.each(['9007199254740992', '9223372036854775807', '-9007199254740992', '1.5', 'seven', ''])(
    'are refused as %p, which a number cannot hold',
    (text) => {
      expect(() => parseBigint(text)).toThrow(RangeError);
    },
  );
});

describe('a table with bigint columns', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const open = await openDatabase(loadEnvironment({ DATABASE_URL: database.url }));
    dataSource = await new DataSource(dataSourceOptions(open)).initialize();
    await dataSource.query('create table tally_mark (id bigint primary key, previous_mark_id bigint)');
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  it('is written and read with numbers', async () => {
    await dataSource.query('insert into tally_mark values ($1, null), ($2, $1)', [4_294_967_296, 4_294_967_297]);

    expect(await dataSource.query('select id, previous_mark_id as previous from tally_mark order by id')).toEqual([
      { id: 4_294_967_296, previous: null },
      { id: 4_294_967_297, previous: 4_294_967_296 },
    ]);
    expect(await dataSource.query('select count(*), max(id) from tally_mark')).toEqual([
      { count: 2, max: 4_294_967_297 },
    ]);
  });

  it('fails to be read where the stored value is beyond a number', async () => {
    await dataSource.query(`insert into tally_mark values (9007199254740993, null)`);

    await expect(dataSource.query('select id from tally_mark')).rejects.toThrow('9007199254740993');
  });
});
