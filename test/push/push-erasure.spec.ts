import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { runErase, tablesLeftWith } from '../erasure/erase-command.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { type PushService, startPushService } from './push-service.js';

let dataDir: string;
let database: TestDatabase;
let service: PushService;
let app: RunningApp;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  database = await createTestDatabase();
  service = await startPushService();
  const env = { DATA_DIR: dataDir, LOG: 'off', PUBLIC_URL: 'https://id.alice.dev' };
  app = await startApp({ databaseUrl: database.url, env, transport: service.transport });
});
afterAll(async () => {
  await app?.close();
  await service?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true });
});

const query = <Row>(sql: string, ...values: unknown[]) => app.app.get(DataSource).query<Row[]>(sql, values);
const erase = (id: number) =>
  runErase(database.url, ['--link', String(id), '--with-binding', '--reason', 'order 12', '--yes'], {
    DATA_DIR: dataDir,
    LOG: 'off',
  });

it('an erasure takes what browsers are still to be told of it, and with the last text of an Avatar its subscriptions', async () => {
  const [alice, bob] = [anAvatar('erased alice'), anAvatar('erased bob')];
  const wallets = [aWallet('erased one'), aWallet('erased two')] as const;
  for (const avatar of [alice, bob]) {
    const { endpoint, keys } = service.browser();
    await app.post('/v1/push/subscriptions', { avatar: avatar.key.compressed, endpoint, keys });
  }
  service.answer({ status: 503 });
  const waiting = () => query<{ identity: string }>('select identity from push_delivery order by happened_at');
  for (const wallet of wallets) await linkWallet(app, alice, wallet);
  // Who holds an account when its binding is announced is told of it, so Bob binds it later.
  await until(async () => (await waiting()).length === 2);
  await linkWallet(app, bob, wallets[0]);
  // Of Alice's two, what Bob has bound, and that to Alice.
  await until(async () => (await waiting()).length === 4);
  const links = await query<{ id: number; avatar: string }>('select id, avatar from chain_link order by id');
  const followers = async () =>
    (await query<{ avatar: string }>('select avatar from push_subscription order by created_at')).map(
      ({ avatar }) => avatar,
    );

  expect(await erase(links[0]!.id)).toMatchObject({ code: 0 });

  expect(await followers()).toEqual([alice.key.compressed, bob.key.compressed]);
  // What Bob has bound is no text of Alice; that she held it too is.
  expect(await waiting()).toHaveLength(2);
  expect(await erase(links[1]!.id)).toMatchObject({ code: 0 });
  expect(await followers()).toEqual([bob.key.compressed]);
  expect(await tablesLeftWith(database.url, wallets[1].address)).toEqual([]);
  expect(await erase(links[2]!.id)).toMatchObject({ code: 0 });
  expect(await followers()).toEqual([]);
  expect(await waiting()).toEqual([]);
  expect(await tablesLeftWith(database.url, wallets[0].address)).toEqual([]);
});
