import { DataSource } from 'typeorm';
import { connectTo, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { openSse } from '../support/sse-client.js';
import { until } from '../support/until.js';
import { subscribe, verified } from '../webhooks/receiver.js';
import { addKey, edApp, revokeKey } from './app-scenario.js';
import { commit, DAY, HOUR, keyName, letPass, say, stateOf, succeed } from './key-scenario.js';

interface News {
  name: string;
  payload: Record<string, unknown>;
}

const HOST = 'hooks.alice.dev';
const [paper, phone, next] = ['words on paper', 'a phone', 'the next key'].map((name) => anAvatar(name)) as [
  TestAvatar,
  TestAvatar,
  TestAvatar,
];

describe('what is announced of keys', () => {
  let database: TestDatabase;
  let servers: [RunningApp, RunningApp];
  let receiver: StandIn;
  let source: DataSource;
  let count = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await startStandIn(() => ({ status: 204 }), { tls: true });
    const transport = await connectTo(receiver, [HOST]);
    const start = () => startApp({ databaseUrl: database.url, env: { LOG: 'off' }, transport });
    servers = [await start(), await start()];
    source = servers[0].app.get(DataSource);
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await receiver?.close();
    await database?.drop();
  });

  /** An Avatar of its own with a link, and these recovery keys in force. */
  const owner = async (...recovery: TestAvatar[]): Promise<TestAvatar> => {
    const avatar = anAvatar(`announced ${(count += 1)}`);
    if (recovery.length > 0) await commit(servers[0], avatar, recovery);
    await linkWallet(servers[0], avatar, aWallet(`announced ${count}`));
    return avatar;
  };
  /** The news of an Avatar, in the order in which the stream has them. */
  const newsOf = async ({ key }: TestAvatar): Promise<News[]> =>
    source.query(
      `select name, payload from domain_event where name like 'key.%' and payload->>'avatar' = $1 and position is not null order by position`,
      [key.compressed],
    );
  const namesOf = async (avatar: TestAvatar) => (await newsOf(avatar)).map(({ name }) => name);
  const deadlinesOf = ({ key }: TestAvatar): Promise<object[]> =>
    source.query('select due_at from key_deadline where avatar = $1', [key.compressed]);
  /** All that was due is announced. */
  const settled = (avatar: TestAvatar) =>
    until(async () => {
      const sql = 'select from key_deadline where avatar = $1 and due_at <= now()';
      return (await source.query<object[]>(sql, [avatar.key.compressed])).length === 0;
    });
  /** So that no server of the test takes them. */
  const lease = ({ key }: TestAvatar) =>
    source.query("update key_deadline set leased_until = now() + interval '1 hour' where avatar = $1", [
      key.compressed,
    ]);

  it('is what each key event does, with its members', async () => {
    const alice = await owner(paper);
    await say(servers[0], alice, { action: 'key.freeze' });
    await say(servers[0], alice, { action: 'key.thaw' }, { by: paper });
    const pending = await succeed(servers[0], alice, next, { by: paper });
    const theft = await commit(servers[0], alice, [phone]);
    const ended = await succeed(servers[0], alice, next, { also: paper });

    await until(async () => (await newsOf(alice)).length === 5);
    const fact = { avatar: alice.key.compressed, uuid: expect.any(String), due_at: expect.any(Number) };
    const news = await newsOf(alice);
    expect(theft.body.code).toBe('key_outranked');
    expect(news).toEqual([
      { name: 'key.committed', payload: { ...fact, action: 'key.commit', signer: 'main', is_frozen: false } },
      { name: 'key.frozen', payload: { ...fact, action: 'key.freeze', signer: 'main', is_frozen: true } },
      { name: 'key.thawed', payload: { ...fact, action: 'key.thaw', signer: keyName(paper), is_frozen: false } },
      {
        name: 'key.pending',
        payload: {
          ...{ ...fact, action: 'key.succeed', signer: keyName(paper), is_frozen: true },
          ...{
            successor: next.key.compressed,
            uuid: pending.body.key_event.uuid,
            due_at: pending.body.key_event.due_at,
          },
        },
      },
      {
        name: 'key.succeeded',
        payload: {
          ...{ ...fact, action: 'key.succeed', signer: 'main', is_frozen: false, successor: next.key.compressed },
          uuid: ended.body.key_event.uuid,
        },
      },
    ]);
  });

  it('is what the key of an app may sign, and that it may no more', async () => {
    const [alice, app] = [await owner(), edApp('an app that is announced')];
    await addKey(servers[0], alice, app);
    await revokeKey(servers[0], alice, app, app);
    await until(async () => (await namesOf(alice)).length === 2);

    expect(await newsOf(alice)).toMatchObject([
      { name: 'key.added', payload: { action: 'key.add', signer: 'main', key: app.name, is_frozen: false } },
      { name: 'key.revoked', payload: { action: 'key.revoke', signer: app.name, key: app.name } },
    ]);
  });

  it('is on the stream for who asks for the Avatar, and nothing for a platform', async () => {
    const alice = await owner(paper);
    await linkWallet(servers[0], anAvatar('somebody else'), aWallet('else'));
    const theft = await commit(servers[0], alice, [phone]);
    await say(servers[0], alice, { action: 'key.veto', fields: { event: theft.body.key_event.uuid } }, { by: paper });

    const query = `after=0&avatar=${alice.key.compressed}`;
    const all = await openSse(servers[1].baseUrl, `/v1/events?${query}&types=key.pending,key.vetoed`);
    const onEthereum = await openSse(servers[1].baseUrl, `/v1/events?${query}&platform=ethereum`);
    await all.until(({ events }) => events.length === 2);
    await onEthereum.until(({ events }) => events.length > 0);
    for (const reader of [all, onEthereum]) reader.close();

    expect(all.events.map(({ data }) => data)).toMatchObject([
      { type: 'key.pending', avatar: alice.key.compressed, action: 'key.commit', successor: null },
      { type: 'key.vetoed', event: theft.body.key_event.uuid, signer: keyName(paper) },
    ]);
    // Readers of 0.2.0 expect texts there.
    expect(all.events[0]!.data).toMatchObject({ platform: '', identity: '' });
    expect(onEthereum.events.map(({ data }) => (data as { type: string }).type)).toEqual(['proof.bound']);
  });

  it('is sent to subscribers of the Avatar, and to none of a platform', async () => {
    const alice = await owner();
    const url = `https://${HOST}/keys`;
    const { secret } = await subscribe(servers[0], { url, avatar: alice.key.compressed });
    await subscribe(servers[0], { url: `${url}/ethereum`, platform: 'ethereum' });

    await say(servers[0], alice, { action: 'key.freeze' });
    await until(() => receiver.requests.length > 0);

    expect(receiver.requests).toHaveLength(1);
    expect(verified(receiver.requests[0]!, secret)).toMatchObject({
      type: 'key.frozen',
      data: { avatar: alice.key.compressed, action: 'key.freeze', signer: 'main', is_frozen: true },
    });
  });

  it('is what time alone does, once, whatever number of servers look for it', async () => {
    const [alice, bob, carol] = [await owner(), await owner(paper), await owner(paper)];
    await commit(servers[0], alice, [paper]);
    await say(servers[0], bob, { action: 'key.freeze' }, { by: paper });
    await succeed(servers[0], carol, next, { by: paper });
    expect(await deadlinesOf(alice)).toHaveLength(1);

    await letPass(source, alice, 72 * HOUR);
    await letPass(source, bob, 30 * DAY);
    await letPass(source, carol, 72 * HOUR);
    for (const avatar of [alice, bob, carol]) await settled(avatar);
    // What is recorded gets its place on the stream a moment later, in any order.
    await until(async () => (await Promise.all([alice, bob, carol].map(namesOf))).flat().length >= 8);

    expect(await namesOf(alice)).toEqual(['key.pending', 'key.committed']);
    expect(await namesOf(bob)).toEqual(['key.committed', 'key.frozen', 'key.thawed']);
    expect(await namesOf(carol)).toEqual(['key.committed', 'key.pending', 'key.succeeded']);
    const [, frozen, thawed] = await newsOf(bob);
    expect(thawed!.payload).toEqual({ ...frozen!.payload, is_frozen: false, due_at: expect.any(Number) });
  });

  it('is nothing where an event was void before its time', async () => {
    const [alice, bob] = [await owner(paper, phone), await owner(paper)];
    const theft = await succeed(servers[0], alice, next);
    await say(servers[0], alice, { action: 'key.veto', fields: { event: theft.body.key_event.uuid } }, { by: paper });
    await say(servers[0], bob, { action: 'key.freeze' });
    await say(servers[0], bob, { action: 'key.freeze' }, { by: paper });
    await letPass(source, alice, 72 * HOUR);
    // The freeze of the main key is over, that of the higher key is not.
    await letPass(source, bob, 7 * DAY);
    for (const avatar of [alice, bob]) await settled(avatar);
    await until(async () => (await namesOf(bob)).length === 3);

    expect(await namesOf(alice)).toEqual(['key.committed', 'key.pending', 'key.vetoed']);
    expect(await namesOf(bob)).toEqual(['key.committed', 'key.frozen', 'key.frozen']);
  });

  it('comes before the next key event, which may be sooner than any job', async () => {
    const alice = await owner();
    await commit(servers[0], alice, [paper]);
    await lease(alice);
    await letPass(source, alice, 72 * HOUR);
    await say(servers[0], alice, { action: 'key.freeze' }, { by: paper });

    await until(async () => (await namesOf(alice)).length === 3);
    expect(await namesOf(alice)).toEqual(['key.pending', 'key.committed', 'key.frozen']);
  });

  it('holds when the clock of the database is set back', async () => {
    const alice = await owner(paper);
    const { body } = await succeed(servers[0], alice, next);
    await lease(alice);
    // As it is after the announcement, if the clock then went back by three days.
    await source.query('update avatar_hold set settled_until = to_timestamp($2) where avatar = $1', [
      ...[alice.key.compressed, body.key_event.due_at],
    ]);

    const patch = await writeKv(servers[1], alice, { name: 'Alice' });
    const veto = { action: 'key.veto' as const, fields: { event: body.key_event.uuid } };
    expect(patch.body.code).toBe('avatar_succeeded');
    expect((await say(servers[0], alice, veto, { by: paper })).body.code).toBe('avatar_succeeded');
    expect(await stateOf(servers[1], alice)).toMatchObject({ succession: { successor: next.key.compressed } });
  });
});
