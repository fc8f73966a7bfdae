import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { ErasureRests } from '../../src/erasure/erasure-rests.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { databaseSettings } from '../support/engines.js';
import { linkWallet } from '../support/scenario.js';
import { QUICK_START } from '../support/tier.js';
import { until } from '../support/until.js';
import { runErase, tablesLeftWith, tablesWith, untilTable } from './erase-command.js';

const TOKEN = 'a-token-that-only-this-test-knows';
const LOG_PROGRAM = fileURLToPath(new URL('../../scripts/log.mjs', import.meta.url));

let database: TestDatabase;
let dataDir: string;
let app: RunningApp;
/** Holds what a command needs. */
let holder: pg.Client;
let watcher: pg.Client;
let number = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  const env = { DATA_DIR: dataDir, ADMIN_TOKEN: TOKEN, WEBHOOK_ALLOW_PRIVATE: 'true', LOG: 'off' };
  app = await startApp({ databaseUrl: database.url, env });
  const subscription = { url: 'http://127.0.0.1:9/hook' };
  const { status } = await app.post('/admin/v1/subscriptions', subscription, { authorization: `Bearer ${TOKEN}` });
  expect(status).toBe(201);
  [holder, watcher] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([holder.connect(), watcher.connect()]);
});
afterEach(() => holder.query('rollback'));
afterAll(async () => {
  await Promise.all([holder.end(), watcher.end()]);
  await app.close();
  await database.drop();
});

/** A link of another Avatar and wallet each time, with its event and its delivery. */
async function aLink(): Promise<{ uuid: string; text: string }> {
  const name = `erased ${(number += 1)}`;
  const { address } = aWallet(name);
  await linkWallet(app, anAvatar(name), aWallet(name));
  await untilTable(database.url, 'webhook_delivery', address, true);
  const { rows } = await watcher.query<{ uuid: string }>('select uuid from chain_link where identity = $1', [address]);
  return { uuid: rows[0]!.uuid, text: address };
}

const wordsOf = (uuid: string) => ['--link', uuid, '--reason', 'an order', '--with-binding'];
const env = () => ({ DATA_DIR: dataDir, LOG: 'off' });
const erase = (uuid: string, ...words: string[]) => runErase(database.url, [...wordsOf(uuid), ...words], env());
const bind = async () => (await linkWallet(app, anAvatar(`bound ${(number += 1)}`), aWallet(`bound ${number}`))).status;

async function hold(sql: string): Promise<void> {
  await holder.query('begin');
  await holder.query(sql);
}

/** Until a command waits for what is held. */
const untilItWaits = () =>
  until(async () => {
    const { rows } = await watcher.query(
      `select from pg_stat_activity where application_name = 'signet log' and wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows.length > 0;
  });

/** `npm run log -- erase` as a process that can be stopped and killed. */
function spawnErase(uuid: string): ChildProcess {
  const variables = { ...process.env, NODE_OPTIONS: '', ...databaseSettings(database.url), ...env() };
  return spawn(process.execPath, [...QUICK_START, LOG_PROGRAM, 'erase', ...wordsOf(uuid), '--yes'], {
    env: variables,
    stdio: 'ignore',
  });
}

describe('npm run log -- erase, beside servers', () => {
  it('takes no lock where it only says what it would do', async () => {
    const { uuid } = await aLink();
    await hold(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.log}), pg_advisory_xact_lock(${ADVISORY_LOCKS.append})`);
    await holder.query('lock table chain_link, proof, domain_event, webhook_delivery in share mode');

    expect(await erase(uuid)).toMatchObject({ code: 0, said: expect.stringContaining('1 events and 1 deliveries') });
  });

  it('holds up no link while it erases what events and deliveries have of the text', async () => {
    const { uuid, text } = await aLink();
    await hold('lock table webhook_delivery in share mode');

    const erasing = erase(uuid, '--yes');
    await untilItWaits();
    const status = await bind();
    await holder.query('rollback');

    expect(status).toBe(201);
    expect(await erasing).toMatchObject({ code: 0, said: expect.stringContaining('1 events and 1 deliveries') });
    expect(await tablesLeftWith(database.url, text)).toEqual([]);
  });

  it('holds up links for seconds where it stands still in its transaction, and nothing is erased', async () => {
    const { uuid, text } = await aLink();
    await hold(`select from chain_link where uuid = '${uuid}' for update`);

    const command = spawnErase(uuid);
    const ended = once(command, 'exit');
    await untilItWaits();
    command.kill('SIGSTOP');
    await holder.query('rollback');
    // Without an end of its own, the session of the command would hold them up for as long as it stands still.
    await until(async () => (await bind()) === 201);
    command.kill('SIGCONT');
    expect(await ended).toEqual([2, null]);
    expect(await tablesWith(database.url, text)).toContain('chain_link');
  });

  it.each([
    ['in its transaction', (uuid: string) => `select from chain_link where uuid = '${uuid}' for update`],
    ['at the events', (uuid: string) => `select from domain_event where payload->>'uuid' = '${uuid}' for update`],
    ['at the parked events', () => 'lock table parked_event in share mode'],
    ['at the deliveries', () => 'lock table webhook_delivery in share mode'],
  ])('that is killed %s is finished by the same command', async (_where, lock) => {
    const { uuid, text } = await aLink();
    await hold(lock(uuid));

    const command = spawnErase(uuid);
    const ended = once(command, 'exit');
    await untilItWaits();
    command.kill('SIGKILL');
    await ended;
    await holder.query('rollback');
    expect(await tablesWith(database.url, text)).not.toEqual([]);

    expect(await erase(uuid, '--yes')).toMatchObject({ code: 0 });
    expect(await tablesLeftWith(database.url, text)).toEqual([]);
  });

  it('that fails behind its commit says so, and a server goes on', async () => {
    const { uuid, text } = await aLink();
    await hold('lock table webhook_delivery in share mode');

    const failed = await runErase(database.url, [...wordsOf(uuid), '--yes'], {
      ...env(),
      DATABASE_LOCK_TIMEOUT_MS: '300',
    });
    await holder.query('rollback');
    expect(failed).toMatchObject({ code: 2, said: expect.stringContaining('a server that runs does that') });
    expect(await tablesWith(database.url, text)).toContain('webhook_delivery');
    await app.app.get(ErasureRests).tick();

    expect(await tablesLeftWith(database.url, text)).toEqual([]);
  });
});
