import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

describe('conditional requests', () => {
  const alice = anAvatar('alice');
  const chain = `/v1/proofchain?public_key=${alice.key.compressed}`;
  let running: RunningApp;

  beforeAll(async () => {
    running = await startApp();
    for (let index = 0; index < 21; index++) await linkWallet(running, alice, aWallet(`wallet ${index}`));
  });
  afterAll(() => running.close());

  const cacheControl = async (path: string) => (await running.get(path)).headers.get('cache-control');

  it('sends nothing to a client that has the answer', async () => {
    const etag = (await running.get(chain)).headers.get('etag')!;
    const again = await running.get(chain, { 'If-None-Match': etag });

    expect(etag).toMatch(/^"[^"]+"$/);
    expect(again.status).toBe(304);
    expect(again.body).toBeUndefined();
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each(['/', '/healthz', '/docs', '/openapi.json', '/feed.atom', '/log/tile/entries/000.p/1', chain])(
    'answers HEAD as GET, without a body: %s',
    async (path) => {
      const { headers } = await fetch(running.baseUrl + path);
      const [etag, length] = [headers.get('etag')!, headers.get('content-length')];
      const asHead = (condition: string) =>
        fetch(running.baseUrl + path, { method: 'HEAD', headers: { 'If-None-Match': condition } });
      const [seen, any, changed] = [await asHead(etag), await asHead('*'), await asHead('"another"')];

      expect([seen.status, any.status, changed.status]).toEqual([304, 304, 200]);
      expect([await seen.text(), await any.text(), await changed.text()]).toEqual(['', '', '']);
      expect([seen.headers.get('etag'), changed.headers.get('content-length')]).toEqual([etag, length]);
    },
  );

  it.each([['W/%'], ['"another", %'], ['*']])('takes If-None-Match in the form %s', async (form) => {
    const etag = (await running.get(chain)).headers.get('etag')!;

    expect((await running.get(chain, { 'If-None-Match': form.replace('%', etag) })).status).toBe(304);
  });

  it('sends an answer that has changed, with another tag', async () => {
    const path = `/v1/proof?identity=${aWallet('late').address}&exact=true`;
    const etag = (await running.get(path)).headers.get('etag')!;
    await linkWallet(running, anAvatar('bob'), aWallet('late'));
    const again = await running.get(path, { 'If-None-Match': etag });

    expect(again.status).toBe(200);
    expect(again.body.ids).toHaveLength(1);
    expect(again.headers.get('etag')).not.toBe(etag);
  });

  it('lets no cache use an answer that can change without asking', async () => {
    expect(await cacheControl('/v1/proof?identity=0x')).toBe('no-cache');
    expect(await cacheControl(`${chain}&page=2`)).toBe('no-cache');
    expect(await cacheControl('/v1/proofchain/changes?last_id=15&count=10')).toBe('no-cache');
  });

  it('lets no cache keep a last page that is full, because the next link gives it a next one', async () => {
    const carol = anAvatar('carol');
    for (let index = 0; index < 20; index++) await linkWallet(running, carol, aWallet(`twenty ${index}`));
    const path = `/v1/proofchain?public_key=${carol.key.compressed}`;

    const { body, headers } = await running.get(path);

    expect([body.proof_chain.length, body.pagination.next]).toEqual([20, 0]);
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  it('lets no cache keep an error, and never answers 304 for one', async () => {
    for (const path of ['/v1/kv?avatar=0x00', '/v1/unknown', '/v1/proofchain/changes?last_id=x', '/%zz']) {
      const { status, headers } = await running.get(path, { 'If-None-Match': '*' });

      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
    }
  });

  it('lets a full page below the head be used for a minute, and no longer: a text may be erased', async () => {
    expect(await cacheControl(chain)).toBe('max-age=60');
    expect(await cacheControl('/v1/proofchain/changes?last_id=0&count=10')).toBe('max-age=60');

    await running.app.get(DataSource).query("update chain_link set archive_id = 'archived' where id <= 10");

    expect(await cacheControl('/v1/proofchain/changes?last_id=0&count=10')).toBe('max-age=60');
  });
});
