import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCheckpoint } from '@signet/verify/log';
import pg from 'pg';
import { migrate } from '../../src/database/schema/migrator.js';
import { verifyCommand } from '../../src/audit/verify-command.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import {
  copyMigratedCluster,
  createEmptyDatabase,
  createTestDatabase,
  startEmbeddedTestDatabase,
} from '../support/database.js';
import { startPostgres, type TestPostgres } from '../support/postgres.mjs';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { copyTables } from './copy-tables.js';
import { countRecords, getRaw, headOfRecords } from './log-client.js';
import { rollBackTo, runLogCommand, tamper } from './tampering.js';

/** Links in the log when it was copied, and now. */
const [OLD, NEW] = [3, 5];
const RESTORED = /^This database was restored from a copy, or moved,.*new-origin.*continue/;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const [alice, mallory] = [anAvatar('alice'), anAvatar('mallory')];

const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));
const conditionOf = async (server: RunningApp): Promise<{ state: string; problem: string; size: number }> =>
  (await server.get('/v1/log')).body;
const isIn = (server: RunningApp, state: string) => until(async () => (await conditionOf(server)).state === state);

/** Root of each tree head that was ever signed, by the name of the log and its size. */
const roots = new Map<string, string>();

async function note(server: RunningApp): Promise<void> {
  const { origin, size, root } = readCheckpoint((await getRaw(server, '/log/checkpoint')).text)!;
  const other = roots.get(`${origin} ${size}`) ?? '';
  roots.set(`${origin} ${size}`, Buffer.from(root).toString('hex'));
  if (other) expect(other).toBe(roots.get(`${origin} ${size}`));
}

/** Links wallets until the log has `links` of them, and notes each tree head. @returns the size of the last one */
async function growTo(server: RunningApp, links: number, avatar: TestAvatar): Promise<number> {
  await isIn(server, 'ok');
  for (let before = await countRecords(server); before < links; before++) {
    expect((await linkWallet(server, avatar, aWallet(`${avatar.key.compressed} ${before}`))).status).toBe(201);
    await headOfRecords(server, before + 1);
    await note(server);
  }
  return (await conditionOf(server)).size;
}

/**
 * Links as many wallets as the lost log has links, and shows that nothing is signed behind the `oldSize` entries that
 * are there.
 */
async function assertSignsNothing(server: RunningApp, oldSize: number, problem: RegExp): Promise<void> {
  await isIn(server, 'refused');
  for (let n = OLD; n <= NEW; n++) {
    expect((await linkWallet(server, mallory, aWallet(`mallory ${n}`))).status).toBe(201);
  }
  await until(async () => (await server.get('/v1/log')).body.waiting === NEW - OLD + 1);
  const { size, ...condition } = await conditionOf(server);
  expect(condition.problem).toMatch(problem);
  expect({ state: condition.state, size }).toEqual({ state: 'refused', size: oldSize });
  expect((await server.get('/readyz')).body.log).toMatchObject({ state: 'refused', problem: condition.problem });
  await note(server);
}

async function verify(settings: Record<string, string>): Promise<{ code: number; said: string[] }> {
  const said: string[] = [];
  const code = await verifyCommand(settings, [], (line) => said.push(line));
  return { code, said };
}

