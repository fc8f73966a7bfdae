import { gzipSync } from 'node:zlib';
import type { WebClient } from '../../src/outbound/web-client.js';
import type { WebTransport } from '../../packages/look/src/node/web-transport.js';
import {
  connectNames,
  cutMidBody,
  endlessBody,
  hugeBody,
  jsonReply,
  type PlainReply,
  type RawReply,
  slowDrip,
  socketReply,
  type StandIn,
  type StandInReply,
  startStandIn,
  textReply,
} from '../../packages/look/test/support/stand-in-server.js';
import {
  aClient,
  aRequest,
  expectUnavailable,
  HOST,
  MARK,
  MAX_BYTES,
  OTHER_HOST,
  SHORT_LIMITS,
  TIMEOUT_MS,
} from './hostile.js';

const GZIP_JSON = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const BOMB = gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '));

/** A connection is there at once, so hostile answers end by their own time, and others have time on a busy machine. */
const LIMITS = { ...SHORT_LIMITS, connectMs: 100_000, headersMs: 100_000 };

let hostile: StandIn;
let honest: StandIn;
let transport: WebTransport;
let web: WebClient;

beforeAll(async () => {
  hostile = await startStandIn(() => 'hang', { tls: true });
  honest = await startStandIn(() => jsonReply({ honest: true }), { tls: true });
  transport = { ...(await connectNames({ [HOST]: hostile, [OTHER_HOST]: honest })), limits: LIMITS };
});
beforeEach(() => {
  web = aClient(transport);
});
afterEach(() => web.stop());
afterAll(() => Promise.all([hostile.close(), honest.close()]));

const asking = (more = {}) => aRequest({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, ...more });

/** For answers that come at once: as long as a busy machine may need. */
const PATIENCE_MS = 100_000;
const patiently = () => asking({ timeoutMs: PATIENCE_MS });

/** Nothing gets through, in time, and the client still serves others. */
async function expectHarmless(reply: StandInReply, withinMs = TIMEOUT_MS): Promise<void> {
  hostile.handle(() => reply);

  await expectUnavailable(web.sendJson(asking()), withinMs);

  const next = await web.sendJson(aRequest({ url: `https://${OTHER_HOST}/` }));
  expect(next.json).toEqual({ honest: true });
}

/** Writes `piece` again and again, every `everyMs` milliseconds or as fast as it is taken, after `start`. */
function flood(start: string, piece: string, everyMs = 0): RawReply {
  return (_, { socket }) => {
    socket.write(start);
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    const timer = everyMs > 0 ? setInterval(() => socket.write(piece), everyMs) : undefined;
    socket.on('close', () => clearInterval(timer));
    if (everyMs > 0) return;
    socket.on('drain', more);
    more();
  };
}

/** A reply of one level of nesting more with every character. */
const nested = (open: string, close: string, depth: number): PlainReply =>
  textReply(open.repeat(depth) + '0' + close.repeat(depth), 200, 'application/json');

const json = (bytes: Uint8Array, headers: Record<string, string> = {}): PlainReply => ({
  bytes,
  headers: { 'content-type': 'application/json', ...headers },
});

