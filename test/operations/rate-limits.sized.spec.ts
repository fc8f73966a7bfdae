import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { ENGINES_OF_TIER } from '../support/engines.js';
import { createTestDatabase } from '../support/database.js';
import { openSse } from '../support/sse-client.js';
import { rawGet, rawPost, sendRaw } from '../support/raw-http.js';
import { expectRefusal } from '../support/refusals.js';
import { writeKv } from '../kv/kv-scenario.js';
import { linkWallet, walletPayload } from '../support/scenario.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const LIMITS = {
  RATE_LIMIT: 'on',
  RATE_LIMIT_READS: '5',
  RATE_LIMIT_SEARCHES: '12',
  RATE_LIMIT_DOCUMENTS: '30',
  RATE_LIMIT_PAYLOADS: '8',
  RATE_LIMIT_SUBMITS: '2',
  RATE_LIMIT_STREAMS: '2',
  RATE_LIMIT_ADMIN: '4',
};
/** A create that is refused for its payload, but not before it was counted. */
const postSubmit = {
  action: 'create',
  platform: 'github',
  identity: 'alice',
  public_key: alice.key.compressed,
  proof_location: 'aa5a315d61ae9438b18d',
  uuid: '396d94a2-39ad-45dd-8c17-1485757ec251',
  created_at: '1795225670',
};
const tooMany = (message: RegExp) => ({ status: 429, code: 'too_many_requests', message });

let running: RunningApp;
/** Each test is another client: the proxy of the tests says so. */
let client: Record<string, string>;
let clients = 0;

beforeAll(async () => {
  running = await startApp({ env: { ...LIMITS, TRUST_PROXY: '127.0.0.1' } });
});
beforeEach(() => {
  clients += 1;
  client = { 'X-Forwarded-For': `192.0.2.${clients}` };
});
afterAll(() => running.close());

const times = async <Result>(count: number, work: () => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = [];
  for (let done = 0; done < count; done += 1) results.push(await work());
  return results;
};
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);
const read = () => running.get('/v1/proofchain/changes?last_id=0', client);

describe('the picture of a seal', () => {
  it('is counted as five documents, because it is drawn', async () => {
    const answers = await times(7, () =>
      fetch(`${running.baseUrl}/seal/${alice.key.compressed}.png`, { headers: client }),
    );

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });
});

