import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrationOptions } from '../../../src/database/data-source.js';
import { MIGRATIONS } from '../../../src/database/schema/migrations/index.js';
import { migrate } from '../../../src/database/schema/migrator.js';
import { createTestDatabase } from '../../support/database.js';
import { readStatements, type RecordedStatement, RELEASES } from './release-data.js';
import { restoreRelease } from './restore.js';

/**
 * Something in the schema that this version does not use any more, and the version before does. It stays until no
 * server of that one can run beside ours: servers of two neighbouring minor versions share a database during an upgrade
 * and when it is taken back. The cases below hold that the list names everything that no code uses.
 */
interface Droppable {
  kind: 'schema' | 'column' | 'index';
  /** `schema`, `table.column`, or the name of an index. */
  name: string;
  /** The last version that reads or writes it. */
  usedUntil: string;
  /** The first version whose migrations may drop it: two minor versions later. */
  droppedIn: string;
  why: string;
}

/** Oldest first. A change that stops using a table, a column or an index adds it here; the named version drops it. */
const DROPPABLE: Droppable[] = [
  {
    kind: 'schema',
    name: 'pgboss',
    usedUntil: '0.1.0',
    droppedIn: '0.3.0',
    why: 'jobs were rows of pg-boss; deliveries and batches have leases of their own. An operator may drop it earlier, once no server of 0.1.0 runs.',
  },
  {
    kind: 'column',
    name: 'archive_batch.reminded_at',
    usedUntil: '0.1.0',
    droppedIn: '0.3.0',
    why: 'when a job was sent for a batch that had lost its own',
  },
  {
    kind: 'index',
    name: 'proof_identity_trigrams',
    usedUntil: '0.1.0',
    droppedIn: '0.3.0',
    why: 'ambiguous searches ask the index of pieces. An operator may drop it earlier, once no server of 0.1.0 runs.',
  },
  {
    kind: 'index',
    name: 'proof_identity_grams',
    usedUntil: '0.1.0',
    droppedIn: '0.3.0',
    why: 'ambiguous searches ask it only until proof_search is filled. An operator may drop it earlier, once that is done and no server of 0.1.0 runs.',
  },
  {
    kind: 'index',
    name: 'proof_identity_pieces',
    usedUntil: '0.3.0',
    droppedIn: '0.5.0',
    why: 'ambiguous searches ask it only until proof_search is filled. An operator may drop it earlier, once that is done and no server of 0.2.0 runs.',
  },
];

/**
 * Indexes that begin with the columns of one of 0.1.0, which is dropped once they are built: they serve its statements
 * as well, and the planner might take the former one for those of this version, which would then read a whole name.
 */
const REPLACED = {
  'index proof_identity': 'index proof_holders',
  'index kv_entry_identity': 'index kv_entry_newest',
};

/** Texts that can be tried inside a transaction and taken back. */
const TRIABLE = /^\s*(select|insert|update|delete|with)\b/i;
/** Columns that only rules of the database itself use. */
const USED_BY_RULES = [
  'archive_item.previous_position',
  'chain_link.previous_position',
  'key_event.previous_position',
  'kv_patch.previous_position',
  'log_state.is_only',
];

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement with its recorded values, takes it back, and says what a server sees: columns, or the SQLSTATE. */
async function outcomeOf(client: pg.Client, { text, values, types }: RecordedStatement): Promise<string> {
  try {
    // Where no values were recorded it has none; its plan is as good as its run.
    const parameters = values ?? types?.map(() => null) ?? [];
    const { fields } = await client.query({ text, values: parameters });
    return fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join();
  } catch (error) {
    return `${(error as { code?: string }).code}`;
  } finally {
    await client.query('rollback to before; savepoint before');
  }
}

function outcomesOf(url: string, statements: RecordedStatement[]): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const outcomes: Record<string, string> = {};
    await client.query('begin; savepoint before');
    for (const statement of statements) outcomes[statement.text] = await outcomeOf(client, statement);
    await client.query('rollback');
    return outcomes;
  });
}

/** Tables, columns with their types, indexes and constraints, as lines. */
async function schemaOf(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ line: string }>(
      `select table_name || '.' || column_name || ' ' || data_type as line from information_schema.columns
       where table_schema in ('public', 'pgboss')
       union select 'index ' || indexname from pg_indexes where schemaname = 'public'
       order by line`,
    ),
  );
  return rows.map(({ line }) => line);
}