describe('a body that is too much', () => {
  it('is given up: larger than allowed', () => expectHarmless(hugeBody(MAX_BYTES + 1)));
  it('is given up: without an end', () => expectHarmless(endlessBody()));
  it('is given up: announced as small, sent without an end', () =>
    expectHarmless(flood(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `4000\r\n${' '.repeat(0x4000)}\r\n`)));
  it('is given up: a gzip bomb', () => expectHarmless(json(BOMB, GZIP_JSON)));
  it('is given up: a gzip bomb in many members', () => {
    const member = gzipSync(Buffer.alloc(MAX_BYTES / 4, ' '));
    return expectHarmless(json(Buffer.concat(Array<Buffer>(8).fill(member)), GZIP_JSON));
  });
  it('is given up: gzip without an end', () =>
    expectHarmless((response) => {
      response.writeHead(200, GZIP_JSON);
      response.write(BOMB.subarray(0, BOMB.length - 8));
    }));
  it('is given up: one byte at a time', () => expectHarmless(slowDrip(20)));
  it('is given up: one byte, then nothing', () =>
    expectHarmless((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    }, SHORT_LIMITS.idleMs));
  it('is given up: a chunk extension without an end', () =>
    expectHarmless(flood(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`, 'x'.repeat(4096))));
  it('is given up: trailers without an end', () =>
    expectHarmless(flood(`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\n1\r\n0\r\n`, `X-More: ${'x'.repeat(1000)}\r\n`)));
});

describe('a body in a coding that was not offered', () => {
  it.each([
    'gzip, gzip',
    'gzip,br',
    'br',
    'deflate',
    'zstd',
    'compress',
    'identity, gzip',
    'gzip;q=1',
    'none of your business',
  ])('is refused: %s', (encoding) =>
    expectHarmless(json(gzipSync(gzipSync(JSON.stringify(MARK))), { 'content-encoding': encoding })),
  );

  it('is refused: two headers', () =>
    expectHarmless({
      bytes: gzipSync('1'),
      headers: { 'content-type': 'application/json', 'content-encoding': ['gzip', 'gzip'] },
    }));
  it('is refused: gzip by name only', () => expectHarmless(json(Buffer.from(`"${MARK}"`), GZIP_JSON)));
  it('is refused: gzip cut short', () => expectHarmless(json(gzipSync(`"${MARK}"`).subarray(0, -10), GZIP_JSON)));
  it('is refused: gzip with a wrong checksum', () => {
    const bytes = gzipSync(`"${MARK}"`);
    bytes[bytes.length - 6]! ^= 1;
    return expectHarmless(json(bytes, GZIP_JSON));
  });
  it('is refused: gzip inside gzip is not JSON', () => expectHarmless(json(gzipSync(gzipSync('1')), GZIP_JSON)));
});

describe('a server that keeps us waiting', () => {
  it('without a word is left', () => expectHarmless('hang'));
  it('without a word is left sooner than the total time allows', async () => {
    const strict = aClient({ ...transport, limits: { connectMs: 200, headersMs: 200 } });
    hostile.handle(() => 'hang');

    await expectUnavailable(strict.send(aRequest()), 400);
    await strict.stop();
  });
  it('with half a status line is left', () => expectHarmless(socketReply('HTTP/1.1 2')));
  it('with one header after another is left', () => expectHarmless(flood(OK, 'X-Drip: 1\r\n', 30)));
  it('with one 1xx reply after another is left', () =>
    expectHarmless(flood('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 30)));
  it('with 1xx replies as fast as they go is left', () => expectHarmless(flood('', 'HTTP/1.1 102 Processing\r\n\r\n')));
  it('with 100 Continue, which nobody asked for, is left', () =>
    expectHarmless(flood('', 'HTTP/1.1 100 Continue\r\n\r\n', 30)));
});

describe('headers that are too much', () => {
  it('are given up: one without an end', () => expectHarmless(flood(`${OK}X-Long: `, 'x'.repeat(4096))));
  it('are given up: many without an end', () => expectHarmless(flood(OK, 'X-Many: 1\r\n')));
  it('are given up: a status line without an end', () => expectHarmless(flood('HTTP/1.1 200 ', 'OK'.repeat(2048))));
  it('are given up: larger than allowed', () =>
    expectHarmless(socketReply(`${OK}${`X-Many: ${'x'.repeat(100)}\r\n`.repeat(200)}Content-Length: 2\r\n\r\n{}`)));
});

describe('a reply that is not sensible HTTP', () => {
  it.each([
    ['words', `${MARK}\r\n\r\n`],
    ['random bytes', Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 167 + 13) % 256))],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/2 frames', Buffer.from('00000604000000000000040010000000000000', 'hex')],
    ['an unknown version', 'HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['an impossible status', 'HTTP/1.1 20x OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}}`],
    ['a negative length', `${OK}Content-Length: -1\r\n\r\n{}`],
    ['a length and chunks', `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk of impossible size', `${OK}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`],
    ['a chunk of negative size', `${OK}Transfer-Encoding: chunked\r\n\r\n-1\r\n{}`],
    ['a zero byte in a header', `${OK}X-Zero: a\0b\r\nContent-Length: 2\r\n\r\n{}`],
    ['a header without a name', `${OK}: x\r\nContent-Length: 2\r\n\r\n{}`],
  ])('is refused: %s', (_, bytes) => expectHarmless(socketReply(bytes, { end: true })));
});

describe('a connection that ends early', () => {
  it.each<[string, StandInReply]>([
    ['before the reply', 'cut'],
    ['in the middle of the headers', socketReply(`${OK}Content-Le`, { end: true })],
    ['in the middle of the body', cutMidBody()],
    ['before the announced length', socketReply(`${OK}Content-Length: 10\r\n\r\n{}`, { end: true })],
    ['before the last chunk', socketReply(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`, { end: true })],
  ])('%s is unavailable, and not called an answer of another form', async (_when, reply) => {
    await expectHarmless(reply);

    await expect(web.sendJson(asking())).rejects.toThrow(
      'The server for activitypub broke off the connection before its answer was whole; try again later.',
    );
  });
});

