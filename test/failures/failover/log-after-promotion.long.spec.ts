import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { waitForDatabase } from '../../../src/process/database-wait.js';
import { migrate } from '../../../src/database/schema/migrator.js';
import { headOfRecords } from '../../transparency-log/log-client.js';
import { type RunningApp, startApp } from '../../support/app.js';
import { anAvatar, aWallet } from '../../support/avatar.js';
import { linkWallet } from '../../support/scenario.js';
import { StandbyPair } from '../../support/standby-pair.js';
import { until } from '../../support/until.js';

const alice = anAvatar('alice');
const aFolder = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));

let pair: StandbyPair;
const servers = new Set<RunningApp>();

async function start(DATA_DIR: string): Promise<RunningApp> {
  // As the service does: for a second after a promotion this process believes in the former primary.
  const started = () => startApp({ databaseUrl: pair.url, env: { DATA_DIR } });
  const server = await waitForDatabase(started, () => {});
  servers.add(server);
  return server;
}

async function stop(server: RunningApp): Promise<void> {
  servers.delete(server);
  await server.close();
}

const conditionOf = async (server: RunningApp) => (await server.get('/v1/log')).body;
const isIn = (server: RunningApp, state: string) => until(async () => (await conditionOf(server)).state === state);

beforeAll(async () => {
  pair = await StandbyPair.start();
  await migrate(pair.url);
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await pair?.stop();
});

it('after a promotion a server that remembers nothing signs nothing, until one that saw the newest tree head goes on', async () => {
  const folder = await aFolder();
  const before = await start(folder);
  for (const name of ['one', 'two']) await linkWallet(before, alice, aWallet(name));
  const { size: signed } = await headOfRecords(before, 2);
  await stop(before);
  await pair.killPrimary();
  await pair.promote();

  const stranger = await start(await aFolder());
  await isIn(stranger, 'refused');
  await linkWallet(stranger, alice, aWallet('three'));
  await until(async () => (await conditionOf(stranger)).waiting === 1);
  const { problem, size } = await conditionOf(stranger);
  const stored = await stranger.app.get(DataSource).query<{ refusal: string }[]>('select refusal from log_state');
  const again = await start(folder);
  await headOfRecords(again, 3);
  await isIn(stranger, 'ok');

  expect(problem).toMatch(/^PostgreSQL was promoted, or recovered to a point in time/);
  expect(size).toBe(signed);
  // Not for all servers: one that knows better may go on.
  expect(stored).toEqual([{ refusal: '' }]);
  await linkWallet(stranger, alice, aWallet('four'));
  await headOfRecords(stranger, 4);
});
