import { DataSource } from 'typeorm';
import { AvatarKey } from '../../src/domain/avatar-key.js';
import { KvQueries } from '../../src/kv/kv.queries.js';
import { kvPayload, readKvChain, submitKv, writeKv } from './kv-scenario.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Canonical JSON of an object, `bytes` long. */
function textOf(bytes: number): string {
  return `{"a":"${'x'.repeat(bytes - 8)}"}`;
}

/** GET /v1/kv. */
async function entriesOf(avatar: TestAvatar): Promise<Answer> {
  return app.get(`/v1/kv?avatar=${avatar.key.compressed}`);
}

/** GET /v1/kv/by_identity of an ethereum wallet. */
async function valuesOf(address: string, page = 1): Promise<Answer['body']> {
  return (await app.get(`/v1/kv/by_identity?platform=ethereum&identity=${address}&page=${page}`)).body;
}

describe('writing content', () => {
  it('gives a payload that tells everything that is signed', async () => {
    const alice = anAvatar('payload');

    const { status, body } = await kvPayload(app, alice, '{"b":1.0,"a":null}');

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['created_at', 'sign_payload', 'uuid']);
    expect(Math.abs(Date.now() / 1000 - body.created_at)).toBeLessThan(60);
    expect(body.sign_payload).toBe(
      `{"action":"kv","avatar":"${alice.key.compressed}","created_at":${body.created_at},` +
        `"identity":"${alice.key.uncompressed}","patch":{"a":null,"b":1},"platform":"self","prev":null,"uuid":"${body.uuid}"}`,
    );
  });

  it('answers 201 with the body of the GET', async () => {
    const alice = anAvatar('answers');

    const written = await writeKv(app, alice, { name: 'Alice' });
    const read = await entriesOf(alice);

    expect(written.status).toBe(201);
    expect(read.status).toBe(200);
    // Whether there is a receipt depends on the moment of the start.
    expect({ ...written.body, receipt: undefined }).toEqual(read.body);
    expect(read.body).toEqual({
      avatar: alice.key.uncompressed,
      proofs: [{ platform: 'self', identity: alice.key.uncompressed, content: { name: 'Alice' }, is_bound: true }],
    });
  });

  it('sets, changes, deletes and replaces', async () => {
    const alice = anAvatar('life');

    await writeKv(app, alice, { name: 'Alice', tags: ['a', 'b'], settings: { dark: true, size: 1 } });
    await writeKv(app, alice, { name: 'Alicia', tags: ['c'], settings: { size: null, font: 'serif' } });
    const { body } = await writeKv(app, alice, { name: null });

    expect(body.proofs[0].content).toEqual({ tags: ['c'], settings: { dark: true, font: 'serif' } });
  });

  it('keeps an entry whose last member was deleted', async () => {
    const alice = anAvatar('emptied');
    await writeKv(app, alice, { a: 1 });

    const { body } = await writeKv(app, alice, { a: null });

    expect(body.proofs).toMatchObject([{ content: {} }]);
  });

  it('keeps entries of several identities apart, and orders them by platform and identity', async () => {
    const alice = anAvatar('several');
    await writeKv(app, alice, { of: 'self' });
    await writeKv(app, alice, { of: 'github' }, { platform: 'github', identity: 'Alice' });
    await writeKv(app, alice, { of: 'wallet' }, { platform: 'ethereum', identity: aWallet('several').address });
    await writeKv(app, alice, { more: 1 }, { platform: 'github', identity: '@alice' });

    const { body } = await entriesOf(alice);

    expect(body.proofs.map((entry: Answer['body']) => [entry.platform, entry.identity, entry.content])).toEqual([
      ['ethereum', aWallet('several').address, { of: 'wallet' }],
      ['github', 'alice', { of: 'github', more: 1 }],
      ['self', alice.key.uncompressed, { of: 'self' }],
    ]);
  });

  it('keeps the content of two Avatars under one identity apart', async () => {
    const target = { platform: 'github', identity: 'shared' };
    await writeKv(app, anAvatar('apart 1'), { mine: 1 }, target);
    await writeKv(app, anAvatar('apart 2'), { mine: 2 }, target);

    expect((await entriesOf(anAvatar('apart 1'))).body.proofs[0].content).toEqual({ mine: 1 });
    expect((await entriesOf(anAvatar('apart 2'))).body.proofs[0].content).toEqual({ mine: 2 });
  });

  it('takes created_at as its decimal text too', async () => {
    const alice = anAvatar('decimal');
    const { body } = await kvPayload(app, alice, { a: 1 });

    const written = await submitKv(app, alice, body, { a: 1 }, { submit: { created_at: String(body.created_at) } });

    expect(written.status).toBe(201);
  });

  it('takes a compact signature and one with v of 0 or 1', async () => {
    const alice = anAvatar('compact');
    const short = await kvPayload(app, alice, { a: 1 });
    const bytes = Buffer.from(alice.sign(short.body.sign_payload), 'base64');
    const v = bytes[64]! - 27;
    const compact = Buffer.from(bytes.subarray(0, 64));
    compact[32]! |= v << 7;

    const first = await submitKv(
      app,
      alice,
      short.body,
      { a: 1 },
      { submit: { signature: compact.toString('base64') } },
    );
    const bare = await kvPayload(app, alice, { b: 1 });
    const low = Buffer.from(alice.sign(bare.body.sign_payload), 'base64');
    low[64]! -= 27;
    const second = await submitKv(app, alice, bare.body, { b: 1 }, { submit: { signature: low.toString('base64') } });

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(JSON.parse(bare.body.sign_payload).prev).toBe(compact.toString('base64'));
  });

  it('takes the patch of step 2 in another order of names and another spelling of numbers', async () => {
    const alice = anAvatar('spelling');
    const { body } = await kvPayload(app, alice, '{"a":{"x":1,"y":100},"b":"é"}');

    const written = await submitKv(app, alice, body, '{ "b": "\\u00e9", "a": {"y": 1e2, "x": 1.0} }');

    expect(written.status).toBe(201);
    expect(written.body.proofs[0].content).toEqual({ a: { x: 1, y: 100 }, b: 'é' });
  });

  it('takes the last of duplicate names, in both steps', async () => {
    const alice = anAvatar('duplicate');

    const { body } = await kvPayload(app, alice, '{"a":1,"a":2}');
    const written = await submitKv(app, alice, body, '{"a":0,"a":3,"a":2}');

    expect(JSON.parse(body.sign_payload).patch).toEqual({ a: 2 });
    expect(written.body.proofs[0].content).toEqual({ a: 2 });
  });

  it('records one event for each accepted patch and none for a refused one', async () => {
    const alice = anAvatar('event');
    const { body } = await kvPayload(app, alice, { a: 1 });
    await submitKv(app, alice, body, { a: 1 });
    await submitKv(app, alice, body, { a: 1 });

    const events = await query(
      "select payload from domain_event where name = 'kv.patched' and payload->>'avatar' = $1",
      [alice.key.compressed],
    );

    const [{ id }] = await query('select id::int as id from kv_patch where uuid = $1', [body.uuid]);
    expect(events).toEqual([
      {
        payload: {
          avatar: alice.key.compressed,
          platform: 'self',
          identity: alice.key.uncompressed,
          patch_id: id,
          uuid: body.uuid,
          created_at: body.created_at,
        },
      },
    ]);
  });
});