describe('a PostgreSQL that is restored', () => {
  let original: string;
  let dataDir: string;
  /** Holds the database as it was with `OLD` links, as a dump would. */
  let dump: string;
  let oldSize: number;
  let otherCluster: TestPostgres;
  const drops: (() => Promise<void>)[] = [];

  const start = (databaseUrl: string, DATA_DIR: string, env: Record<string, string> = {}) =>
    startApp({ databaseUrl, env: { DATA_DIR, ...env } });

  /** All rows of `from`, inserted into a migrated database, as `pg_restore` does it. */
  async function restoreInto(from: string, to: string): Promise<void> {
    const clients = [from, to].map((connectionString) => new pg.Client({ connectionString })) as [pg.Client, pg.Client];
    try {
      await Promise.all(clients.map((client) => client.connect()));
      await copyTables(...clients);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  }

  async function restored(): Promise<string> {
    const { url, drop } = await createTestDatabase();
    drops.push(drop);
    await restoreInto(dump, url);
    return url;
  }

  beforeAll(async () => {
    dataDir = await aFolder();
    const made = await createTestDatabase();
    original = made.url;
    drops.push(made.drop);
    otherCluster = await startPostgres({});
    const before = await start(original, dataDir);
    oldSize = await growTo(before, OLD, alice);
    await before.close();
    const kept = await createTestDatabase();
    drops.push(kept.drop);
    await restoreInto(original, kept.url);
    dump = kept.url;
    const server = await start(original, dataDir);
    await growTo(server, NEW, alice);
    await server.close();
  });
  afterAll(async () => {
    for (const drop of drops) await drop();
    await otherCluster?.stop();
  });

  it.each([
    ['into the same cluster, with the file in DATA_DIR', false, /A tree head of \d+ entries was signed/, true],
    ['into the same cluster, with DATA_DIR emptied', false, RESTORED, false],
    ['into another cluster, with DATA_DIR emptied', true, RESTORED, false],
  ])('%s: signs nothing, whatever is written', async (_how, isElsewhere, problem, keepsFile) => {
    let url = await restored();
    if (isElsewhere) {
      url = otherCluster.url;
      await migrate(url);
      await restoreInto(dump, url);
    }
    const server = await start(url, keepsFile ? dataDir : await aFolder());
    try {
      await assertSignsNothing(server, oldSize, problem);
    } finally {
      await server.close();
    }
  });

  it('as a copy that its own cluster makes (create database … template) signs nothing either', async () => {
    const copy = await createEmptyDatabase(`template ${new URL(dump).pathname.slice(1)}`);
    drops.push(copy.drop);
    const server = await start(copy.url, await aFolder());
    try {
      await isIn(server, 'refused');
      expect((await conditionOf(server)).problem).toMatch(RESTORED);
    } finally {
      await server.close();
    }
  });

  it('npm run verify says so, and what to run before the next start', async () => {
    const [now, before] = [await verify({ DATABASE_URL: original }), await verify({ DATABASE_URL: await restored() })];

    expect(now).toMatchObject({ code: 0 });
    expect(now.said.join('\n')).not.toContain('new-origin');
    expect(before.code).toBe(0);
    expect(before.said.at(-1)).toMatch(RESTORED);
  });

  it('goes on under another name after npm run log -- new-origin, while it runs', async () => {
    const [url, folder] = [await restored(), await aFolder()];
    const server = await start(url, folder);
    try {
      await isIn(server, 'refused');
      const { origin } = readCheckpoint((await getRaw(server, '/log/checkpoint')).text)!;
      const { code } = await runLogCommand(url, folder, ['new-origin', 'restored from the backup of the night']);
      await isIn(server, 'ok');
      await growTo(server, NEW, mallory);

      expect(code).toBe(0);
      expect((await server.get('/v1/log')).body.origin).not.toBe(origin);
    } finally {
      await server.close();
    }
  });

  it('goes on under its name after npm run log -- continue, unless a file knows a newer tree head', async () => {
    const [moved, folder] = [await createTestDatabase(), await aFolder()];
    drops.push(moved.drop);
    await restoreInto(original, moved.url);
    const [one, other] = [await start(moved.url, folder), await start(moved.url, await aFolder())];
    try {
      for (const server of [one, other]) await isIn(server, 'refused');
      const old = await runLogCommand(await restored(), dataDir, ['continue', 'moved']);
      const { code, said } = await runLogCommand(moved.url, folder, ['continue', 'moved to a larger machine']);
      for (const server of [one, other]) await isIn(server, 'ok');
      await growTo(one, NEW + 1, alice);
      await headOfRecords(other, NEW + 1);

      expect(old).toEqual({
        code: 1,
        said: expect.stringMatching(/A tree head of \d+ entries was signed.*new-origin/),
      });
      expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/goes on here, behind its \d+ entries/) });
      expect(await runLogCommand(moved.url, folder, ['continue', 'again'])).toEqual({
        ...{ code: 0, said: 'The log is signed where it always was; there is nothing to decide.' },
      });
      expect(await runLogCommand(moved.url, folder, ['check'])).toMatchObject({ code: 0 });
    } finally {
      await one.close();
      await other.close();
    }
  });

  it('and holds the newest tree head that a running server has seen is gone on with by that server', async () => {
    const moved = await createTestDatabase();
    drops.push(moved.drop);
    const server = await start(moved.url, await aFolder());
    try {
      await growTo(server, 1, alice);
      // What another session writes, without triggers, has the looks of a row that was copied.
      await tamper(moved.url, `update log_state set place = '{"database":"1"}'`);
      await growTo(server, 2, alice);
      expect((await conditionOf(server)).state).toBe('ok');
    } finally {
      await server.close();
    }
  });

  it('is not confused with one whose tables VACUUM FULL or CLUSTER has written anew, or that got a column', async () => {
    const made = await createTestDatabase();
    drops.push(made.drop);
    const before = await start(made.url, await aFolder());
    await growTo(before, 1, alice);
    await before.close();
    const client = new pg.Client({ connectionString: made.url });
    await client.connect();
    for (const sql of ['vacuum (freeze) log_state', 'vacuum full log_state', 'cluster log_state using log_state_pkey'])
      await client.query(sql);
    await client.query('alter table log_state add column later int not null default 1');
    await client.end();

    const server = await start(made.url, await aFolder());
    try {
      await growTo(server, 2, alice);
    } finally {
      await server.close();
    }
  });

  it('as a snapshot of its disk, which leaves no trace in it, is noticed by LOG_HEAD_FOLDERS', async () => {
    const made = await createTestDatabase();
    drops.push(made.drop);
    const elsewhere = await aFolder();
    const before = await start(made.url, await aFolder(), { LOG_HEAD_FOLDERS: elsewhere });
    const oldSize = await growTo(before, 1, alice);
    const size = await growTo(before, 2, alice);
    await before.close();
    const client = new pg.Client({ connectionString: made.url });
    await client.connect();
    // With the trigger at work the row of the log is like one that a server has written.
    for (const sql of rollBackTo(oldSize)) await client.query(sql);
    await client.end();

    const server = await start(made.url, await aFolder(), { LOG_HEAD_FOLDERS: elsewhere });
    try {
      await isIn(server, 'refused');
      expect((await conditionOf(server)).problem).toContain(`A tree head of ${size} entries was signed`);
    } finally {
      await server.close();
    }
  });
});

