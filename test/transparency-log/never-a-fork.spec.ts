import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { metricsWithGauges } from '../support/gauges.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { writeKv } from '../kv/kv-scenario.js';
import { countRecords, headOfRecords, readEntries, readHead, recordsOf } from './log-client.js';
import { forgedLink, rollBackTo, runLogCommand, tamper } from './tampering.js';

const alice = anAvatar('alice');
const RECORDS = 5;

/** A database with a log of five records, of which copies are made, and what a server has remembered of it. */
let original: TestDatabase;
let dataDir: string;
let headFile: string;
/** Entries of its newest tree head, and of the one before its last record. */
let size: number;
let sizeBefore: number;
const copies: TestDatabase[] = [];

async function copy(): Promise<TestDatabase> {
  const made = await createEmptyDatabase(`template ${new URL(original.url).pathname.slice(1)}`);
  copies.push(made);
  await runLogCommand(made.url, dataDir, ['continue', 'a copy for a test']);
  return made;
}

const command = (url: string, ...words: string[]) => runLogCommand(url, dataDir, words);

/** What a server has remembered of the original. */
async function headInFile(): Promise<{ origin: string; size: number; root: string }> {
  return JSON.parse(await readFile(path.join(dataDir, headFile), 'utf8')) as {
    origin: string;
    size: number;
    root: string;
  };
}

const startOn = (url: string, env: Record<string, string> = {}): Promise<RunningApp> =>
  startApp({ databaseUrl: url, env: { DATA_DIR: dataDir, ...env } });

const refusalOf = async (server: RunningApp): Promise<string> => {
  let problem = '';
  await until(async () => {
    const { body } = await server.get('/v1/log');
    problem = body.problem;
    return body.state === 'refused';
  });
  return problem;
};

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  original = await createTestDatabase();
  const server = await startOn(original.url);
  try {
    for (const name of ['one', 'two', 'three']) await linkWallet(server, alice, aWallet(name));
    await writeKv(server, alice, { name: 'Alice' });
    sizeBefore = (await headOfRecords(server, RECORDS - 1)).size;
    await writeKv(server, alice, { name: 'Alicia' });
    size = (await headOfRecords(server, RECORDS)).size;
  } finally {
    await server.close();
  }
  headFile = (await readdir(dataDir)).find((file) => file.startsWith('log-head-'))!;
});
afterAll(async () => {
  for (const made of copies) await made.drop();
  await original?.drop();
});

describe('npm run log -- check', () => {
  it('finds all as it was signed where nobody has changed anything', async () => {
    const { code, said } = await command(original.url, 'check');

    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringMatching(/: \d+ entries and \d+ stored tree heads\. All is/),
    });
  });

  it.each([
    [
      'an entry that was removed',
      () => ['delete from log_leaf where leaf_index = 1'],
      /Entry 1 is not in the database any more/,
    ],
    [
      'a tree head that was changed',
      () => [`update log_checkpoint set root = set_byte(root, 0, 255 - get_byte(root, 0)) where size = ${size}`],
      /The stored tree head of \d+ entries is not the one/,
    ],
    [
      'a tree head with another signature',
      () => [
        `update log_checkpoint set note = regexp_replace(note, '(.{9})\\n$', 'AAAAAAAA=\\n') where size = ${size}`,
      ],
      /The stored tree head of \d+ entries/,
    ],
    [
      'numbers of last records that are older than the tree',
      () => [`update log_feed set last_id = last_id - 1 where kind = 'kv'`],
      /log_feed says 1 for kv, and the entries say 2/,
    ],
  ])('notices %s', async (_what, statements, finding) => {
    const { url } = await copy();
    await tamper(url, ...statements());

    const { code, said } = await command(url, 'check');

    expect(said).toMatch(finding);
    expect(code).toBe(1);
  });

  it('says how it is used, and that there is nothing to check', async () => {
    expect(await command(original.url)).toMatchObject({ code: 2, said: expect.stringContaining('Usage') });
    for (const words of [['new-origin'], ['new-origin', ' '], ['new-origin', 'two', 'words'], ['check', '--fast']])
      expect(await command(original.url, ...words)).toMatchObject({ code: 2, said: expect.stringContaining('Usage') });
    const { url, drop } = await createTestDatabase();
    expect(await command(url, 'check')).toMatchObject({ code: 0, said: expect.stringContaining('no log') });
    await drop();
  });

  it('says in one sentence that there is nothing of this service, or that it is of an older version', async () => {
    const empty = await createEmptyDatabase();
    const nothing = await command(empty.url, 'check');
    const { url } = await copy();
    await tamper(url, `delete from migrations where name like 'Subkeys%'`);
    const older = [await command(url, 'check'), await command(url, 'new-origin', 'a restore')];

    expect(nothing).toEqual({ code: 2, said: 'There are no tables of this service.' });
    for (const said of older) {
      expect(said).toEqual({
        code: 2,
        said: expect.stringMatching(/^The schema lacks Subkeys\d+; start this version once\.$/),
      });
    }
    await empty.drop();
  });
});

