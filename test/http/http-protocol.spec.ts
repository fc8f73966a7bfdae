import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { rawGet, rawPost, sendRaw } from '../support/raw-http.js';
import { countRows, expectRefusal, type Refusal } from '../support/refusals.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const request = JSON.stringify({
  action: 'create',
  platform: 'ethereum',
  identity: wallet.address,
  public_key: alice.key.compressed,
});
const ADMIN_TOKEN = 'the-token-of-this-test-is-long-enough';
const JSON_TYPE = 'Content-Type: application/json';

let running: RunningApp;

beforeAll(async () => {
  running = await startApp({ env: { ADMIN_TOKEN } });
});
afterAll(() => running.close());

const send = async (bytes: string | Buffer) => {
  const { text, ...answer } = await sendRaw(running.baseUrl, bytes);
  return { ...answer, text, body: text === '' ? undefined : JSON.parse(text) };
};
const post = (body: string | Buffer, headers: string[] = [JSON_TYPE], target = '/v1/proof/payload') =>
  send(rawPost(target, Buffer.from(body), headers));

/** Reads nothing until the whole request is written, and takes no broken connection for an answer. */
async function writeThenRead(baseUrl: string, request: Buffer): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).pause();
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error as Error));
  const read = async (): Promise<string> => {
    await new Promise<void>((resolve) => socket.write(request, () => resolve()));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
    await once(socket, 'end');
    return Buffer.concat(chunks).toString();
  };
  return Promise.race([read(), failed]);
}