describe('names that mean something to JavaScript', () => {
  const PATCH =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":5,"":0,"10":1,"9":2,"a":{"__proto__":{"b":1},"constructor":1,"prototype":2}}';

  it('are signed, stored and answered as plain names', async () => {
    const alice = anAvatar('names');

    const { body: payload } = await kvPayload(app, alice, PATCH);
    const { status } = await submitKv(app, alice, payload, PATCH);
    await writeKv(app, alice, '{"__proto__":{"more":2},"a":{"__proto__":{"b":null}}}');

    expect(status).toBe(201);
    const text = await (await fetch(`${app.baseUrl}/v1/kv?avatar=${alice.key.compressed}`)).text();
    expect(text).toContain('"__proto__":{"more":2,"polluted":1}');
    expect(text).toContain('"a":{"__proto__":{},"constructor":1,"prototype":2}');
    expect(text).toContain('"constructor":{"prototype":{"polluted":1}}');
    expect(payload.sign_payload).toContain('"__proto__":{"polluted":1}');
    const chain = await (await fetch(`${app.baseUrl}/v1/kv/chain?avatar=${alice.key.compressed}`)).text();
    expect(chain).toContain('"patch":{"__proto__":{"more":2},"a":{"__proto__":{"b":null}}}');
  });

  it('change no prototype of the server', async () => {
    await writeKv(app, anAvatar('pollution'), PATCH);

    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(String({})).toBe('[object Object]');
  });

  it('count as a change of the patch between the steps', async () => {
    const alice = anAvatar('proto change');
    const { body } = await kvPayload(app, alice, '{"a":1}');

    const { status, body: refusal } = await submitKv(app, alice, body, '{"a":1,"__proto__":{"b":1}}');

    expect([status, refusal.code]).toEqual([400, 'payload_mismatch']);
  });
});