describe('a server', () => {
  /** The database as it was at an earlier tree head. */
  const rolledBack = () => [...rollBackTo(sizeBefore), 'delete from kv_patch where feed_id = 2'];

  it('signs nothing over an older database, says so everywhere, and goes on serving', async () => {
    const { url } = await copy();
    await tamper(url, ...rolledBack());
    const server = await startOn(url);
    try {
      expect(await refusalOf(server)).toContain(`A tree head of ${size} entries was signed`);
      const health = await server.get('/healthz');
      const ready = await server.get('/readyz');
      expect(health.body.log).toMatchObject({
        ...{ state: 'refused', size: sizeBefore },
        problem: expect.stringContaining(`${size} entries`),
      });
      expect({ status: ready.status, log: ready.body.log.state }).toEqual({ status: 200, log: 'refused' });
      expect(await metricsWithGauges(server)).toMatch(/^signet_log_refused 1$/m);
      expect((await linkWallet(server, alice, aWallet('four'))).status).toBe(201);
      expect((await server.get('/v1/proofchain/changes?last_id=3')).body.links).toHaveLength(1);
      const waiting = await server.get('/v1/log/proof?kind=link&id=4');
      expect({ status: waiting.status, code: waiting.body.code }).toEqual({ status: 404, code: 'not_yet_logged' });
      expect(waiting.headers.get('retry-after')).toBe('1');
      expect((await readHead(server))?.size ?? 0).toBeLessThan(size);
    } finally {
      await server.close();
    }
    // Another server, which has not seen the newer tree head, does not sign either.
    const other = await startOn(url, { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'signet-test-')) });
    try {
      expect(await refusalOf(other)).toContain(`A tree head of ${size} entries was signed`);
    } finally {
      await other.close();
    }
  });

  it('signs nothing over a feed with a hole', async () => {
    const { url } = await copy();
    await tamper(url, forgedLink(5));
    const server = await startOn(url);
    try {
      expect(await refusalOf(server)).toContain('has no 4, but later ones');
    } finally {
      await server.close();
    }
  });

  it.each([
    ['older than the tree', `update log_feed set last_id = last_id - 1 where kind = 'kv'`],
    ['lost', 'delete from log_feed'],
  ])('signs nothing while the numbers of the last records are %s', async (_what, statement) => {
    const { url } = await copy();
    await tamper(url, 'create table kept as table log_feed', statement);
    const server = await startOn(url, { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'signet-test-')) });
    try {
      expect(await refusalOf(server)).toContain('The rows of log_feed are not those of log_state');
      expect((await linkWallet(server, alice, aWallet('five'))).status).toBe(201);
      expect((await readHead(server))?.size ?? 0).toBeLessThanOrEqual(size);

      await tamper(url, 'delete from log_feed', 'insert into log_feed table kept');
      expect((await headOfRecords(server, RECORDS + 1)).size).toBeGreaterThan(size);
    } finally {
      await server.close();
    }
  });

  it('signs nothing under another name than before, until a new origin is begun', async () => {
    const { url } = await copy();
    const server = await startOn(url, { LOG_ORIGIN: 'log.example/new' });
    try {
      expect(await refusalOf(server)).toContain('begin a new origin');
    } finally {
      await server.close();
    }
  });

  it('signs nothing if what it remembered cannot be read', async () => {
    const { url } = await copy();
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    await writeFile(path.join(folder, headFile), '{"size":');
    const server = await startOn(url, { DATA_DIR: folder });
    try {
      expect(await refusalOf(server)).toContain('cannot be read');
    } finally {
      await server.close();
    }
  });

  it('remembers the newest tree head in a file that is made whole or not at all', async () => {
    const head = await headInFile();

    expect(head).toEqual({
      origin: expect.stringMatching(/^self-/),
      size,
      root: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

/** The entries of links and patches. */
async function textsOfRecords(server: RunningApp): Promise<string[]> {
  const entries = await readEntries(server, (await readHead(server))!.size);
  return recordsOf(entries)
    .map(({ bytes }) => Buffer.from(bytes).toString())
    .sort();
}

describe('npm run log -- new-origin', () => {
  it('ends the log, and a server that runs makes the next one of all links and patches under another name', async () => {
    const { url } = await copy();
    const server = await startOn(url);
    try {
      const before = await headOfRecords(server, RECORDS);
      const records = await textsOfRecords(server);

      const { code, said } = await command(url, 'new-origin', 'restored from a backup');

      expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining(`The log ${before.origin} has ended`) });
      await until(async () => {
        const head = await readHead(server);
        return head !== null && head.origin !== before.origin && (await countRecords(server)) === RECORDS;
      });
      await until(async () => (await server.get('/v1/log')).body.state === 'ok');
      expect(await command(url, 'check')).toMatchObject({ code: 0 });
      expect(await textsOfRecords(server)).toEqual(records);
    } finally {
      await server.close();
    }
  });

  it('asks for another LOG_ORIGIN where the operator has named the log', async () => {
    const { url } = await copy();
    const { origin } = await headInFile();

    const answer = await runLogCommand(url, dataDir, ['new-origin', 'test'], { LOG_ORIGIN: origin });

    expect(answer).toEqual({
      code: 2,
      said: expect.stringContaining('Set LOG_ORIGIN to another name'),
    });
  });
});