describe('a request body', () => {
  it.each([
    ['application/json', [JSON_TYPE]],
    ['application/json with a charset', ['Content-Type: application/json; charset=utf-8']],
    ['text/plain, which existing clients send', ['Content-Type: text/plain']],
    ['a form', ['Content-Type: application/x-www-form-urlencoded']],
    ['an unknown type', ['Content-Type: application/vnd.example']],
    ['a text that is not a media type', ['Content-Type: nonsense']],
    ['no type', []],
  ])('is read as JSON when it is said to be %s', async (_what, headers) => {
    const { status } = await post(request, headers);

    expect(status).toBe(200);
  });

  const malformed: Refusal = { code: 'malformed_json', message: 'not JSON in UTF-8' };
  const notAnObject: Refusal = { code: 'invalid_request', message: 'must be a JSON object' };

  it.each<[string, string | Buffer, Refusal]>([
    ['is malformed', request.slice(0, -1), malformed],
    ['has something behind its end', `${request}}`, malformed],
    ['is a form', 'action=create', malformed],
    ['is not UTF-8', Buffer.concat([Buffer.from('{"action":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}')]), malformed],
    ['is UTF-16', Buffer.from(request, 'utf16le'), malformed],
    ['is compressed', gzipSync(request), { code: 'malformed_json', message: 'is compressed; send it as it is' }],
    ['has a comma at its end', '{"action":"create",}', { code: 'malformed_json', message: /UTF-8: .*JSON/ }],
    ['holds an unescaped U+0000', '{"action":"\0"}', malformed],
    ['is NaN', 'NaN', malformed],
    ['is white space', ' \n', malformed],
    ['is empty', '', { code: expect.stringMatching(/^(malformed_json|invalid_request)$/), message: /body|JSON/ }],
    ['is an array', `[${request}]`, notAnObject],
    ['is text', '"create"', notAnObject],
    ['is a number', '5', notAnObject],
    ['is null', 'null', notAnObject],
    ['is false', 'false', notAnObject],
    [
      'is nested 100,000 levels deep',
      '['.repeat(100_000) + ']'.repeat(100_000),
      { code: 'nesting_too_deep', message: 'levels' },
    ],
    [
      'holds objects 100,000 levels deep',
      `{"a":`.repeat(100_000) + '1' + '}'.repeat(100_000),
      { code: 'nesting_too_deep', message: 'levels' },
    ],
    ['is an empty object', '{}', { code: 'invalid_request', message: 'action' }],
  ])('is refused when it %s', async (_what, body, refusal) => {
    const before = await countRows(running);

    for (const target of ['/v1/proof/payload', '/v1/proof'])
      expectRefusal(await post(body, [JSON_TYPE], target), refusal);

    expect(await countRows(running)).toEqual(before);
  });

  it.each(['secret', '{"key": secret}', `{"key": ${'secret'.repeat(20)}}`])(
    'is not shown where it is no JSON, because it may hold a secret: %s',
    async (text) => {
      const { body } = await post(text);

      expect(body).toEqual({ message: "The body is not JSON in UTF-8: Unexpected token 's'.", code: 'malformed_json' });
    },
  );

  it('is refused when there is none at all', async () => {
    const answer = await send('POST /v1/proof HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');

    expectRefusal(answer, { code: 'invalid_request', message: /body/i });
  });

  it('may hold a member named __proto__, which changes nothing', async () => {
    const { status } = await post(request.replace('{', '{"__proto__":{"action":"delete"},'));

    expect(status).toBe(200);
  });

  it.each([
    ['11,923 members', 11_919, 11_920, (index: number) => `"m${index}":0`],
    ['44,691 values', 1, 2, () => `"list":[${'0,'.repeat(24_000)}0]`],
  ])('may hold much that means nothing, but not more than %s', async (_what, few, many, member) => {
    const filled = (count: number) =>
      request.replace('{', `{${Array.from({ length: count }, (_, n) => member(n)).join()},`);

    expect((await post(filled(few))).status).toBe(200);
    expectRefusal(await post(filled(many)), {
      code: 'too_many_values',
      message: 'more than 44691 values, or more than 11923 members',
    });
  });

  it('may hold null for what need not be there, at any level', async () => {
    const { body } = await post(request);
    const submit = {
      ...signedSubmit(body, alice, wallet),
      proof_location: null,
      extra: { signature: null, wallet_signature: null },
    };

    expectRefusal(await post(JSON.stringify(submit), [JSON_TYPE], '/v1/proof'), {
      code: expect.any(String),
      message: /signature is missing|signature/,
    });
  });

  it('may be absent from a DELETE, whatever type is named for it', async () => {
    const head = 'DELETE /admin/v1/subscriptions/unknown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
    const answer = await send(
      `${head}Authorization: Bearer ${ADMIN_TOKEN}\r\n${JSON_TYPE}\r\nContent-Length: 0\r\n\r\n`,
    );

    expectRefusal(answer, { status: 404, code: 'subscription_not_found', message: 'unknown' });
  });

  it('of 5 MiB is refused', async () => {
    const answer = await post(JSON.stringify({ padding: 'x'.repeat(5 * 1024 * 1024) }));

    expectRefusal(answer, { status: 413, code: 'body_too_large', message: /larger than 1 MiB/ });
  });

  it.each([
    ['whole', (body: Buffer) => rawPost('/v1/proof', body)],
    [
      'in chunks',
      (body: Buffer) =>
        Buffer.concat([
          Buffer.from('POST /v1/proof HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'),
          Buffer.from(`${body.length.toString(16)}\r\n`),
          body,
          Buffer.from('\r\n0\r\n\r\n'),
        ]),
    ],
    ['to a path that does not exist', (body: Buffer) => rawPost('/v1/nowhere', body)],
  ])(
    'of 12 MiB sent %s is refused so that a client which writes all before it reads sees it',
    async (_what, request) => {
      const answer = await writeThenRead(running.baseUrl, request(Buffer.alloc(12 * 1024 * 1024, ' ')));

      expect(answer).toMatch(/^HTTP\/1\.1 4(13|04) /);
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ message: expect.any(String) });
    },
  );

  it('that never ends is cut off', async () => {
    const { hostname, port } = new URL(running.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {}).resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('POST /v1/proof HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    const write = (): void => void (socket.writable && socket.write(chunk, write));
    write();

    await closed;

    expect(socket.bytesWritten).toBeLessThan(64 * 1024 * 1024);
  });

  it('of 5 MiB that comes in chunks is refused', async () => {
    const head = `POST /v1/proof HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;

    const answer = await send(`${head}${chunk.repeat(80)}0\r\n\r\n`);

    expectRefusal(answer, { status: 413, code: 'body_too_large', message: /larger than 1 MiB/ });
  });
});

describe('a path', () => {
  it.each(['/healthz/', '//healthz', '//healthz//', '/v1//proofchain/changes/?last_id=0', '/v1/proof/?identity=a'])(
    'is forgiven its slashes: %s',
    async (path) => {
      expect((await send(rawGet(path))).status).toBe(200);
    },
  );

  it('is forgiven its slashes in a POST', async () => {
    expect((await post(request, [JSON_TYPE], '/v1//proof/payload/')).status).toBe(200);
  });

  const unknown: Refusal = { status: 404, code: 'not_found', message: /\w/ };

  it.each(['/v1', '/v2/proof', '/v1/proof/unknown', '/favicon.ico', '/V1/PROOF', `/${'a'.repeat(8000)}`])(
    'that leads nowhere is refused: %.40s',
    async (path) => {
      expectRefusal(await send(rawGet(path)), unknown);
    },
  );

  const by = (method: string, path: string, headers: string[] = []) =>
    [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      'Content-Length: 2',
      ...headers,
      '',
      '{}',
    ].join('\r\n');

  it.each([
    ['DELETE', '/v1/proof', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/v1/proof/payload', 'OPTIONS, POST'],
    ['PATCH', '/v1//proof/?identity=a', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1/proof/payload', 'OPTIONS, POST'],
    ['POST', '/v1/proofchain', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/docs', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/admin/v1/subscriptions', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/admin/v1/subscriptions/1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ])('that has no such method is refused, and says which it has: %s %s', async (method, path, allow) => {
    const answer = await send(by(method, path, ['Origin: https://app.example']));

    expectRefusal(answer, { status: 405, code: 'method_not_allowed', message: `no ${method}; it has ${allow}` });
    expect(answer.headers).toMatchObject({
      allow,
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    });
  });

  it.each(['DELETE', 'TRACE', 'PROPFIND'])('that leads nowhere is unknown whatever the method: %s', async (method) => {
    const answer = await send(by(method, '/v2/proof'));

    expectRefusal(answer, unknown);
    expect(answer.headers).not.toHaveProperty('allow');
  });

  it('tells by OPTIONS which methods it has, to a browser and to anybody else', async () => {
    const preflight = ['Origin: https://app.example', 'Access-Control-Request-Method: POST'];
    for (const headers of [[], preflight]) {
      const { status, text, headers: told } = await send(by('OPTIONS', '/v1/kv/payload/', headers));

      expect({ status, text, allow: told['allow'] }).toEqual({ status: 204, text: '', allow: 'OPTIONS, POST' });
    }
  });

  it.each(['/%', '/v1/proof/%zz', '/%ff', '/v1/%c0%ae'])('that cannot be decoded is refused: %s', async (path) => {
    expectRefusal(await send(rawGet(path)), { code: 'invalid_request', message: 'cannot be decoded' });
  });

  it('with a query that cannot be decoded is not a failure of ours', async () => {
    const { status } = await send(rawGet('/v1/proof?identity=%zz%ff%'));

    expect(status).toBe(200);
  });

  it('with more parameters than any route could have is refused', async () => {
    const query = (count: number) => Array.from({ length: count }, (_, index) => `&p${index}=`).join('');

    expect((await send(rawGet(`/v1/proof?identity=a${query(99)}`))).status).toBe(200);
    expectRefusal(await send(rawGet(`/v1/proof?identity=a${query(100)}`)), {
      code: 'invalid_request',
      message: 'The query has 101 parameters; at most 100',
    });
  });

  it('and query of 40 KiB are refused', async () => {
    const answer = await send(rawGet(`/v1/proof?identity=${'a'.repeat(40 * 1024)}`));

    expectRefusal(answer, { status: 431, code: 'headers_too_large', message: '16384 bytes' });
  });

  it('may be followed by the longest query that is allowed', async () => {
    const identities = Array.from({ length: 50 }, () => 'a'.repeat(244)).join(',');

    expect((await send(rawGet(`/v1/proof?identity=${identities}`))).status).toBe(200);
  });
});

describe('what is not proper HTTP', () => {
  it('is refused where the headers have 40 KiB', async () => {
    const answer = await send(rawGet('/healthz', [`X-Padding: ${'x'.repeat(40 * 1024)}`]));

    expectRefusal(answer, { status: 431, code: 'headers_too_large', message: '16384 bytes' });
  });

  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a method that does not exist', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n'],
    ['two lengths', 'POST /v1/proof HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length that is not a number', 'POST /v1/proof HTTP/1.1\r\nHost: a\r\nContent-Length: two\r\n\r\n{}'],
    ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('is refused: %s', async (_what, bytes) => {
    expectRefusal(await send(bytes), { code: 'invalid_request', message: 'not valid HTTP' });
  });

  it.each<[string, string, Refusal]>([
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', { code: 'invalid_request', message: 'Host' }],
    [
      'an Expect that nobody knows',
      'POST /v1/proof HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nContent-Length: 2\r\n\r\n',
      { status: 417, code: 'invalid_request', message: 'Expect' },
    ],
    [
      'CONNECT',
      'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
      { status: 404, code: 'not_found', message: 'CONNECT' },
    ],
  ])('is refused in the form of every error: %s', async (_what, bytes, refusal) => {
    const answer = await send(bytes);

    expectRefusal(answer, refusal);
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  describe.each(['/healthz', '/metrics', '/', '/docs/swagger-ui.css', '/log/checkpoint', '/nowhere', '/%zz'])(
    'is refused at %s',
    (path) => {
      // RFC 9112, 3.2.
      it.each([
        ['two fields Host', ['Host: good.example', 'host: evil.example']],
        ['two equal fields Host', ['Host: localhost', 'Host: localhost']],
        ['no field Host', []],
        ['a Host that is none', ['Host: a/b']],
        ['a Host with a user', ['Host: alice@good.example']],
        ['a Host with two ports', ['Host: good.example:80:81']],
      ])('with %s', async (_what, hosts) => {
        const answer = await send([`GET ${path} HTTP/1.1`, ...hosts, 'Connection: close', '', ''].join('\r\n'));

        expectRefusal(answer, { code: 'invalid_request', message: path === '/%zz' ? 'path' : 'Host' });
        expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
      });
    },
  );

  it.each(['localhost', 'a_b:3000', '127.0.0.1:80', '[::1]:3000', 'xn--bcher-kva.example.', ''])(
    'is not a Host of "%s"',
    async (host) => {
      const bytes = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

      expect((await send(bytes)).status).toBe(200);
    },
  );

  it('is refused as a preflight with two fields Host', async () => {
    const lines = ['OPTIONS /v1/proof HTTP/1.1', 'Host: a', 'Host: b', 'Origin: https://app.example'];
    const bytes = [...lines, 'Access-Control-Request-Method: POST', 'Connection: close', '', ''].join('\r\n');

    expectRefusal(await send(bytes), { code: 'invalid_request', message: 'Host' });
  });

  it('is served without Host in HTTP/1.0, which has none', async () => {
    expect((await send('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('leaves the service running', async () => {
    expect((await running.get('/healthz')).status).toBe(200);
  });
});

describe('a browser on another site', () => {
  const from = ['Origin: https://app.example'];

  it.each<[string, number, string | Buffer]>([
    ['an answer', 200, rawGet('/healthz', from)],
    ['a refusal', 400, rawGet('/v1/proof', from)],
    ['an unknown route', 404, rawGet('/unknown', from)],
    ['a path that cannot be decoded', 400, rawGet('/%zz', from)],
    ['headers that are too large', 431, rawGet('/healthz', [...from, `X-Padding: ${'x'.repeat(40 * 1024)}`])],
    ['a body that is too large', 413, rawPost('/v1/proof', Buffer.alloc(5 * 1024 * 1024, 'x'), from)],
    ['a malformed body', 400, rawPost('/v1/proof', Buffer.from('{'), from)],
  ])('may read %s (%i)', async (_what, status, bytes) => {
    const answer = await send(bytes);

    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('may read those headers of an answer that tell what to do next, and of a refusal too', async () => {
    const answers = [
      await send(rawGet('/v1/proofchain/changes?last_id=0', from)),
      await send(rawGet('/unknown', from)),
    ];

    for (const { headers } of answers) {
      expect(headers['access-control-expose-headers']!.split(', ').sort()).toEqual([
        'ETag',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Request-Id',
      ]);
    }
    expect(answers[0]!.headers).toMatchObject({ etag: expect.any(String), 'x-request-id': expect.any(String) });
  });

  it.each(['/v1/proof', '/v1/proof/payload', '/v1/proofchain/changes'])(
    'has its preflight answered: %s',
    async (path) => {
      const { status, headers } = await send(
        ['OPTIONS', ...from, 'Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: content-type']
          .join('\r\n')
          .replace('OPTIONS', `OPTIONS ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close`) + '\r\n\r\n',
      );

      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': 'content-type',
      });
    },
  );
});

describe('HEAD', () => {
  it('answers as GET does, without a body', async () => {
    const head = await send(rawGet('/healthz').replace('GET', 'HEAD'));
    const get = await send(rawGet('/healthz'));

    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('of a path that takes only POST is 405, without a body', async () => {
    const { status, text, headers } = await send(rawGet('/v1/kv/payload').replace('GET', 'HEAD'));

    expect({ status, text, allow: headers['allow'] }).toEqual({ status: 405, text: '', allow: 'OPTIONS, POST' });
  });

  it('of an unknown route is 404, without a body', async () => {
    const { status, text } = await send(rawGet('/unknown').replace('GET', 'HEAD'));

    expect({ status, text }).toEqual({ status: 404, text: '' });
  });
});

describe('the two steps sent as text/plain', () => {
  it('bind a wallet', async () => {
    const plain = { 'Content-Type': 'text/plain' };
    const { body: payload } = await running.post('/v1/proof/payload', request, plain);

    const { status } = await running.post('/v1/proof', signedSubmit(payload, alice, wallet), plain);

    expect(status).toBe(201);
  });
});

describe('no body of success', () => {
  it('has a member "message"', async () => {
    await linkWallet(running, anAvatar('bob'), wallet);
    const key = anAvatar('bob').key.compressed;
    const answers = await Promise.all([
      running.get('/healthz'),
      running.get(`/v1/proof?identity=${wallet.address}`),
      running.get(`/v1/proof/exists?platform=ethereum&identity=${wallet.address}&public_key=${key}`),
      running.get(`/v1/proofchain?public_key=${key}`),
      running.get('/v1/proofchain/changes?last_id=0'),
      walletPayload(running, alice, wallet),
    ]);

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('"message"');
    }
  });
});