describe('the spellings of a key', () => {
  it('are one Avatar with one entry', async () => {
    const { key } = anAvatar('spellings');
    const spellings = [
      key.compressed,
      key.compressed.slice(2),
      key.uncompressed,
      key.uncompressed.slice(2),
      `0x${key.uncompressed.slice(2).toUpperCase()}`,
    ];
    for (const [index, avatarText] of spellings.entries()) {
      const identity = spellings[(index + 1) % spellings.length]!;
      const patch = { [`n${index}`]: index };
      expect((await writeKv(app, anAvatar('spellings'), patch, { avatarText, identity })).status).toBe(201);
    }

    const answers = await Promise.all(
      [key.compressed, key.uncompressed].map((text) => app.get(`/v1/kv?avatar=${text}`)),
    );

    expect(answers[0]!.body).toEqual(answers[1]!.body);
    expect(answers[0]!.body.avatar).toBe(key.uncompressed);
    expect(answers[0]!.body.proofs).toEqual([
      {
        platform: 'self',
        identity: key.uncompressed,
        content: { n0: 0, n1: 1, n2: 2, n3: 3, n4: 4 },
        is_bound: true,
      },
    ]);
    expect(await readKvChain(app, anAvatar('spellings'))).toHaveLength(5);
  });

  it('may differ between the two steps', async () => {
    const alice = anAvatar('two spellings');
    const { body } = await kvPayload(app, alice, { a: 1 }, { avatarText: alice.key.uncompressed.slice(2) });

    const { status } = await submitKv(app, alice, body, { a: 1 }, { identity: alice.key.compressed });

    expect(status).toBe(201);
  });

  it('need 0x in a query', async () => {
    const { status, body } = await app.get(`/v1/kv?avatar=${anAvatar('spellings').key.compressed.slice(2)}`);

    expect([status, body.code]).toEqual([400, 'invalid_public_key']);
  });
});

