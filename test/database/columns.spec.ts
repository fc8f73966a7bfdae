import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { parseBigint } from '../../src/database/connections/database-client.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { SnakeNaming } from '../../src/database/snake-naming.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

@Entity()
class TallyMark {
  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ type: 'bigint', nullable: true })
  previousMarkId: number | null;
}

describe('names in SQL', () => {
  const naming = new SnakeNaming();

  it.each([
    ['id', 'id'],
    ['lastCheckedAt', 'last_checked_at'],
    ['archiveURLText', 'archive_url_text'],
    ['already_snake', 'already_snake'],
    ['sha256Hex', 'sha256_hex'],
  ])('turns the property %s into the column %s', (property, column) => {
    expect(naming.columnName(property, undefined, [])).toBe(column);
  });

  it('takes a table from its class, unless a name is given', () => {
    expect(naming.tableName('ChainLink', undefined)).toBe('chain_link');
    expect(naming.tableName('ChainLink', 'links')).toBe('links');
  });

  it('puts the name of an embedded object before its columns', () => {
    expect(naming.columnName('firstSeen', undefined, ['evidence'])).toBe('evidence_first_seen');
  });
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

describe('an entity with bigint columns', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const open = await openDatabase(loadEnvironment({ DATABASE_URL: database.url }));
    dataSource = await new DataSource(dataSourceOptions(open, [TallyMark])).initialize();
    await dataSource.query('create table tally_mark (id bigint primary key, previous_mark_id bigint)');
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  it('is written and read with numbers, as rows of raw SQL are', async () => {
    const marks = dataSource.getRepository(TallyMark);

    await marks.insert([
      { id: 4_294_967_296, previousMarkId: null },
      { id: 4_294_967_297, previousMarkId: 4_294_967_296 },
    ]);

    expect(await marks.find({ order: { id: 'asc' } })).toEqual([
      { id: 4_294_967_296, previousMarkId: null },
      { id: 4_294_967_297, previousMarkId: 4_294_967_296 },
    ]);
    expect(await dataSource.query('select count(*), max(id) from tally_mark')).toEqual([
      { count: 2, max: 4_294_967_297 },
    ]);
  });

  it('fails to load where the stored value is beyond a number', async () => {
    await dataSource.query(`insert into tally_mark values (9007199254740993, null)`);

    await expect(dataSource.getRepository(TallyMark).find()).rejects.toThrow('9007199254740993');
  });
});