async function applyNext(url: string, count: number): Promise<void> {
  const dataSource = await new DataSource(migrationOptions(url, MIGRATIONS.slice(0, count))).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

describe.each(RELEASES)('the schema, while servers of version %s still run', (version) => {
  const statements = readStatements(version).filter(({ text }) => TRIABLE.test(text));

  it('answers every statement of theirs as before, after each migration and after all', async () => {
    const restored = await restoreRelease(version, 'postgres');
    try {
      const url = restored.url!;
      const before = await outcomesOf(url, statements);
      const applied = await withClient(url, (client) => client.query('select name from migrations'));

      // No migration touches the schema of pg-boss, so its statements are tried at the end alone.
      const own = statements.filter(({ text }) => !text.includes('pgboss'));
      const ownBefore = Object.fromEntries(own.map(({ text }) => [text, before[text]]));
      for (let count = applied.rowCount! + 1; count <= MIGRATIONS.length; count++) {
        await applyNext(url, count);
        expect({ after: MIGRATIONS[count - 1]!.name, ...(await outcomesOf(url, own)) }).toEqual({
          after: MIGRATIONS[count - 1]!.name,
          ...ownBefore,
        });
      }
      await migrate(url);
      expect(await outcomesOf(url, statements)).toEqual(before);
      // A row that an old server adds breaks no rule that is new: its values are refused for being there already.
      const adding = statements.filter(({ text }) => /^\s*insert/i.test(text) && !text.includes('pgboss'));
      expect(adding.length).toBeGreaterThan(5);
      expect(adding.map(({ text }) => before[text]).filter((outcome) => /^(23502|23514|42)/.test(outcome!))).toEqual(
        [],
      );
    } finally {
      await restored.drop();
    }
  });

  it('still has every table, column, type and index of theirs, or an index that serves as well', async () => {
    const restored = await restoreRelease(version, 'postgres');
    try {
      const before = await schemaOf(restored.url!);
      await migrate(restored.url!);
      const after = await schemaOf(restored.url!);

      expect(before.length).toBeGreaterThan(50);
      const gone = before.filter((line) => !after.includes(line));
      expect(gone).toEqual(version === '0.1.0' ? Object.keys(REPLACED).sort() : []);
      expect(after).toEqual(expect.arrayContaining(Object.values(REPLACED)));
    } finally {
      await restored.drop();
    }
  });

  it('was asked by all statements that were recorded, but for those of transactions, of the schema and of pg-boss', () => {
    const others = readStatements(version).filter(({ text }) => !TRIABLE.test(text) && !text.includes('pgboss'));
    const OWN = /^(\s|--.*\n)*(start|set|begin|commit|rollback|savepoint|release|create|alter|drop|listen)\b/i;

    expect(others.filter(({ text }) => !OWN.test(text))).toEqual([]);
  });
});

describe('the list of what may be dropped', () => {
  it('names every column that no code uses, and none that is used', async () => {
    const { url, drop } = await createTestDatabase();
    try {
      const { rows } = await withClient(url, (client) =>
        client.query<{ table: string; column: string }>(
          `select table_name as table, column_name as column from information_schema.columns
           where table_schema = 'public' and table_name not in ('migrations', 'pg_stat_statements')
           order by 1, 2`,
        ),
      );
      const source = sourceText();
      const isUsed = (column: string) => new RegExp(`\\b(${column}|${camelCase(column)})\\b`).test(source);
      const unused = rows.filter(({ column }) => !isUsed(column)).map(({ table, column }) => `${table}.${column}`);

      const listed = DROPPABLE.filter(({ kind }) => kind === 'column').map(({ name }) => name);
      expect(unused.filter((name) => !USED_BY_RULES.includes(name))).toEqual(listed.sort());
      expect(new Set(rows.map(({ table }) => table)).size).toBeGreaterThan(15);
    } finally {
      await drop();
    }
  });

  it('names every schema of a release that no code uses', () => {
    const listed = DROPPABLE.filter(({ kind }) => kind === 'schema').map(({ name }) => name);

    expect(listed.filter((name) => new RegExp(`\\b${name}\\.`).test(sourceText()))).toEqual([]);
    expect(listed).toEqual(['pgboss']);
  });

  it('names indexes that an upgraded database has, and a new one has not', async () => {
    const restored = await Promise.all(RELEASES.map((version) => restoreRelease(version, 'postgres')));
    const created = await createTestDatabase();
    try {
      for (const { url } of restored) await migrate(url!);
      const listed = DROPPABLE.filter(({ kind }) => kind === 'index').map(({ name }) => `index ${name}`);
      const upgraded = await Promise.all(restored.map(({ url }) => schemaOf(url!)));

      expect(upgraded.flat()).toEqual(expect.arrayContaining(listed));
      expect((await schemaOf(created.url)).filter((line) => listed.includes(line))).toEqual([]);
      expect(listed).toHaveLength(3);
    } finally {
      await created.drop();
      await Promise.all(restored.map(({ drop }) => drop()));
    }
  });

  it('lets each stay for a minor version after the last one that used it', () => {
    for (const { usedUntil, droppedIn } of DROPPABLE) {
      const [last, first] = [usedUntil, droppedIn].map((version) => Number(version.split('.')[1]));
      expect(first! - last!).toBeGreaterThanOrEqual(2);
    }
  });
});

/** The service without its migrations. */
function sourceText(): string {
  const root = fileURLToPath(new URL('../../../src', import.meta.url));
  return (
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      // Neither migrations nor the steps behind them, which bring former rows up to date.
      .filter((file) => file.endsWith('.ts') && !file.includes('migrations') && !file.endsWith('upgrade-steps.ts'))
      .map((file) => readFileSync(path.join(root, file), 'utf8'))
      .join('\n')
  );
}

function camelCase(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}
