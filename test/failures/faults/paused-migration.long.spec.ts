import pg from 'pg';
import type { Answer } from '../../support/app.js';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { linkWallet } from '../../support/scenario.js';
import {
  launchService,
  type ServiceProcess,
  type StartingService,
  startService,
} from '../../support/service-process.js';
import { until } from '../../support/until.js';

/** Only what a migration says of itself ends its session. */
const UNLIMITED = { DATABASE_IDLE_IN_TRANSACTION_MS: '0' };

let database: TestDatabase;
let operator: pg.Client;
let other: ServiceProcess;
let upgrading: StartingService;

beforeAll(async () => {
  database = await createTestDatabase();
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  other = await startService({ DATABASE_URL: database.url });
});
afterAll(async () => {
  upgrading?.signal('SIGCONT');
  await Promise.all([other, upgrading].map((server) => server?.kill9()));
  await operator.end();
  await database.drop();
});

const link = (name: string): Promise<Answer> => linkWallet(other, anAvatar(name), aWallet(name));

/**
 * Starts a server that has to apply the migration `UpgradeSteps`, and stops it (SIGSTOP) when that holds `proof`: the
 * operator keeps it from writing to `migrations`, which is the last thing that a migration does.
 */
async function stopInsideMigration(): Promise<void> {
  await operator.query(`drop table upgrade_step; delete from migrations where name = 'UpgradeSteps1763701500000'`);
  await operator.query('begin; lock table migrations in share mode');
  upgrading = launchService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...UNLIMITED });
  await until(async () => (await locks('migrations', false)) > 0);
  upgrading.signal('SIGSTOP');
  await operator.query('rollback');
  await until(async () => (await locks('migrations', false)) === 0);
}

/** Locks of a table against writers that other sessions hold (`granted`) or wait for. */
async function locks(table: string, granted: boolean): Promise<number> {
  const { rows } = await operator.query<{ count: number }>(
    `select count(*)::int as count from pg_locks
     where database = (select oid from pg_database where datname = current_database())
       and relation = $1::regclass and granted = $2 and pid <> pg_backend_pid()
       and (mode in ('ShareRowExclusiveLock', 'AccessExclusiveLock') or not granted)`,
    [table, granted],
  );
  return rows[0]!.count;
}

it('a server that stops (SIGSTOP) inside a migration delays the writes of others by seconds, and finishes its start later', async () => {
  expect((await link('before')).status).toBe(201);
  await stopInsideMigration();
  const startedAt = performance.now();
  const held = await locks('proof', true);

  await until(async () => (await link(`meanwhile ${performance.now()}`)).status === 201);
  const resumedMs = performance.now() - startedAt;
  upgrading.signal('SIGCONT');
  const upgraded = await upgrading.ready();

  process.stdout.write(`a server that is paused in a migration: links in ${Math.round(resumedMs)} ms\n`);
  // The pause did stop the writes: otherwise the next line shows nothing.
  expect(held).toBeGreaterThan(0);
  expect((await upgraded.get('/readyz')).status).toBe(200);
  const { rows } = await operator.query(`select from migrations where name = 'UpgradeSteps1763701500000'`);
  expect(rows).toHaveLength(1);
  expect((await link('after')).status).toBe(201);
});
