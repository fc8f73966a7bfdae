/** Servers hold the newest events in memory for their streams: what is erased goes from there, too. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { addRest, ErasureRests } from '../../src/erasure/erasure-rests.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { openSse } from '../support/sse-client.js';
import { until } from '../support/until.js';
import { runErase } from './erase-command.js';

const alice = anAvatar('alice');
const [first, second] = [aWallet('first'), aWallet('second')];

/** What a reader of all events is sent. */
async function allEvents(app: RunningApp): Promise<string> {
  const reader = await openSse(app.baseUrl, '/v1/events?after=0');
  await reader.until(() => reader.events.length >= 2);
  reader.close();
  await reader.ended;
  return reader.text;
}

it('every server sends an erased event without its texts, also one that has held it since it came', async () => {
  const database = await createTestDatabase();
  const env = { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'signet-test-')), LOG: 'off' };
  const apps = [await startApp({ databaseUrl: database.url, env }), await startApp({ databaseUrl: database.url, env })];
  const followers = await Promise.all(apps.map((app) => openSse(app.baseUrl, '/v1/events')));
  try {
    for (const wallet of [first, second]) await linkWallet(apps[0]!, alice, wallet);
    for (const follower of followers) await follower.until(() => follower.events.length >= 2);
    for (const app of apps) expect(await allEvents(app)).toContain(first.address);

    const words = ['--link', '1', '--reason', 'an order', '--with-binding', '--yes'];
    expect(await runErase(database.url, words, env)).toMatchObject({ code: 0 });

    for (const app of apps) await until(async () => !(await allEvents(app)).includes(first.address));
    for (const app of apps) expect(await allEvents(app)).toContain(second.address);
  } finally {
    for (const follower of followers) follower.close();
    for (const app of apps) await app.close();
    await database.drop();
  }
});

it('a server with the embedded database forgets what it erases itself, as the rest of an erasure', async () => {
  const app = await startApp({ engine: 'embedded', env: { LOG: 'off' } });
  const follower = await openSse(app.baseUrl, '/v1/events');
  try {
    for (const wallet of [first, second]) await linkWallet(app, alice, wallet);
    await follower.until(() => follower.events.length >= 2);
    expect(await allEvents(app)).toContain(first.address);

    const { avatar, uuid } = (await app.get('/v1/proofchain/changes?last_id=0')).body.links[0];
    const name = { uuid, avatar, platform: 'ethereum', identity: first.address, isLast: true };
    await app.app.get(DataSource).transaction((manager) => addRest(manager, name));
    await app.app.get(ErasureRests).tick();

    const text = await allEvents(app);
    expect(text).not.toContain(first.address);
    expect(text).toContain(second.address);
  } finally {
    follower.close();
    await app.close();
  }
});