describe('a browser whose event stream is refused', () => {
  it('is asked to come back where it opens the stream again, and is told why where it opens its first', async () => {
    const first = await times(3, () => openSse(running.baseUrl, '/v1/events', { headers: client }));
    const again = await openSse(running.baseUrl, '/v1/events', { headers: client, lastEventId: 0 });
    await again.ended;
    for (const stream of first) stream.close();

    expect(statuses(first)).toEqual([200, 200, 429]);
    expect(again.status).toBe(200);
    expect(again.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(again.text).toMatch(/^retry: [1-9]\d{3,4}\n\n$/);
  });
});

describe('a client that searches', () => {
  const search = (query: string) => running.get(`/v1/proof?${query}`, client);
  const left = async (query: string) => /r=(\d+)/.exec((await search(query)).headers.get('RateLimit')!)![1];

  it('is charged by the terms and by how far the page is', async () => {
    expect(await left('identity=ali')).toBe('11');
    expect(await left('identity=ali,bob,eve')).toBe('8');
    expect(await left('identity=ali,bob&page=11')).toBe('4');
    expect(await left('identity=ali&page=10')).toBe('3');

    expectRefusal(await search('identity=ali,bob,eve,dan'), tooMany(/12 searches for one term in 60 seconds/));
  });

  it('may ask for all that it has left by one search, and for nothing more after that', async () => {
    const terms = Array.from({ length: 50 }, (_, index) => `term${index}`).join();

    expect((await search(`identity=${terms}&page=49`)).status).toBe(200);
    expect((await search('identity=ali')).status).toBe(429);
  });

  it('is still served what is looked up exactly, which is counted with the reads', async () => {
    await times(13, () => search('identity=ali'));

    const answers = [
      await search('identity=ali&exact=true'),
      await search(`identity=${alice.key.compressed}&platform=self`),
    ];

    expect(statuses(answers)).toEqual([200, 200]);
    expect(answers.map(({ headers }) => headers.get('RateLimit')?.slice(0, 12))).toEqual([
      '"reads";r=4;',
      '"reads";r=3;',
    ]);
  });
});

describe('a client that sends or gets much', () => {
  it('is charged a point more for each 64 KiB of a body', async () => {
    const post = (padding: number) =>
      running.post('/v1/proof/payload', { padding: 'x'.repeat(padding) }, client).then(({ headers }) => headers);
    await post(3 * 64 * 1024);

    expect((await post(0)).get('RateLimit')).toMatch(/^"payloads";r=3;/);
  });

  it('is charged a point more for each 64 KiB of an answer', async () => {
    const bob = anAvatar('bob');
    const writer = { ...running, post: (path: string, body: unknown) => running.post(path, body, client) };
    for (const part of ['one', 'two', 'three']) await writeKv(writer, bob, { [part]: 'x'.repeat(60_000) });
    const content = () => running.get(`/v1/kv?avatar=${bob.key.compressed}`, client);
    expect((await content()).headers.get('RateLimit')).toMatch(/^"reads";r=4;/);

    expect((await content()).headers.get('RateLimit')).toMatch(/^"reads";r=1;/);
    expect((await content()).status).toBe(429);
  });
});

describe('the documents of the server', () => {
  it.each(['/metrics', '/openapi.json', '/docs'])('are limited by themselves: %s', async (path) => {
    const answers = await times(31, () => fetch(`${running.baseUrl}${path}`, { headers: client }));

    // The larger ones cost a point more for each 64 KiB.
    expect(statuses(answers)).toEqual(expect.arrayContaining([200, 429]));
    expect(statuses(answers)[0]).toBe(200);
    expect(statuses(answers).at(-1)).toBe(429);
    expect((await read()).status).toBe(200);
  });

  it.each(['/openapi.json', '/docs', '/docs/start.js', '/docs/swagger-ui-bundle.js'])(
    'are not sent again to a client that has them: %s',
    async (path) => {
      const first = await fetch(`${running.baseUrl}${path}`, { headers: client });
      await first.arrayBuffer();
      const etag = first.headers.get('etag')!;

      const again = await fetch(`${running.baseUrl}${path}`, { headers: { ...client, 'If-None-Match': etag } });

      expect(etag).toMatch(/^"[^"]+"$/);
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    },
  );
});

describe('a client that reads', () => {
  it('is told what is left, and refused when nothing is', async () => {
    const answers = await times(6, read);

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('RateLimit-Policy'))).toEqual(Array(6).fill('"reads";q=5;w=60'));
    expect(answers.map(({ headers }) => headers.get('RateLimit')?.replace(/;t=\d+/, ''))).toEqual(
      [4, 3, 2, 1, 0, 0].map((left) => `"reads";r=${left}`),
    );
    expectRefusal(answers[5]!, tooMany(/5 reads in 60 seconds; try again in \d+ s/));
    const retryAfter = Number(answers[5]!.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(50);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(answers[5]!.headers.get('RateLimit')).toBe(`"reads";r=0;t=${retryAfter}`);
    expect(answers.slice(0, 5).every(({ headers }) => headers.get('Retry-After') === null)).toBe(true);
  });

  it('is counted for refusals, unknown paths and HEAD too', async () => {
    const answers = await Promise.all([
      running.get('/v1/proof/exists', client),
      running.get('/v1/unknown', client),
      running.get('/nowhere', client),
      running.get('/v1/proofchain?public_key=nonsense', client),
    ]);
    const head = await sendRaw(
      running.baseUrl,
      rawGet('/v1/kv', ['X-Forwarded-For: ' + client['X-Forwarded-For']]).replace('GET', 'HEAD'),
    );

    expect(statuses(answers)).toEqual([400, 404, 404, 400]);
    expect(head.headers['ratelimit']).toMatch(/^"reads";r=0;t=\d+$/);
    expect((await read()).status).toBe(429);
  });

  it('does not use up what others have, nor its own writes', async () => {
    await times(6, read);

    const other = await running.get('/v1/proofchain/changes?last_id=0', { 'X-Forwarded-For': '198.51.100.1' });
    const payload = await running.post('/v1/proof/payload', {}, client);

    expect(other.status).toBe(200);
    expect(payload.status).toBe(400);
  });

  it('may ask for the health checks as often as it likes', async () => {
    await times(6, read);

    const answers = await times(40, () => running.get('/healthz', client));
    const others = await Promise.all(['/livez', '/readyz', '/healthz/'].map((path) => running.get(path, client)));

    expect(new Set(statuses([...answers, ...others]))).toEqual(new Set([200]));
    expect(answers.every(({ headers }) => headers.get('RateLimit') === null)).toBe(true);
  });

  it('in a browser on another site can read what is left, also from a refusal', async () => {
    const answers = await times(6, () =>
      running.get('/v1/proofchain/changes?last_id=0', { ...client, Origin: 'https://app.example' }),
    );

    for (const { headers } of answers) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      const exposed = headers.get('Access-Control-Expose-Headers')!.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']));
    }
  });
});

