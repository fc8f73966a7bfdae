import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/database/schema/migrations/index.js';
import { migrate } from '../../src/database/schema/migrator.js';
import { BUILT, runModule } from '../support/child.js';
import { createEmptyDatabase, startEmbeddedTestDatabase } from '../support/database.js';

class First1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table applied (name text)');
    await queryRunner.query(`insert into applied values ('first')`);
  }
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table applied');
  }
}

class Second1700000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Long enough that the others arrive while this one is at work.
    await queryRunner.query('select pg_sleep(0.2)');
    await queryRunner.query(`insert into applied values ('second')`);
  }
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`delete from applied where name = 'second'`);
  }
}

class Broken1700000000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`insert into applied values ('broken')`);
    await queryRunner.query('select * from no_such_table');
  }
  async down(): Promise<void> {}
}

interface TestedDatabase {
  url: string;
  close(): Promise<void>;
}

async function onPostgres(): Promise<TestedDatabase> {
  const { url, drop } = await createEmptyDatabase();
  return { url, close: drop };
}

async function onEmbedded(): Promise<TestedDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  const { url, close } = await startEmbeddedTestDatabase(path.join(folder, 'data'));
  return {
    url,
    close: async () => {
      await close();
      await rm(folder, { recursive: true });
    },
  };
}

async function namesApplied(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select name from applied');
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

describe.each([
  { engine: 'PostgreSQL', start: onPostgres },
  { engine: 'the embedded database', start: onEmbedded },
])('migrating $engine', ({ start }) => {
  let database: TestedDatabase;

  beforeEach(async () => {
    database = await start();
  });

  afterEach(() => database.close());

  it('applies what is pending, in order, and says what that was', async () => {
    const applied = await migrate(database.url, [First1700000000001, Second1700000000002]);

    expect(applied).toEqual(['First1700000000001', 'Second1700000000002']);
    expect(await namesApplied(database.url)).toEqual(['first', 'second']);
  });

  it('applies a migration once, and later ones at a later start', async () => {
    await migrate(database.url, [First1700000000001]);

    expect(await migrate(database.url, [First1700000000001])).toEqual([]);
    expect(await migrate(database.url, [First1700000000001, Second1700000000002])).toEqual(['Second1700000000002']);
    expect(await namesApplied(database.url)).toEqual(['first', 'second']);
  });

  it('leaves nothing of one that fails, and keeps those before it', async () => {
    await migrate(database.url, [First1700000000001]);
    const all = [First1700000000001, Second1700000000002, Broken1700000000003];

    await expect(migrate(database.url, all)).rejects.toThrow('no_such_table');

    expect(await namesApplied(database.url)).toEqual(['first', 'second']);
    expect(await migrate(database.url, all.slice(0, 2))).toEqual([]);
  });

  it('applies the schema of the service', async () => {
    const applied = await migrate(database.url);

    expect(applied.length).toBeGreaterThan(0);
    expect(await migrate(database.url)).toEqual([]);
  });
});

describe('several servers that start at once on a fresh PostgreSQL', () => {
  let database: TestedDatabase;

  beforeEach(async () => {
    database = await onPostgres();
  });

  afterEach(() => database.close());

  it('apply each migration once between them', async () => {
    const migrations = [First1700000000001, Second1700000000002];

    const answers = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, migrations)));

    expect(answers.flat().sort()).toEqual(['First1700000000001', 'Second1700000000002']);
    expect(await namesApplied(database.url)).toEqual(['first', 'second']);
  });

  it('do so as processes of their own', async () => {
    const server = `
      import { migrate } from '${BUILT}database/schema/migrator.js';
      console.log(JSON.stringify(await migrate(process.argv[1])));
    `;

    const lines = await Promise.all([1, 2, 3, 4].map(() => runModule(server, database.url).line()));

    const applied = lines.flatMap((line) => JSON.parse(line) as string[]);
    expect(applied.sort()).toEqual(MIGRATIONS.map(({ name }) => name).sort());
  });
});
