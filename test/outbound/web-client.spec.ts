import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Test } from '@nestjs/testing';
import { ConfigModule } from '../../src/config/config.module.js';
import { loadEnvironment } from '../../src/config/environment.js';
import type { WebRequest } from '@signet/look';
import { WebClient } from '../../src/outbound/web-client.js';
import { WebModule } from '../../src/outbound/web.module.js';
import type { WebTransport } from '../../packages/look/src/node/web-transport.js';
import {
  connectNames,
  jsonReply,
  type StandIn,
  type StandInReply,
  startStandIn,
  textReply,
} from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { aClient, aRequest, expectUnavailable, HOST, OTHER_HOST } from './hostile.js';

let standIn: StandIn;
let secure: StandIn;
let transport: WebTransport;
let web: WebClient;

beforeAll(async () => {
  standIn = await startStandIn(() => jsonReply({}));
  secure = await startStandIn(() => jsonReply({}), { tls: true });
  transport = await connectNames({ [HOST]: secure, [OTHER_HOST]: secure });
});
beforeEach(() => {
  for (const server of [standIn, secure]) {
    server.requests.length = 0;
    server.handle(() => jsonReply({}));
  }
  web = aClient(transport, { OUTBOUND_CONTACT: 'https://example.net/contact' });
});
afterEach(() => web.stop());
afterAll(() => Promise.all([standIn.close(), secure.close()]));

const toOperator = (more: Partial<WebRequest> = {}): WebRequest => ({
  url: `${standIn.baseUrl}/things?a=b%20c`,
  trust: 'operator',
  platform: 'github',
  ...more,
});

const { version: VERSION } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

describe('a request', () => {
  it('carries a name, a contact and nothing else of ours', async () => {
    secure.handle(() => jsonReply({}, 200, { 'set-cookie': 'id=1' }));
    await web.send(aRequest());
    await web.send(aRequest());

    expect(secure.requests.map(({ headers }) => headers)).toEqual(
      Array(2).fill({
        host: HOST,
        connection: 'keep-alive',
        'user-agent': `Signet/${VERSION} (+https://example.net/contact)`,
        'accept-encoding': 'gzip',
      }),
    );
  });

  it('may give a server more time to think than the usual limit for headers', async () => {
    const quick = aClient({ ...transport, limits: { connectMs: 5_000, headersMs: 100 } });
    let answer!: (reply: StandInReply) => void;
    const thought = new Promise<StandInReply>((resolve) => (answer = resolve));
    secure.handle(() => thought);

    const patient = quick.send(aRequest({ timeoutMs: 60_000, headersMs: 60_000 }));
    await until(() => secure.requests.length > 0);
    // Begun later, and given up sooner.
    await expectUnavailable(quick.send(aRequest()), 6_000);
    answer(jsonReply({}));

    expect((await patient).status).toBe(200);
    await quick.stop();
  });

  it('keeps path and query as they were built, and drops the fragment', async () => {
    await web.send(aRequest({ url: `https://${HOST}/a%2Fb/@c?d=e%20f&g=1#h` }));

    const { path, query } = secure.requests[0]!;
    expect([path, query.toString()]).toEqual(['/a%2Fb/@c', 'd=e+f&g=1']);
  });

  it('may bring a User-Agent of its own and a token to a server of the operator', async () => {
    await web.send(toOperator({ headers: { 'User-Agent': 'DiscordBot (x, 1)', Authorization: 'Bot abc' } }));

    expect(standIn.requests[0]!.headers).toMatchObject({ 'user-agent': 'DiscordBot (x, 1)', authorization: 'Bot abc' });
  });

  it('may be a POST with text or bytes', async () => {
    await web.send(toOperator({ method: 'POST', body: '{"a":"ä"}', headers: { 'content-type': 'application/json' } }));
    await web.send(toOperator({ method: 'POST', body: Uint8Array.of(0, 255, 1) }));

    expect(standIn.requests.map(({ method, bytes }) => [method, [...bytes]])).toEqual([
      ['POST', [...Buffer.from('{"a":"ä"}')]],
      ['POST', [0, 255, 1]],
    ]);
  });

  it('takes name and password from the base URL of the operator', async () => {
    await web.send(toOperator({ url: `http://alice:p%40ss@127.0.0.1:${standIn.port}/` }));

    expect(standIn.requests[0]!.headers['authorization']).toBe(`Basic ${Buffer.from('alice:p@ss').toString('base64')}`);
  });

  it.each(['authorization', 'Authorization', 'AUTHORIZATION'])(
    'never takes a credential (%s) to a host that a user chose',
    async (name) => {
      const attempt = web.send(aRequest({ headers: { [name]: 'Bearer abc' } }));

      await expect(attempt).rejects.toThrow('Credentials never go to a host that a user chose.');
      expect(secure.requests).toEqual([]);
    },
  );

  it.each([
    'Cookie',
    'Referer',
    'Host',
    'Accept-Encoding',
    'Content-Length',
    'Transfer-Encoding',
    'Proxy-Authorization',
    'Expect',
  ])('never carries %s from a caller', async (name) => {
    await expect(web.send(toOperator({ headers: { [name]: 'x' } }))).rejects.toThrow('not for callers');
  });

  it('takes no proxy from the environment', async () => {
    const proxy = await startStandIn(() => jsonReply('from the proxy'));
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.baseUrl;
    const client = aClient(transport);

    const replies = [await client.sendJson(toOperator()), await client.sendJson(aRequest())];
    for (const name of names) delete process.env[name];
    await client.stop();
    await proxy.close();

    expect(replies.map(({ json }) => json)).toEqual([{}, {}]);
    expect(proxy.connections).toBe(0);
  });

  it('uses connections again, so that a verification does not shake hands for every request', async () => {
    const before = secure.connections;

    for (let i = 0; i < 6; i++) await web.send(aRequest());

    expect(secure.connections - before).toBeLessThanOrEqual(2); // the second one if the first is still being put away
  });

  it.each(['a\r\nX-Injected: 1', 'a\0b'])('with a header value that would break out is not sent', async (value) => {
    await expectUnavailable(web.send(toOperator({ headers: { 'x-id': value } })));
    expect(standIn.requests).toEqual([]);
  });
});

