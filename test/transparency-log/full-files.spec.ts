import { decodeBundle, encodeBundle, TILE_WIDTH } from '@signet/verify/internal/log';
import pg from 'pg';
import { FullTiles } from '../../src/transparency-log/published/full-tiles.js';
import { TreeStore } from '../../src/transparency-log/tree/tree-store.js';
import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService } from '../support/service-process.js';
import { jsonReply, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { getRaw, headOfRecords, rootOfTiles } from './log-client.js';
import { oldLinks } from './old-records.js';

const LINKS = 2 * TILE_WIDTH + 10;
const FULL = ['/log/tile/0/000', '/log/tile/entries/000'];

let database: TestDatabase;
let unlimited: RunningApp;
/** Behind a proxy, with rate limits. */
let running: RunningApp;
let clients = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const statement of oldLinks(LINKS)) await client.query(statement);
  await client.end();
  unlimited = await startApp({ databaseUrl: database.url });
  await headOfRecords(unlimited, LINKS);
  const env = { RATE_LIMIT: 'on', RATE_LIMIT_READS: '5', TRUST_PROXY: '127.0.0.1' };
  running = await startApp({ databaseUrl: database.url, env });
  await until(async () => (await running.get('/healthz')).body.log.size === LINKS + 1);
});
afterAll(async () => {
  await running.close();
  await unlimited.close();
  await database.drop();
});

/** Bundles that were asked for and had. */
let bundles = 0;

/** Each call without `as` is another client: the proxy of the test says so. */
const ask = async (path: string, init: RequestInit = {}, as = (clients += 1)): Promise<Response> => {
  const headers = { 'Accept-Encoding': 'identity', ...init.headers, 'X-Forwarded-For': `192.0.2.${as}` };
  const response = await fetch(`${running.baseUrl}${path}`, { ...init, headers });
  const isBundle = init.method !== 'HEAD' && path.includes('entries') && response.status === 200;
  if (isBundle) bundles += 1;
  return response;
};
const fieldsOf = ({ headers }: Response) => {
  const { date, 'x-request-id': requestId, ...fields } = Object.fromEntries(headers);
  expect([Date.parse(date!), requestId]).toEqual([expect.any(Number), expect.stringMatching(/^[\w-]{36}$/)]);
  return fields;
};

it.each(FULL)('%s is read once and then answered from memory, in the same words', async (path) => {
  const first = await ask(path);
  const second = await ask(path);

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(fieldsOf(second)).toEqual(fieldsOf(first));
  expect(fieldsOf(second)).toMatchObject({
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
    'ratelimit-policy': '"reads";q=5;w=60',
  });
  expect(Buffer.from(await second.arrayBuffer())).toEqual(Buffer.from(await first.arrayBuffer()));
});

it('has the entries of each full bundle, and the tiles that belong to them', async () => {
  const head = await headOfRecords(unlimited, LINKS);

  expect(await rootOfTiles(unlimited, head.size)).toEqual(head.root);
  for (const number of [0, 1]) {
    const { bytes } = await getRaw(unlimited, `/log/tile/entries/00${number}`);
    const entries = decodeBundle(bytes)!;
    expect(entries).toHaveLength(TILE_WIDTH);
    expect(encodeBundle(entries)).toEqual(bytes);
    expect(entries.map((entry) => JSON.parse(Buffer.from(entry).toString()).id)).toEqual(
      Array.from({ length: TILE_WIDTH }, (_, place) => number * TILE_WIDTH + place + 1),
    );
  }
});

it('answers conditional requests, HEAD and queries as before', async () => {
  const [path] = FULL as [string];
  const etag = (await ask(path)).headers.get('etag')!;

  const known = await ask(path, { headers: { 'If-None-Match': etag } });
  const head = await ask(path, { method: 'HEAD' });
  const query = await ask(`${path}?fresh=1`);

  expect([known.status, head.status, query.status]).toEqual([304, 200, 200]);
  expect(head.headers.get('content-length')).toBe(String(TILE_WIDTH * 32));
  expect((await query.arrayBuffer()).byteLength).toBe(TILE_WIDTH * 32);
});

it('counts what is sent from memory as reads of its client, with its bytes, and refuses more', async () => {
  const [tile, bundle] = FULL as [string, string];
  await Promise.all([ask(tile), ask(bundle)]);
  const as = (clients += 1);
  const bytes = Number((await ask(bundle, { method: 'HEAD' }, 0)).headers.get('content-length'));

  const answers = [];
  for (const path of [bundle, tile, tile, tile, tile]) answers.push(await ask(path, {}, as));
  const other = await ask(tile);

  // The bundle has more than 64 KiB, which is one point more, counted when it is sent.
  expect(bytes).toBeGreaterThan(64 * 1024);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  expect(answers.map(({ headers }) => /r=(\d)/.exec(headers.get('ratelimit')!)![1])).toEqual(['4', '2', '1', '0', '0']);
  expect(await answers[4]!.json()).toMatchObject({ code: 'too_many_requests' });
  expect(other.status).toBe(200);
});

it('counts them in the metrics under their route', async () => {
  const count = async () => {
    const text = await (await fetch(`${running.baseUrl}/metrics`)).text();
    const line =
      /^signet_http_request_duration_seconds_count\{method="GET",route="\/log\/tile\/entries\/\*",status="200"\} (\d+)$/m;
    return Number(line.exec(text)?.[1] ?? 0);
  };
  await ask('/log/tile/entries/000');

  await ask('/log/tile/entries/000');

  await until(async () => (await count()) === bundles);
});

it('keeps what LOG_CACHE_BYTES has room for, and forgets what was not asked for the longest', async () => {
  const tiles = new FullTiles(unlimited.app.get(TreeStore), 'example.org/log', 130 * 1024);
  const read = (level: 0 | 'entries', number: number) => tiles.read(level, number, LINKS);

  const tile = await read(0, 0);
  const second = await read('entries', 1);
  const isKept = [await read(0, 0), await read('entries', 1)];
  await read('entries', 0);
  const isReadAnew = await read(0, 0);

  expect(isKept).toEqual([tile, second]);
  expect([isKept[0] === tile, isKept[1] === second, isReadAnew === tile]).toEqual([true, true, false]);
});

it('makes a span for each of them where requests are traced, and counts each once', async () => {
  const collector = await startStandIn(() => jsonReply({}));
  const service = await startService({
    DATABASE_URL: database.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl,
    RATE_LIMIT: 'on',
    RATE_LIMIT_READS: '100000',
  });
  await until(async () => (await service.get('/healthz')).body.log.size === LINKS + 1);

  const [tile, bundle] = FULL as [string, string];
  const left: number[] = [];
  for (const path of [tile, tile, bundle, bundle]) {
    const { status, headers } = await getRaw(service, path);
    expect(status).toBe(200);
    left.push(Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]));
  }
  service.signal('SIGTERM');
  await service.ended;
  await collector.close();

  // Each is counted once.
  expect(left[0]! - left[1]!).toBe(1);
  const names = collector.requests.flatMap(({ body }) => body.match(/GET \/log\/tile\/[^"]+/g) ?? []);
  const routes = ['GET /log/tile/:level/*', 'GET /log/tile/entries/*'];
  expect(names.filter((name) => routes.includes(name))).toEqual([routes[0], routes[0], routes[1], routes[1]]);
});