describe('an embedded database that is restored', () => {
  const start = async (DATA_DIR: string) =>
    startApp({ database: await startEmbeddedTestDatabase(DATA_DIR), env: { DATA_DIR } });

  /** Runs a script of the service as an operator does. */
  function command(script: string, DATA_DIR: string, ...words: string[]): { code: number | null; said: string[] } {
    const env = { PATH: process.env.PATH, DATA_DIR };
    const { status, stdout } = spawnSync(process.execPath, [`${ROOT}scripts/${script}`, ...words], {
      env,
      encoding: 'utf8',
    });
    return { code: status, said: stdout.trim().split('\n') };
  }

  it('by putting a copy of its folder back signs nothing until a new log is begun, and moving the folder is no restore', async () => {
    const folder = await aFolder();
    const [data, moved, backup] = ['data', 'moved', 'data-backup'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    await copyMigratedCluster(data);
    const before = await start(data);
    const oldSize = await growTo(before, OLD, alice);
    await before.close();
    execFileSync('cp', ['-a', data, backup]);
    await rename(data, moved);
    const server = await start(moved);
    await growTo(server, NEW, alice);
    await server.close();

    await rm(moved, { recursive: true });
    await cp(backup, moved, { recursive: true, preserveTimestamps: true });
    const verified = command('verify.mjs', moved);
    const after = await start(moved);
    try {
      expect(verified.code).toBe(0);
      expect(verified.said.at(-1)).toMatch(RESTORED);
      await assertSignsNothing(after, oldSize, RESTORED);
    } finally {
      await after.close();
    }

    const ended = command('log.mjs', moved, 'new-origin', 'restored from the copy of the night');
    expect(ended).toMatchObject({ code: 0, said: [expect.stringContaining('has ended')] });
    const began = await start(moved);
    try {
      await growTo(began, NEW + 2, mallory);
      expect((await conditionOf(began)).state).toBe('ok');
    } finally {
      await began.close();
    }
  });
});