describe('a reply', () => {
  it.each([200, 204, 304, 400, 401, 403, 404, 410, 429, 500, 503])(
    'with status %i is answered as it is',
    async (status) => {
      standIn.handle(() => ({ status, headers: { 'x-one': ['1', '2'] } }));

      const reply = await web.send(toOperator());

      expect([reply.status, reply.headers['x-one'], reply.body.length]).toEqual([status, '1, 2', 0]);
    },
  );

  it('with no body at all may claim a coding, too', async () => {
    standIn.handle(() => ({ status: 404, headers: { 'content-encoding': 'gzip' } }));

    expect((await web.send(toOperator())).status).toBe(404);
  });

  it('is read through gzip', async () => {
    const text = JSON.stringify({ text: 'ä'.repeat(5000) });
    standIn.handle(({ headers }) => ({
      bytes: gzipSync(text),
      headers: { 'content-type': 'application/json', 'content-encoding': headers['accept-encoding'] ?? '' },
    }));

    const { json, body } = await web.sendJson(toOperator());

    expect(json).toEqual(JSON.parse(text));
    expect(Buffer.from(body).toString()).toBe(text);
  });

  it.each([204, 304])('with status %i may claim a coding of the body that it does not have', async (status) => {
    standIn.handle(() => (response) => {
      response.writeHead(status, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
      response.end();
    });

    expect((await web.sendJson(toOperator())).json).toBeNull();
  });
});

describe('JSON', () => {
  it.each([
    'application/json',
    'application/json;charset=UTF-8',
    'Application/JRD+JSON',
    'application/activity+json; charset="utf-8"',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  ])('may come as %s', async (type) => {
    standIn.handle(() => textReply('{"a":[1]}', 200, type));

    expect(await web.sendJson(toOperator())).toMatchObject({ json: { a: [1] }, isJson: true });
  });

  it('may begin with a byte order mark, and may be null', async () => {
    standIn.handle(() => textReply('\uFEFFnull', 200, 'application/json'));

    expect(await web.sendJson(toOperator())).toMatchObject({ json: null, isJson: true });
  });

  it('is asked for unless the caller asks for something more special', async () => {
    await web.sendJson(toOperator());
    await web.sendJson(toOperator({ headers: { accept: 'application/activity+json' } }));

    expect(standIn.requests.map(({ headers }) => headers['accept'])).toEqual([
      'application/json',
      'application/activity+json',
    ]);
  });

  it('of a 404 is told from a page of somebody in between', async () => {
    standIn.handle(() => jsonReply({ error: 'Record not found' }, 404));
    const fromApi = await web.sendJson(toOperator());
    standIn.handle(() => textReply('<html>', 404, 'text/html'));
    const fromProxy = await web.sendJson(toOperator());
    standIn.handle(() => ({ status: 404, headers: { 'content-type': 'application/json' } }));
    const empty = await web.sendJson(toOperator());

    expect([fromApi, fromProxy, empty].map(({ status, json, isJson }) => [status, json, isJson])).toEqual([
      [404, { error: 'Record not found' }, true],
      [404, null, false],
      [404, null, false],
    ]);
  });

  it.each([429, 500, 502, 503])('is not looked for in a %i, which is unavailable', async (status) => {
    standIn.handle(() => jsonReply({ status: 'ok' }, status, { 'retry-after': '9' }));

    const error = await expectUnavailable(web.sendJson(toOperator()));

    expect([error.retryAfterSeconds, error.code]).toEqual([9, 'platform_unavailable']);
  });
});

describe('a redirect that may be followed', () => {
  it('leads to the last answer and says where it came from', async () => {
    secure.handle(({ path, headers }) => {
      if (path === '/.well-known/webfinger')
        return { status: 301, headers: { location: `https://${OTHER_HOST}/hop?x=1` } };
      if (path === '/hop') return { status: 307, headers: { location: '../end' } };
      return jsonReply({ subject: headers['host'] });
    });

    const reply = await web.sendJsonFollowing(aRequest({ url: `https://${HOST}/.well-known/webfinger` }));

    expect([reply.url, reply.json]).toEqual([`https://${OTHER_HOST}/end`, { subject: OTHER_HOST }]);
  });

  it('takes no credential to another origin', async () => {
    standIn.handle(({ path }) => ({
      status: 302,
      headers: { location: path === '/' ? '/again' : `https://${HOST}/x` },
    }));

    const reply = await web.sendFollowing(
      toOperator({ url: standIn.baseUrl, headers: { authorization: 'Bearer a', accept: 'text/plain' } }),
    );

    expect(reply.status).toBe(200);
    expect(standIn.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer a', 'Bearer a']);
    expect(secure.requests[0]!.headers).toMatchObject({
      accept: 'text/plain',
      'user-agent': expect.stringContaining('Signet'),
    });
    expect(secure.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  it('takes nobody from a server of the operator into its network', async () => {
    const inside = await startStandIn(() => jsonReply('inside'));
    standIn.handle(() => ({ status: 302, headers: { location: inside.baseUrl } }));

    await expectUnavailable(web.sendFollowing(toOperator()));

    expect(inside.requests).toEqual([]);
    await inside.close();
  });

  it('is never one of a POST', async () => {
    await expect(web.sendFollowing(toOperator({ method: 'POST' }))).rejects.toThrow('POST');
  });

  it('without an address is an answer like any other', async () => {
    standIn.handle(() => ({ status: 302 }));

    expect((await web.sendFollowing(toOperator())).status).toBe(302);
  });
});

it('is injected where it is asked for, and closes its connections with the application', async () => {
  const module = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(loadEnvironment({})), WebModule.forRoot(transport)],
  }).compile();
  const client = module.get(WebClient);
  const { status } = await client.send(aRequest());

  await module.close();
  await client.stop(); // once more does no harm

  expect(status).toBe(200);
  await expectUnavailable(client.send(aRequest()));
});

it('needs no transport outside of tests', async () => {
  const module = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(loadEnvironment({})), WebModule.forRoot()],
  }).compile();

  expect((await module.get(WebClient).send(toOperator())).status).toBe(200);
  await module.close();
});
