import pg from 'pg';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { writeKv } from '../kv/kv-scenario.js';
import { runErase } from '../erasure/erase-command.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, type TestAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { waitersFor } from '../support/locks.js';
import { until } from '../support/until.js';
import { headOfRecords } from '../transparency-log/log-client.js';
import { commit, HOUR, keyPayload, letPass, say, signedKeyEvent } from './key-scenario.js';

const [paper, next] = [anAvatar('words on paper'), anAvatar('the next key')];
const onGithub = { platform: 'github', identity: 'alice' };
const onX = { platform: 'twitter', identity: 'alice' };

describe('the content of an Avatar that was succeeded', () => {
  let database: TestDatabase;
  let server: RunningApp;
  let source: DataSource;
  const start = async () => {
    database = await createTestDatabase();
    server = await startApp({ databaseUrl: database.url });
    source = server.app.get(DataSource);
  };
  const stop = async () => {
    await server?.close();
    await database?.drop();
  };
  beforeAll(start);
  afterAll(stop);

  /** An owner who wrote under two names, then a thief under one of them and a third. */
  const stolen = async (name: string): Promise<{ alice: TestAvatar; since: string }> => {
    const alice = anAvatar(name);
    await commit(server, alice, [paper]);
    await writeKv(server, alice, { name: 'Alice', city: 'Bern' });
    await writeKv(server, alice, { site: 'alice.dev' }, onGithub);
    await writeKv(server, alice, { name: 'Eve', city: null });
    await writeKv(server, alice, { pay: 'eve' }, onX);
    const { body } = await server.get(`/v1/kv/chain?avatar=${alice.key.compressed}`);
    return { alice, since: body.kv_chain[1].uuid };
  };
  const succession = (since_patch: string | null) => ({
    action: 'key.succeed' as const,
    fields: { successor: next.key.compressed, since_patch },
  });
  const contentOf = async ({ key }: TestAvatar): Promise<Record<string, unknown> | number> => {
    const { status, body } = await server.get(`/v1/kv?avatar=${key.compressed}`);
    if (status !== 200) return status;
    const entries = body.proofs as { platform: string; content: unknown }[];
    return Object.fromEntries(entries.map(({ platform, content }) => [platform, content]));
  };
  const underName = async ({ platform, identity }: typeof onX, avatar: TestAvatar): Promise<unknown[]> => {
    const { body } = await server.get(`/v1/kv/by_identity?platform=${platform}&identity=${identity}`);
    const values = body.values as { avatar: string; content: unknown }[];
    return values.filter((value) => value.avatar === avatar.key.uncompressed).map(({ content }) => content);
  };
  const OWN = { self: { name: 'Alice', city: 'Bern' }, github: { site: 'alice.dev' } };

  it('is that of the last patch of its owner, at once where the owner shows both keys', async () => {
    const { alice, since } = await stolen('alice');
    expect(await underName(onX, alice)).toEqual([{ pay: 'eve' }]);
    expect((await say(server, alice, succession(since), { successor: next, also: paper })).status).toBe(201);

    expect(await contentOf(alice)).toEqual(OWN);
    expect(await underName(onX, alice)).toEqual([]);
    expect(await underName(onGithub, alice)).toEqual([OWN.github]);
  });

  it('stays what it is until the succession is final, and where that is void', async () => {
    const { alice, since } = await stolen('alice who waits');
    const theirs = { self: { name: 'Eve' }, github: OWN.github, twitter: { pay: 'eve' } };
    const pending = await say(server, alice, succession(since), { successor: next });

    expect(await contentOf(alice)).toEqual(theirs);
    await say(server, alice, { action: 'key.veto', fields: { event: pending.body.key_event.uuid } }, { by: paper });
    await letPass(source, alice, 72 * HOUR);
    expect(await contentOf(alice)).toEqual(theirs);
    await say(server, alice, succession(since), { successor: next, by: paper });
    await letPass(source, alice, 72 * HOUR);
    expect(await contentOf(alice)).toEqual(OWN);
  });

  it('is nothing where the owner made none', async () => {
    const { alice } = await stolen('alice without content');
    await say(server, alice, succession(null), { successor: next, also: paper });

    expect(await contentOf(alice)).toBe(404);
    expect(await underName(onGithub, alice)).toEqual([]);
  });

  it('is as it is where nothing came behind the last patch of its owner', async () => {
    const { alice } = await stolen('alice of all patches');
    const before = await contentOf(alice);
    await say(
      server,
      alice,
      { action: 'key.succeed', fields: { successor: next.key.compressed } },
      { successor: next, also: paper },
    );

    expect(await contentOf(alice)).toEqual(before);
    expect(await source.query('select from kv_entry_then where avatar = $1', [alice.key.compressed])).toEqual([]);
  });

  it('is right where a thief writes while it is computed', async () => {
    const { alice, since } = await stolen('alice in a hurry');
    const statement = succession(since);
    const payload = await keyPayload(server, alice, statement.action, statement.fields);
    const body = signedKeyEvent(payload.body, alice, statement.action, { successor: next, also: paper });
    const operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
    let answer: Promise<Answer>;
    try {
      await operator.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.append]);
      answer = server.post('/v1/keys', body);
      // What the owner had made is computed, and the event is not recorded yet.
      await until(async () => (await waitersFor(operator, ADVISORY_LOCKS.append)) === 1);
      expect((await writeKv(server, alice, { site: 'eve.dev' }, onGithub)).status).toBe(201);
    } finally {
      await operator.end();
    }

    expect((await answer).status).toBe(201);
    expect(await contentOf(alice)).toEqual(OWN);
  });

  it('loses what is erased', async () => {
    // A log of its own: the cases above have changed times.
    await stop();
    await start();
    const { alice, since } = await stolen('alice who is forgotten');
    await say(server, alice, succession(since), { successor: next, also: paper });
    await headOfRecords(server, 6);
    const { body } = await server.get('/v1/kv/changes?last_id=0&count=100');
    const first = body.patches.find((patch: { avatar: string }) => patch.avatar === alice.key.compressed);
    const words = ['--patch', String(first.id), '--reason', 'an order', '--with-content', '--yes'];
    expect(await runErase(database.url, words)).toMatchObject({ code: 0 });

    expect(await contentOf(alice)).toEqual({ github: OWN.github });
    const rows = await source.query<object[]>("select from kv_entry_then where content like '%Bern%' and avatar = $1", [
      alice.key.compressed,
    ]);
    expect(rows).toEqual([]);
  });
});