describe('the chain of patches', () => {
  it('holds every patch whole, each signed on the one before', async () => {
    const alice = anAvatar('chain');
    const patches = [{ a: 1 }, { a: null, b: [1, { c: null }] }, { d: { e: null } }];
    for (const patch of patches) await writeKv(app, alice, patch);

    const { body } = await app.get(`/v1/kv/chain?avatar=${alice.key.uncompressed}`);

    expect(body.pagination).toEqual({ total: 3, per: 10, current: 1, next: 0 });
    expect(body.kv_chain.map((item: Answer['body']) => item.patch)).toEqual(patches);
    let previous: string | null = null;
    for (const item of body.kv_chain) {
      const { uuid, platform, identity, patch, created_at, signature, signature_payload } = item;
      expect(Object.keys(item).sort()).toEqual(
        ['created_at', 'identity', 'patch', 'platform', 'signature', 'signature_payload', 'uuid'].sort(),
      );
      expect(JSON.parse(signature_payload)).toEqual({
        action: 'kv',
        avatar: alice.key.compressed,
        prev: previous,
        ...{ created_at, identity, patch, platform, uuid },
      });
      expect(typeof created_at).toBe('number');
      expect(signature).toBe(alice.sign(signature_payload));
      previous = signature;
    }
  });

  it('is read in pages, oldest first', async () => {
    const alice = anAvatar('pages');
    for (let n = 0; n < 11; n++) await writeKv(app, alice, { [`k${n}`]: n });
    const page = async (text: string) =>
      (await app.get(`/v1/kv/chain?avatar=${alice.key.compressed}&page=${text}`)).body;

    const [first, second, third, zero] = await Promise.all(['1', '2', '3', '0'].map(page));

    expect(first.pagination).toEqual({ total: 11, per: 10, current: 1, next: 2 });
    expect(first.kv_chain.map((item: Answer['body']) => Object.values(item.patch)[0])).toEqual([...Array(10).keys()]);
    expect(second.pagination).toEqual({ total: 11, per: 10, current: 2, next: 0 });
    expect(second.kv_chain).toHaveLength(1);
    expect(third).toEqual({ pagination: { total: 11, per: 10, current: 3, next: 0 }, kv_chain: [] });
    expect(zero).toEqual(first);
  });

  it('of an unknown Avatar is empty', async () => {
    const { status, body } = await app.get(`/v1/kv/chain?avatar=${anAvatar('nobody').key.compressed}`);

    expect(status).toBe(200);
    expect(body).toEqual({ pagination: { total: 0, per: 10, current: 1, next: 0 }, kv_chain: [] });
  });

  it('has no page of more than 2 MB, and is written as it was signed', async () => {
    const alice = anAvatar('long patches');
    const patch = { '\u0001': '\\"'.repeat(13_000) }; // in a text within a text each of them is written as seven
    for (let n = 0; n < 11; n++) expect((await writeKv(app, alice, { ...patch, n })).status).toBe(201);

    const response = await fetch(`${app.baseUrl}/v1/kv/chain?avatar=${alice.key.compressed}`);
    const text = await response.text();
    const { kv_chain: items } = JSON.parse(text) as Answer['body'];

    expect(response.headers.get('content-type')).toContain('application/json');
    expect(text.length).toBeLessThan(2_000_000);
    expect(items.map((item: Answer['body']) => item.patch)).toEqual(
      Array.from({ length: 10 }, (_, n) => ({ ...patch, n })),
    );
  });

  it('cannot fork or lose a patch even in the hands of somebody with SQL', async () => {
    const alice = anAvatar('schema');
    await writeKv(app, alice, { a: 1 });
    const insert = (position: number) =>
      query(
        `insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
         values ($1, $2, 'self', 'x', '{}', now(), gen_random_uuid(), 's', 'p')`,
        [alice.key.compressed, position],
      );

    await expect(insert(1)).rejects.toThrow('kv_patch_position');
    await expect(insert(3)).rejects.toThrow('kv_patch_previous');
    await expect(insert(0)).rejects.toThrow('check constraint');
  });
});