describe('a client that writes', () => {
  it('is refused before its body is read', async () => {
    await times(8, () =>
      walletPayload({ ...running, post: (path, body) => running.post(path, body, client) }, alice, wallet),
    );

    const answer = await sendRaw(
      running.baseUrl,
      rawPost('/v1/proof', Buffer.from('{'), [`X-Forwarded-For: ${client['X-Forwarded-For']}`]),
    );

    expectRefusal({ status: answer.status, body: JSON.parse(answer.text) }, tooMany(/8 writes in 60 seconds/));
  });

  it('may submit wallets and deletes as often as it may ask for payloads, because nobody else is asked', async () => {
    const asClient = { ...running, post: (path: string, body: unknown) => running.post(path, body, client) };

    const answers = [
      await linkWallet(asClient, alice, wallet),
      await linkWallet(asClient, alice, wallet),
      await linkWallet(asClient, alice, wallet, { action: 'delete' }),
      await linkWallet(asClient, alice, wallet),
    ];

    expect(statuses(answers)).toEqual([201, 201, 201, 201]);
    expect(answers[3]!.headers.get('RateLimit-Policy')).toBe('"payloads";q=8;w=60');
  });

  it('is held closer where a platform has to be asked', async () => {
    const answers = await times(3, () => running.post('/v1/proof', postSubmit, client));

    expect(statuses(answers)).toEqual([400, 400, 429]);
    expect(answers[1]!.headers.get('RateLimit-Policy')).toBe('"payloads";q=8;w=60, "submits";q=2;w=60');
    expect(answers[1]!.headers.get('RateLimit')).toMatch(/^"payloads";r=6;t=\d+, "submits";r=0;t=\d+$/);
    expectRefusal(answers[2]!, tooMany(/2 submits that ask a platform in 60 seconds/));
    expect((await running.post('/v1/proof', { ...postSubmit, action: 'delete' }, client)).status).toBe(400);
  });
});

describe('a client that opens event streams', () => {
  it('may open so many in a minute', async () => {
    const open = () =>
      sendRaw(
        running.baseUrl,
        rawGet('/v1/events', [`X-Forwarded-For: ${client['X-Forwarded-For']}`]).replace('GET', 'HEAD'),
      );

    const answers = await times(3, open);

    expect(statuses(answers)).toEqual([200, 200, 429]);
    expect(answers[0]!.headers['ratelimit']).toMatch(/^"streams";r=1;t=\d+$/);
  });
});

describe('whose address counts', () => {
  const exhaust = (address: string) => times(5, () => running.get('/v1/kv', { 'X-Forwarded-For': address }));
  const statusFor = async (address: string) => (await running.get('/v1/kv', { 'X-Forwarded-For': address })).status;

  it('is that of the network, for IPv6', async () => {
    await exhaust('2001:db8:0:1::1');

    expect(await statusFor('2001:db8:0:1:ffff::2')).toBe(429);
    expect(await statusFor('2001:db8:0:2::1')).toBe(400);
  });

  it('is what the trusted proxy wrote, not what the client wrote before it', async () => {
    await exhaust('203.0.113.7');

    expect(await statusFor('10.9.8.7, 203.0.113.7')).toBe(429);
    expect(await statusFor('203.0.113.7, 203.0.113.8')).toBe(400);
  });
});

