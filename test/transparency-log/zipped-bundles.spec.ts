import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { TILE_WIDTH } from '@signet/verify/internal/log';
import pg from 'pg';
import { leastCpuMs } from '../../packages/look/test/support/cpu-time.js';
import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { headOfRecords } from './log-client.js';
import { oldLinks } from './old-records.js';

const LINKS = TILE_WIDTH + 10;
const BUNDLES = ['/log/tile/entries/000', '/log/tile/entries/001.p/10', '/log/cosigned/tile/entries/000'];

let database: TestDatabase;
let server: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const statement of oldLinks(LINKS)) await client.query(statement);
  await client.end();
  server = await startApp({ databaseUrl: database.url });
  await headOfRecords(server, LINKS);
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

/** Not `fetch`, which asks for gzip by itself and unpacks it. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get(`${server.baseUrl}${path}`, { headers, method }, resolve).on('error', reject);
  });
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
const GZIP = { 'accept-encoding': 'gzip' };

it.each(BUNDLES)('%s is compressed for those who ask, and for nobody else', async (path) => {
  const plain = await ask(path);
  const zipped = await ask(path, GZIP);
  const again = await ask(path, GZIP);

  expect([plain.status, zipped.status]).toEqual([200, 200]);
  expect([plain.headers['content-encoding'], zipped.headers['content-encoding']]).toEqual([undefined, 'gzip']);
  expect(gunzipSync(zipped.body)).toEqual(plain.body);
  expect(again.body).toEqual(zipped.body);
  expect(zipped.body.length).toBeLessThan(plain.body.length * 0.75);
  expect(zipped.headers.etag).not.toBe(plain.headers.etag);
  for (const { headers, body } of [plain, zipped]) {
    expect(headers.vary).toMatch(/Accept-Encoding/);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-length']).toBe(String(body.length));
  }
});

it.each(BUNDLES)('%s is known again by the ETag of its form, and HEAD has its fields', async (path) => {
  for (const form of [{}, GZIP]) {
    const { headers, body } = await ask(path, form);
    const known = await ask(path, { ...form, 'if-none-match': headers.etag! });
    const head = await ask(path, form, 'HEAD');

    expect([known.status, known.body.length, known.headers.etag]).toEqual([304, 0, headers.etag]);
    expect(known.headers.vary).toMatch(/Accept-Encoding/);
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, String(body.length)]);
    expect([head.headers.etag, head.headers['content-encoding']]).toEqual([headers.etag, headers['content-encoding']]);
  }
  const plain = await ask(path);
  expect((await ask(path, { ...GZIP, 'if-none-match': plain.headers.etag! })).status).toBe(200);
});

it('sends hashes as they are', async () => {
  const { headers } = await ask('/log/tile/0/000', GZIP);

  expect([headers['content-encoding'], headers.vary ?? '']).toEqual([
    undefined,
    expect.not.stringMatching(/encoding/i),
  ]);
});

it('takes less than 50 ms of processor time for a full bundle', async () => {
  const { body } = await ask('/log/tile/entries/000');

  expect(leastCpuMs(() => gzipSync(body))).toBeLessThan(50);
});