describe('a body that is not JSON', () => {
  it('is refused: a page of HTML', () => expectHarmless(textReply(`<html>${MARK}</html>`, 200, 'text/html')));
  it('is refused: JSON under another type', () => expectHarmless(textReply('{}', 200, 'text/plain')));
  it('is refused: HTML under the type of JSON', () =>
    expectHarmless(textReply(`<html>${MARK}`, 200, 'application/json')));
  it('is refused: no type', () => expectHarmless({ text: '{}' }));
  it('is refused: nothing', () => expectHarmless(textReply('', 200, 'application/json')));
  it('is refused: two documents', () => expectHarmless(textReply('{}{}', 200, 'application/json')));
  it('is refused: bytes that are not UTF-8', () => expectHarmless(json(Buffer.from([0x22, 0xff, 0xfe, 0x22]))));
  it('is refused: half a character', () => expectHarmless(json(Buffer.from([0x22, 0xf0, 0x9f, 0x98, 0x22]))));
  it('is refused: another charset', () => expectHarmless(textReply('{}', 200, 'application/json; charset=utf-16')));
  it('is refused: arrays 33 deep', () => expectHarmless(nested('[', ']', 33)));
  it('is refused: objects 33 deep', () => expectHarmless(nested('{"a":', '}', 33)));
  it('is refused: arrays that would overflow a stack', () => expectHarmless(nested('[', ']', 30_000)));
  it('is refused: brackets that never close', () =>
    expectHarmless(textReply('['.repeat(60_000), 200, 'application/json')));
  it('is refused: a 404 that promises JSON and brings none', () =>
    expectHarmless(textReply(`<${MARK}>`, 404, 'application/json')));
});