describe('without a trusted proxy', () => {
  it('X-Forwarded-For changes nothing', async () => {
    const direct = await startApp({ env: { ...LIMITS, RATE_LIMIT_READS: '3' } });

    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) =>
        direct.get('/v1/kv', { 'X-Forwarded-For': `192.0.2.${number}`, Forwarded: `for=192.0.2.${number}` }),
      ),
    );

    expect(statuses(answers).sort()).toEqual([400, 400, 400, 429]);
    await direct.close();
  });

  it('a proxy with another address is not believed', async () => {
    const direct = await startApp({ env: { ...LIMITS, RATE_LIMIT_READS: '1', TRUST_PROXY: '10.0.0.0/8' } });

    const first = await direct.get('/v1/kv', { 'X-Forwarded-For': '192.0.2.1' });
    const second = await direct.get('/v1/kv', { 'X-Forwarded-For': '192.0.2.2' });

    expect(statuses([first, second])).toEqual([400, 429]);
    await direct.close();
  });

  it('a number of proxies is a number of addresses from the right', async () => {
    const behindTwo = await startApp({ env: { ...LIMITS, RATE_LIMIT_READS: '1', TRUST_PROXY: '2' } });
    const statusFor = async (forwarded: string) =>
      (await behindTwo.get('/v1/kv', { 'X-Forwarded-For': forwarded })).status;

    expect(await statusFor('192.0.2.1, 10.0.0.1')).toBe(400);
    expect(await statusFor('198.51.100.1, 192.0.2.1, 10.0.0.1')).toBe(429);
    expect(await statusFor('198.51.100.1, 192.0.2.2, 10.0.0.1')).toBe(400);
    await behindTwo.close();
  });
});

describe('RATE_LIMIT=off', () => {
  it('limits nothing and tells nothing', async () => {
    const unlimited = await startApp({ env: { ...LIMITS, RATE_LIMIT: 'off' } });

    const answers = await times(10, () => unlimited.get('/v1/proofchain/changes?last_id=0'));

    expect(statuses(answers)).toEqual(Array(10).fill(200));
    expect(answers[9]!.headers.get('RateLimit')).toBeNull();
    expect(answers[9]!.headers.get('RateLimit-Policy')).toBeNull();
    await unlimited.close();
  });
});

describe('several servers', () => {
  it('count submits and streams together, and reads apart', async () => {
    const { url, drop } = await createTestDatabase();
    const [one, two] = [
      await startApp({ env: LIMITS, databaseUrl: url }),
      await startApp({ env: LIMITS, databaseUrl: url }),
    ];

    const submits = await Promise.all([one, two, one, two].map((server) => server.post('/v1/proof', postSubmit)));
    const reads = await times(5, () => one.get('/v1/proofchain/changes?last_id=0'));
    const readElsewhere = await two.get('/v1/proofchain/changes?last_id=0');

    expect(statuses(submits).sort()).toEqual([400, 400, 429, 429]);
    expect(statuses(reads)).toEqual([200, 200, 200, 200, 200]);
    expect(readElsewhere.status).toBe(200);
    await one.close();
    await two.close();
    await drop();
  });

  it('start anew when the minute of the database is over, whatever their own clocks say', async () => {
    const { url, drop } = await createTestDatabase();
    const server = await startApp({ env: { ...LIMITS, RATE_LIMIT_SUBMITS: '3' }, databaseUrl: url });
    const left = async () => {
      const { headers } = await server.post('/v1/proof', postSubmit);
      return headers.get('RateLimit')!.match(/"submits";r=(\d+)/)![1];
    };

    expect([await left(), await left()]).toEqual(['2', '1']);
    await server.app.get(DataSource).query(`update rate_limit set ends_at = clock_timestamp()`);

    expect(await left()).toBe('2');
    await server.close();
    await drop();
  });
});

describe.each(ENGINES_OF_TIER)('on the %s database', (engine) => {
  it('shared limits hold under concurrent requests', async () => {
    const server = await startApp({ engine, env: { ...LIMITS, RATE_LIMIT_PAYLOADS: '100', RATE_LIMIT_SUBMITS: '7' } });

    const answers = await Promise.all(Array.from({ length: 30 }, () => server.post('/v1/proof', postSubmit)));

    expect(statuses(answers).filter((status) => status === 400)).toHaveLength(7);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(23);
    const [{ key, requests }] = await server.app.get(DataSource).query('select key, requests from rate_limit');
    expect(key).toBe('submits 127.0.0.1');
    // What this server would refuse by its own count never reaches the database.
    expect(requests).toBe(7);
    await server.close();
  });
});