describe('content by identity', () => {
  it('is empty where nobody wrote and where there can be no such identity', async () => {
    const empty = { pagination: { total: 0, per: 20, current: 1, next: 0 }, values: [] };

    expect(await valuesOf(aWallet('unwritten').address)).toEqual(empty);
    expect(await valuesOf('no%20wallet')).toEqual(empty);
  });

  it('shows those first who hold a valid proof, then the newest', async () => {
    const wallet = aWallet('by identity');
    const target = { platform: 'ethereum', identity: wallet.address };
    const [holder, older, newer] = ['holder', 'older', 'newer'].map((name) => anAvatar(name)) as [
      TestAvatar,
      TestAvatar,
      TestAvatar,
    ];
    await writeKv(app, holder, { who: 'holder' }, target);
    await writeKv(app, older, { who: 'older' }, target);
    await writeKv(app, newer, { who: 'newer' }, target);
    expect((await linkWallet(app, holder, wallet)).status).toBe(201);

    const bound = await valuesOf(wallet.address);
    await linkWallet(app, holder, wallet, { action: 'delete' });
    await writeKv(app, older, { who: 'older again' }, target);
    const unbound = await valuesOf(wallet.address);

    expect(bound).toEqual({
      pagination: { total: 3, per: 20, current: 1, next: 0 },
      values: [
        { avatar: holder.key.uncompressed, content: { who: 'holder' }, content_bytes: 16, is_bound: true },
        { avatar: newer.key.uncompressed, content: { who: 'newer' }, content_bytes: 15, is_bound: false },
        { avatar: older.key.uncompressed, content: { who: 'older' }, content_bytes: 15, is_bound: false },
      ],
    });
    expect(unbound.values.map((value: Answer['body']) => [value.content.who, value.is_bound])).toEqual([
      ['older again', false],
      ['newer', false],
      ['holder', false],
    ]);
  });

  it('is paged, with those who hold a valid proof on the first page', async () => {
    const { address } = aWallet('crowd');
    for (let n = 0; n < 21; n++) {
      await writeKv(app, anAvatar(`crowd ${n}`), { n }, { platform: 'ethereum', identity: address });
    }

    await linkWallet(app, anAvatar('crowd 0'), aWallet('crowd'));

    const [first, second, third] = await Promise.all([1, 2, 3].map((page) => valuesOf(address, page)));

    const newestFirst = [...Array(21).keys()].reverse();
    expect(first.pagination).toEqual({ total: 21, per: 20, current: 1, next: 2 });
    expect(first.values.map((value: Answer['body']) => value.content.n)).toEqual([0, ...newestFirst.slice(0, 19)]);
    expect(second.values).toEqual([
      { avatar: anAvatar('crowd 1').key.uncompressed, content: { n: 1 }, content_bytes: 7, is_bound: false },
    ]);
    expect(third).toEqual({ pagination: { total: 21, per: 20, current: 3, next: 0 }, values: [] });
  });

  it('shows content of up to 64 KiB, and of what is longer the bytes, so that no page has more than 2 MB', async () => {
    const { address } = aWallet('large');
    const texts = [...Array.from({ length: 19 }, () => 65_536), 65_537, 1_048_576].map(textOf);
    for (const [index, text] of texts.entries()) {
      await query('insert into kv_entry (avatar, platform, identity, content) values ($1, $2, $3, $4)', [
        ...[anAvatar(`large ${index}`).key.compressed, 'ethereum', address, text],
      ]);
    }

    const response = await fetch(`${app.baseUrl}/v1/kv/by_identity?platform=ethereum&identity=${address}`);
    const text = await response.text();
    const { values } = JSON.parse(text) as Answer['body'];
    const whole = await entriesOf(anAvatar('large 20'));

    expect(text.length).toBeLessThan(2_000_000);
    expect(values.map((value: Answer['body']) => [value.content?.a.length ?? null, value.content_bytes])).toEqual([
      [null, 1_048_576],
      [null, 65_537],
      ...Array.from({ length: 18 }, () => [65_528, 65_536]),
    ]);
    expect(whole.body.proofs[0].content.a).toHaveLength(1_048_568);
  });

  it('is found for the key itself by any of its spellings', async () => {
    const alice = anAvatar('self lookup');
    await writeKv(app, alice, { a: 1 });

    for (const identity of [
      alice.key.compressed,
      alice.key.uncompressed,
      alice.key.compressed.slice(2).toUpperCase(),
    ]) {
      const { body } = await app.get(`/v1/kv/by_identity?platform=self&identity=${identity}`);
      expect(body.values).toEqual([
        { avatar: alice.key.uncompressed, content: { a: 1 }, content_bytes: 7, is_bound: true },
      ]);
    }
  });

  it.each([
    '',
    '?platform=ethereum',
    '?identity=x',
    '?platform=nowhere&identity=x',
    '?platform=github&identity=a&page=-1',
  ])('refuses the query "%s"', async (text) => {
    const { status, body } = await app.get(`/v1/kv/by_identity${text}`);

    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['message', 'code']);
  });
});

it('answers 201 by what its transaction left, whatever becomes of the database behind it', async () => {
  const alice = anAvatar('unlucky');
  await writeKv(app, alice, { a: 1 });
  const queries = app.app.get(KvQueries);
  const getEntries = queries.getEntries.bind(queries);
  queries.getEntries = () => Promise.reject(new Error('Connection terminated'));

  const { status, body } = await writeKv(app, alice, { b: 2 });
  queries.getEntries = getEntries;

  expect([status, body.proofs?.[0].content]).toEqual([201, { a: 1, b: 2 }]);
  expect({ ...body, receipt: undefined }).toEqual((await entriesOf(alice)).body);
});