describe('a redirect', () => {
  const to = (location: string, status = 302): PlainReply => ({ status, headers: { location } });

  it.each([
    ['loopback', 'https://127.0.0.1/'],
    ['loopback with a port', 'http://127.0.0.1:22/'],
    ['the metadata service', 'http://169.254.169.254/latest/meta-data/'],
    ['the metadata service by https', 'https://169.254.169.254/latest/meta-data/'],
    ['a decimal address', 'https://2852039166/'],
    ['an IPv6 address', 'https://[::1]/'],
    ['http on the same host', `http://${HOST}/`],
    ['another port', `https://${HOST}:8443/`],
    ['credentials', `https://alice:secret@${OTHER_HOST}/`],
    ['an internal name', 'https://vault.internal/'],
    ['a single label', 'https://vault/'],
    ['a host without a scheme', '//127.0.0.1/'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['no URL', 'https://'],
  ])('to %s is not followed', async (_, location) => {
    hostile.handle(() => to(location));
    const before = [hostile.requests.length, honest.requests.length];

    await expectUnavailable(web.sendFollowing(patiently()), PATIENCE_MS);

    expect([hostile.requests.length, honest.requests.length]).toEqual([before[0]! + 1, before[1]]);
  });

  it('to a name that resolves to a private address is not followed', async () => {
    hostile.handle(() => to('https://rebound.fedi-one.org/'));
    const lookup = async (name: string) => (name === HOST ? transport.lookup!(name) : ['10.0.0.1']);
    const rebinding = aClient({ ...transport, lookup });

    await expectUnavailable(rebinding.sendFollowing(patiently()), PATIENCE_MS);
    await rebinding.stop();
  });

  it('to itself is followed three times', async () => {
    hostile.handle(({ path }) => to(path));
    const before = hostile.requests.length;

    await expectUnavailable(web.sendFollowing(patiently()), PATIENCE_MS);

    expect(hostile.requests.length - before).toBe(4);
  });

  it('to and fro is followed three times', async () => {
    hostile.handle(() => to(`https://${OTHER_HOST}/`));
    honest.handle(() => to(`https://${HOST}/`));
    const before = hostile.requests.length + honest.requests.length;

    await expectUnavailable(web.sendFollowing(patiently()), PATIENCE_MS);

    expect(hostile.requests.length + honest.requests.length - before).toBe(4);
    honest.handle(() => jsonReply({ honest: true }));
  });

  it('on every hop slower than the last does not outlive the total time', async () => {
    hostile.handle(async ({ path }) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return to(path);
    });

    await expectUnavailable(web.sendFollowing(asking({ timeoutMs: 450 }), 100), 450);
  });

  it('is answered, not followed, where following was not asked for', async () => {
    hostile.handle(() => to('https://127.0.0.1/'));

    const reply = await web.send(patiently());

    expect([reply.status, reply.headers['location']]).toEqual([302, 'https://127.0.0.1/']);
  });
});

describe('what looks hostile but is only odd gets through unharmed', () => {
  it('headers named like members of every object', async () => {
    hostile.handle(() =>
      socketReply(
        `${OK}__proto__: x\r\nconstructor: y\r\ntoString: z\r\ntoString: z\r\nContent-Length: 16\r\n\r\n{"__proto__": 1}\n`,
      ),
    );

    const reply = await web.sendJson<Record<string, unknown>>(patiently());

    expect(Object.keys(reply.json ?? {})).toEqual(['__proto__']);
    expect(Object.keys(reply.headers)).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'tostring']));
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('a second reply behind the first, which is dropped with its connection', async () => {
    const twoReplies = `${OK}Content-Length: 1\r\n\r\n1${OK}Content-Length: 1\r\n\r\n2`;
    hostile.handle(() => socketReply(twoReplies));
    await web.sendJson(patiently());
    hostile.handle(() => jsonReply(3));

    const { json: answer } = await web.sendJson(patiently());

    expect(answer).toBe(3);
  });

  it('JSON exactly 32 deep and exactly as large as allowed', async () => {
    const text = '['.repeat(32) + ' '.repeat(MAX_BYTES - 64) + ']'.repeat(32);
    hostile.handle(() => textReply(text, 200, 'application/json'));

    const { body } = await web.sendJson(patiently());

    expect(body.length).toBe(MAX_BYTES);
  });

  it('brackets inside strings, which are not levels', async () => {
    const value = { a: '[[[['.repeat(20) + '"\\{{{{'.repeat(20) };
    hostile.handle(() => jsonReply(value));

    expect((await web.sendJson(patiently())).json).toEqual(value);
  });

  it('a few early hints', async () => {
    hostile.handle(() => socketReply(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3)}${OK}Content-Length: 1\r\n\r\n1`));

    expect((await web.sendJson(patiently())).json).toBe(1);
  });
});
