import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { headOfRecords } from './log-client.js';
import { runLogCommand } from './tampering.js';

const alice = anAvatar('alice');
const LOG_KEY = '5c'.repeat(32);

const databases: TestDatabase[] = [];
afterAll(() => Promise.all(databases.map((database) => database.drop())));

const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));
async function anEmptyDatabase(): Promise<string> {
  const made = await createTestDatabase();
  databases.push(made);
  return made.url;
}
const start = (databaseUrl: string, DATA_DIR: string, env: Record<string, string> = { LOG_KEY }) =>
  startApp({ databaseUrl, env: { DATA_DIR, ...env }, isLogUnknown: true });
const isIn = (server: RunningApp, state: string) =>
  until(async () => (await server.get('/v1/log')).body.state === state);

it('a server whose LOG_KEY may have signed elsewhere signs nothing in an empty database until its log is called new', async () => {
  const [url, folder] = [await anEmptyDatabase(), await aFolder()];
  const server = await start(url, folder);
  try {
    await isIn(server, 'refused');
    const link = await linkWallet(server, alice, aWallet('one'));
    const { problem, size, origin } = (await server.get('/v1/log')).body;

    expect({ status: link.status, receipt: link.body.receipt, size }).toEqual({
      status: 201,
      receipt: undefined,
      size: 0,
    });
    expect(problem).toMatch(/^This database has no log, and LOG_KEY may have signed the log self-.*new-origin/);
    expect(await runLogCommand(url, folder, ['new-origin', 'the first start'], { LOG_KEY })).toEqual({
      code: 0,
      said: `The log ${origin} begins here. Servers that run need no restart.`,
    });
    await headOfRecords(server, 1);
    await isIn(server, 'ok');
  } finally {
    await server.close();
  }
});

it('nor does the command believe that it is new where a file knows a tree head of it', async () => {
  const folder = await aFolder();
  const first = await startApp({ databaseUrl: await anEmptyDatabase(), env: { DATA_DIR: folder, LOG_KEY } });
  await linkWallet(first, alice, aWallet('one'));
  const { size } = await headOfRecords(first, 1);
  await first.close();
  const empty = await anEmptyDatabase();

  const server = await start(empty, folder);
  try {
    await isIn(server, 'refused');
    expect((await server.get('/v1/log')).body.problem).toContain(`A tree head of ${size} entries was signed`);
    expect(await runLogCommand(empty, folder, ['new-origin', 'it is new'], { LOG_KEY })).toEqual({
      code: 1,
      said: expect.stringMatching(/^A tree head of \d+ entries of the log self-.* was signed: it is not new\.$/),
    });
  } finally {
    await server.close();
  }
});

it('a server without settings makes a key of its own, and signs at once', async () => {
  const server = await start(await anEmptyDatabase(), await aFolder(), {});
  try {
    await linkWallet(server, alice, aWallet('one'));
    await headOfRecords(server, 1);
  } finally {
    await server.close();
  }
});

it('the next log of a given key begins by the word that ended the last one', async () => {
  const [databaseUrl, folder] = [await anEmptyDatabase(), await aFolder()];
  const env = { LOG_KEY, LOG_ORIGIN: 'one.example/log' };
  const one = await startApp({ databaseUrl, env: { DATA_DIR: folder, ...env } });
  await linkWallet(one, alice, aWallet('one'));
  await headOfRecords(one, 1);
  await one.close();
  const next = { LOG_KEY, LOG_ORIGIN: 'two.example/log' };

  expect(await runLogCommand(databaseUrl, folder, ['new-origin', 'a test'], next)).toMatchObject({ code: 0 });

  const two = await start(databaseUrl, folder, next);
  try {
    await headOfRecords(two, 1);
    expect((await two.get('/v1/log')).body).toMatchObject({ origin: 'two.example/log', state: 'ok' });
  } finally {
    await two.close();
  }
});

it('the first write behind a start has a receipt: a server has looked at its log before it is ready', async () => {
  const server = await start(await anEmptyDatabase(), await aFolder(), {});
  try {
    expect((await linkWallet(server, alice, aWallet('one'))).body.receipt).toEqual(expect.stringContaining('self-'));
  } finally {
    await server.close();
  }
});