it('answers all content of an Avatar that has much, in order, also when many ask at once', async () => {
  const alice = anAvatar('much');
  for (let n = 0; n < 3; n++) {
    await query('insert into kv_entry (avatar, platform, identity, content) values ($1, $2, $3, $4)', [
      ...[alice.key.compressed, 'github', `user-${n}`, textOf(1_000_000 + n)],
    ]);
  }

  const answers = await Promise.all(Array.from({ length: 5 }, () => entriesOf(alice)));

  for (const { body } of answers) {
    expect(body.proofs.map((entry: Answer['body']) => [entry.identity, entry.content.a.length])).toEqual([
      ['user-0', 999_992],
      ['user-1', 999_993],
      ['user-2', 999_994],
    ]);
  }
});

it('tells in each entry whether the identity is proved now', async () => {
  const alice = anAvatar('is bound');
  const wallet = aWallet('is bound');
  const isBound = async () => (await entriesOf(alice)).body.proofs.map((entry: Answer['body']) => entry.is_bound);

  await writeKv(app, alice, { a: 1 }, { platform: 'ethereum', identity: wallet.address });
  const before = await isBound();
  await linkWallet(app, alice, wallet);
  const bound = await isBound();
  await query("update proof set is_valid = false, invalid_reason = 'gone' where identity = $1", [wallet.address]);
  const invalid = await isBound();

  expect([before, bound, invalid]).toEqual([[false], [true], [false]]);
});

it('answers 404 for an Avatar that never wrote', async () => {
  const stranger = anAvatar('stranger');

  const { status, body } = await entriesOf(stranger);

  expect(status).toBe(404);
  expect(body).toEqual({ message: expect.stringContaining(stranger.key.compressed) as string, code: 'kv_not_found' });
});

it.each(['', '?avatar=', '?avatar=0x02', `?avatar=0x02${'f'.repeat(64)}`, `?avatar=a&avatar=b`])(
  'refuses GET /v1/kv%s',
  async (text) => {
    for (const path of ['/v1/kv', '/v1/kv/chain']) {
      expect((await app.get(`${path}${text}`)).status).toBe(400);
    }
  },
);

it('knows the key itself under the name of the deployment', async () => {
  const named = await startApp({ env: { SERVICE_NAME: 'signet-test' } });
  try {
    const alice = anAvatar('named');

    const other = await writeKv(named, alice, { a: 1 });
    const { body } = await writeKv(named, alice, { a: 1 }, { platform: 'signet-test' });

    expect([other.status, other.body.code]).toEqual([400, 'unknown_platform']);
    expect(body.proofs).toMatchObject([{ platform: 'signet-test', identity: alice.key.uncompressed, is_bound: true }]);
  } finally {
    await named.close();
  }
});

describe('the feed of patches', () => {
  it('goes on behind an id, and only its full pages may be cached', async () => {
    const written = [];
    for (let n = 0; n < 10; n += 1) written.push(await writeKv(app, anAvatar('feed'), { n }));
    expect(new Set(written.map(({ status }) => status))).toEqual(new Set([201]));
    const newest = Number((await query('select max(feed_id) as id from kv_patch', []))[0].id);
    const after = (lastId: number, count: number) => app.get(`/v1/kv/changes?last_id=${lastId}&count=${count}`);

    const [full, open, none] = [await after(newest - 10, 10), await after(newest - 10, 11), await after(newest, 10)];

    expect(full.body.patches).toMatchObject(written.map((_, n) => ({ id: newest - 9 + n, patch: { n } })));
    expect(open.body).toEqual(full.body);
    expect(none.body.patches).toEqual([]);
    const caching = [full, open, none].map(({ headers }) => headers.get('Cache-Control'));
    expect(caching).toEqual(['max-age=60', 'no-cache', 'no-cache']);
  });
});

it('describes its routes on the API page', async () => {
  const { body } = await app.get('/openapi.json');

  expect(Object.keys(body.paths).filter((path) => path.startsWith('/v1/kv'))).toEqual([
    '/v1/kv/payload',
    '/v1/kv',
    '/v1/kv/chain',
    '/v1/kv/changes',
    '/v1/kv/by_identity',
  ]);
  const example = body.components.schemas.KvSubmitRequest.properties;
  expect(AvatarKey.parse(example.avatar.example).uncompressed).toBe(example.identity.example);
});

/** Asks the database of the application itself. */
async function query(sql: string, parameters: unknown[]): Promise<Answer['body']> {
  return app.app.get(DataSource).query(sql, parameters);
}
