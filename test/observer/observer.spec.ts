import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { observer as observerOf } from '../../packages/verify/src/log-sign.js';
import { linkHash, readStatement, writeVerifierKey } from '../../packages/verify/src/seen.js';
import { seenTime } from '@signet/verify/internal/log';
import { readVerifierKey } from '../../packages/verify/src/log.js';
import { DataSource } from 'typeorm';
import { SeenStatements } from '../../src/observer/seen-statements.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { startApp } from '../support/app.js';
import { bindOnNewPlatform, NEW_PLATFORM } from '../support/new-platform.js';
import { linkWallet } from '../support/scenario.js';
import { jsonReply, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import {
  feedOf,
  followNow,
  type GistWorld,
  type ObserverInTest,
  startObserver,
  looksAt,
  startBoundWorld,
  untilIdle,
} from './observer-world.js';

const alice = anAvatar('alice');
const avatar = alice.key.compressed;
const [G1, G2] = ['1'.repeat(32), '2'.repeat(32)];

/** A server that holds a binding of Alice, and one that looks at it. */
async function startObservedWorld(): Promise<{ world: GistWorld; observer: ObserverInTest }> {
  const world = await startBoundWorld(alice, G1);
  const env = { PUBLIC_URL: 'https://eye.example', LOG: 'off' };
  return { world, observer: await startObserver(world.app, new Map(world.gists), { env }) };
}

describe('a server that looks at another one', () => {
  let world: GistWorld;
  let observer: ObserverInTest;

  beforeEach(async () => {
    ({ world, observer } = await startObservedWorld());
  });
  afterEach(async () => {
    await observer.close();
    await world.close();
  });

  it('leaves links of platforms alone that it does not know, and goes on with the others', async () => {
    const bob = anAvatar('bob');
    await bindOnNewPlatform(world.app, bob, 'bob');
    await world.bind(bob, G2, 'bob');
    observer.gists.set(G2, world.gists.get(G2)!);
    await followNow(observer);

    const statements = await observer.statements(bob.key.compressed);
    expect(statements.map(({ platform, seen }) => [platform, seen])).toEqual([['github', true]]);
    expect(await observer.sql('select from observed_binding where platform = $1', [NEW_PLATFORM])).toEqual([]);
    expect(await observer.sql("select problem from followed_feed where problem <> ''")).toEqual([]);
  });

  it('forgets what is a month old by its own clock and by that of its database', async () => {
    await observer.statements(avatar);
    const statements = observer.app.app.get(SeenStatements);
    await observer.sql("update seen_statement set seen_at = now() - interval '31 days'");

    await statements.forgetOld(new Date(Date.now() - 2 * 86_400_000));
    expect(await observer.sql('select from seen_statement')).toHaveLength(1);
    await statements.forgetOld();
    expect(await observer.sql('select from seen_statement')).toEqual([]);
  });

  it('looks once a day, and its feed has the newest statement of each link', async () => {
    await observer.statements(avatar);
    const [first] = await feedOf(observer);
    const [row] = await observer.sql<{ seconds: number }>(
      'select extract(epoch from next_look_at - now())::float8 as seconds from observed_binding',
    );

    expect(row!.seconds).toBeGreaterThan(24 * 3600 - 60);
    expect(row!.seconds).toBeLessThanOrEqual(1.1 * 24 * 3600);
    await followNow(observer);
    expect(looksAt(observer, G1)).toBe(1);

    await observer.makeDue();
    await until(async () => (await feedOf(observer))[0]!.id !== first!.id);
    expect(looksAt(observer, G1)).toBe(2);
    expect(await feedOf(observer)).toHaveLength(1);
    expect(await feedOf(observer, first!.id)).toHaveLength(1);
    expect(await feedOf(observer, first!.id! + 1)).toEqual([]);
  });

  it('says no only after it looked twice, an hour apart, and says it of the account that it knew', async () => {
    await observer.statements(avatar);
    observer.gists.delete(G1);

    await observer.makeDue();
    await until(() => looksAt(observer, G1) === 2);
    await untilIdle(observer);
    expect((await observer.statements(avatar))[0]!.seen).toBe(true);
    const [row] = await observer.sql<{ seconds: number }>(
      'select extract(epoch from next_look_at - now())::float8 as seconds from observed_binding',
    );
    expect(row!.seconds).toBeGreaterThan(3600 - 30);
    expect(row!.seconds).toBeLessThan(3700);

    await observer.makeDue();
    await until(async () => !(await observer.statements(avatar))[0]!.seen);
    expect((await observer.statements(avatar))[0]).toMatchObject({ account_id: '7', sha256: '' });
    expect(looksAt(observer, G1)).toBe(3);
  });

  it('says nothing while it cannot look, and neither does that change what it said', async () => {
    const [before] = await observer.statements(avatar);
    observer.github.handle(() => ({ status: 503, json: {} }));

    await observer.makeDue();
    await until(() => looksAt(observer, G1) === 2);
    await untilIdle(observer);

    expect(await observer.statements(avatar)).toEqual([before]);
    expect(await observer.sql('select is_seen, failures from observed_binding')).toEqual([
      { is_seen: true, failures: 1 },
    ]);
  });

  it('says no of a name that belongs to another account now', async () => {
    await observer.statements(avatar);
    observer.gists.set(G1, { ...observer.gists.get(G1)!, accountId: 8 });

    await observer.makeDue();
    await until(() => looksAt(observer, G1) === 2);
    await untilIdle(observer);
    await observer.makeDue();

    await until(async () => !(await observer.statements(avatar))[0]!.seen);
  });

  it('takes back what it said of a binding that is revoked or replaced', async () => {
    const [first] = await observer.statements(avatar);

    await world.bind(alice, G2, 'alice');
    observer.gists.set(G2, world.gists.get(G2)!);
    await followNow(observer);
    await until(async () => (await observer.statements(avatar))[0]!.link !== first!.link);
    expect(await observer.statements(avatar)).toHaveLength(1);

    const names = { action: 'delete', platform: 'github', identity: 'alice', public_key: avatar };
    const { body: payload } = await world.app.post('/v1/proof/payload', names);
    const { uuid, created_at, sign_payload } = payload;
    const extra = { signature: alice.sign(sign_payload) };
    expect((await world.app.post('/v1/proof', { ...names, uuid, created_at, extra })).status).toBe(201);
    await followNow(observer);
    await until(async () => (await feedOf(observer)).length === 0);
    expect(await observer.sql('select from observed_binding')).toEqual([]);
  });

  it('takes back what it said of a binding that the other server no longer has, without asking the platform', async () => {
    await observer.statements(avatar);
    await world.sql('delete from proof');

    await observer.makeDue();

    await until(async () => (await feedOf(observer)).length === 0);
    expect(looksAt(observer, G1)).toBe(1);
  });
});

describe('what a server has seen at another one', () => {
  let world: GistWorld;
  let observer: ObserverInTest;

  beforeAll(async () => {
    ({ world, observer } = await startObservedWorld());
  });
  afterAll(async () => {
    await observer?.close();
    await world?.close();
  });

  it('signs what it saw itself, under a key of its own', async () => {
    const [statement] = await observer.statements(avatar);
    const [link] = (await world.app.get(`/v1/proofchain?public_key=${avatar}`)).body.proof_chain;
    const key = await observer.verifierKey();

    const { note, seen_at, sha256, ...facts } = statement!;
    expect(facts).toEqual({
      link: linkHash(link.signature_payload),
      ...{ uuid: link.uuid, avatar, platform: 'github', identity: 'alice', account_id: '7', seen: true },
      verifier_key: key,
    });
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    const read = readStatement(note)!;
    expect(read.statement).toEqual({
      ...{ link: facts.link, platform: 'github', identity: 'alice', account: '7', seen: true },
    });
    expect(seenTime(read.note, readVerifierKey(key)!)).toBe(Number(seen_at));
    expect(key).toMatch(/^eye\.example\/seen\+/);
    expect(looksAt(observer, G1)).toBe(1);
  });

  it('answers by Avatar, account and link, and refuses all else', async () => {
    const [statement] = await observer.statements(avatar);
    const find = (query: string) => observer.app.get(`/v1/proofs/seen?${query}`);

    for (const query of [
      `avatar=${alice.key.uncompressed}`,
      'platform=github&identity=ALICE',
      `link=${statement!.link}`,
    ]) {
      expect((await find(query)).body).toEqual({
        pagination: { total: 1, per: 100, current: 1, next: 0 },
        statements: [statement],
      });
    }
    expect((await find('platform=github&identity=bob')).body.statements).toEqual([]);
    expect((await find('platform=github&identity=--')).body.statements).toEqual([]);
    for (const query of ['', `avatar=${avatar}&link=${statement!.link}`, 'platform=github', 'identity=a', 'link=ab']) {
      expect(await find(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect(await find('avatar=0x02')).toMatchObject({ status: 400 });
    expect(await find('platform=none&identity=a')).toMatchObject({ status: 400, body: { code: 'unknown_platform' } });
    expect((await observer.app.get('/v1/proofs/seen/changes')).status).toBe(400);
  });

  it('asks nobody about wallets, which everybody can check', async () => {
    const bob = anAvatar('bob');
    expect((await linkWallet(world.app, bob, aWallet('bob'))).status).toBe(201);

    await observer.statements(avatar);
    await followNow(observer);

    expect(await observer.sql('select avatar from observed_binding')).toEqual([{ avatar }]);
  });

  it('answers and counts a bounded number of statements, and says where there are more', async () => {
    const other = anAvatar('of very many links').key.compressed;
    await observer.sql(
      `insert into seen_statement (link_hash, signer, avatar, platform, identity, uuid, is_seen, seen_at, line, feed_id)
       select encode(sha256(n::text::bytea), 'hex'), 'eye.example/seen', $1, 'github', 'many', gen_random_uuid(), true,
         now() + interval '1 day', '\u2014 eye.example/seen QcGt', 1000000 + n from generate_series(1, 10050) as n`,
      [other],
    );
    for (const query of [`avatar=${other}`, 'platform=github&identity=many']) {
      const last = await observer.app.get(`/v1/proofs/seen?${query}&page=100`);
      const behind = await observer.app.get(`/v1/proofs/seen?${query}&page=101`);

      expect(last.body.pagination).toEqual({ total: 10_001, per: 100, current: 100, next: 101 });
      expect(last.body.statements).toHaveLength(100);
      expect(behind).toMatchObject({ status: 400, body: { code: 'page_too_deep' } });
    }
    const { signet_seen_links: seen } = await observer.app.app.get(SeenStatements).readGauges();
    expect(seen).toContainEqual([{ seen: 'yes' }, 10_000]);
  });
});

describe('a password in the address of another server', () => {
  it('is neither logged nor shown', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const other = await startStandIn(() => jsonReply({}, 401));
    const address = other.baseUrl.replace('http://', 'http://user:SECRETPASS@');
    const key = writeVerifierKey(observerOf('eye.example/seen', new Uint8Array(32).fill(1)).key);
    const app = await startApp({ env: { LOOK_AT: address, OBSERVERS: `observer eye ${key} ${address}`, LOG: 'off' } });
    try {
      const said = () => warn.mock.calls.map(([text]) => String(text));
      await until(() => said().filter((text) => text.includes('is not followed')).length === 2);

      expect(said().join()).toContain(`${other.baseUrl} is not followed`);
      expect(said().join()).not.toContain('SECRETPASS');
      const { body } = await app.get('/v1/proofs/seen/keys');
      expect(body.observers[0].urls).toEqual([other.baseUrl]);
      expect(JSON.stringify(body)).not.toContain('SECRETPASS');
    } finally {
      await app.close();
      await other.close();
      warn.mockRestore();
    }
  });
});

describe('a server that looks at no other one', () => {
  it('has no key and no work, and shows nobody', async () => {
    const app = await startApp();
    try {
      expect((await app.get('/v1/proofs/seen/keys')).body).toEqual({
        ...{ verifier_key: '', looks_at: [], quorum: 0, observers: [] },
      });
      for (const path of ['/v1/proofs/seen', '/v1/proofs/seen/changes?last_id=0']) {
        expect((await app.get(path)).status).toBe(404);
      }
      const rows = await app.app.get(DataSource).query("select from deployment_setting where name like 'seen%'");
      expect(rows).toEqual([]);
    } finally {
      await app.close();
    }
  });
});
