import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { HiddenItems } from '../../src/hiding/hidden-items.js';
import { findBinding } from '../../web/src/embed/find-binding.js';
import { type AdminClient, ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { writeKv } from '../kv/kv-scenario.js';

/** The picture of the example of the page: a PNG of 64 pixels. */
const PNG = (
  JSON.parse(readFileSync(new URL('../../web/public/example.json', import.meta.url), 'utf8')) as {
    patches: { patch: { profile: { picture: string } } }[];
  }
).patches[0]!.patch.profile.picture;

describe('what the operator hides', () => {
  let running: RunningApp;
  let admin: AdminClient;
  const alice = anAvatar('alice');
  const wallet = aWallet('alice');
  const key = alice.key.compressed;
  const identity = { kind: 'identity', platform: 'ethereum', identity: wallet.address };
  beforeAll(async () => {
    running = await startApp({ env: { ADMIN_TOKEN, ABUSE_CONTACT: 'abuse@example.org' } });
    admin = adminOf(running);
    await linkWallet(running, alice, wallet);
    await writeKv(running, alice, { profile: { name: 'Alice' } });
  });
  afterAll(() => running.close());

  const text = async (path: string) =>
    (await fetch(`${running.baseUrl}${path}`, { headers: { accept: 'text/html' } })).text();
  const badge = () => text(`/badge/ethereum/${wallet.address}.svg`);
  const hide = async (name: object, reason = 'it is abuse') => {
    const answer = await admin.post('/hidden', { ...name, reason });
    expect(answer.status).toBe(200);
    return answer.body.id as string;
  };
  const lift = (id: string, reason = 'it is none') => admin.post(`/hidden/${id}/lift`, { reason });
  /** What the contract answers, and the records. */
  const contract = async () =>
    Promise.all(
      [
        `/v1/proof?identity=${wallet.address}`,
        `/v1/proofchain?public_key=${key}`,
        `/v1/kv?avatar=${key}`,
        '/v1/proofchain/changes?last_id=0',
        '/v1/log/leaves?start=0',
      ].map(async (path) => (await running.get(path)).body),
    );

  it('is an identity: on its page, in previews and badges, with the reason, and by no trace of its key', async () => {
    const before = await contract();
    const id = await hide(identity);

    const page = await text(`/p/ethereum/${wallet.address}`);
    expect(page).toContain('The operator of this server hides this: it is abuse');
    expect(page).not.toContain('og:image');
    expect(page).toContain('content="noindex"');
    expect(await badge()).toContain('hidden by the operator');
    expect(await badge()).not.toContain('Alice');
    expect(await text(`/a/${key}`)).not.toContain(`content="Connected to this key: ${wallet.address}`);
    expect(await contract()).toEqual(before);
    await lift(id);
    expect(await badge()).toContain('valid');
    expect(await text(`/p/ethereum/${wallet.address}`)).toContain('is connected to the key');
  });

  it('is a key, with everything that it holds', async () => {
    const id = await hide({ kind: 'key', avatar: alice.key.uncompressed });

    expect(await text(`/a/${key}`)).toContain('The operator of this server hides this: it is abuse');
    expect(await text(`/a/${key}`)).not.toContain('rel="me"');
    expect(await text(`/p/ethereum/${wallet.address}`)).not.toContain(key.slice(0, 8));
    expect(await badge()).toContain('hidden by the operator');
    expect((await fetch(`${running.baseUrl}/a/${key}.vcf`)).status).toBe(404);
    await lift(id);
  });

  it('is a profile alone: the binding is shown without the name', async () => {
    const id = await hide({ kind: 'profile', avatar: key });

    expect(await badge()).toContain('valid');
    expect(await badge()).not.toContain('Alice');
    await lift(id);
    expect(await badge()).toContain('Alice');
  });

  it('is hidden by the element on other sites, with the reason', async () => {
    const asked = { server: running.baseUrl, platform: 'ethereum', identity: wallet.address, avatar: '' };
    const find = () => findBinding(asked, AbortSignal.timeout(300_000));
    for (const name of [identity, { kind: 'key', avatar: key }]) {
      const id = await hide(name);
      expect(await find()).toMatchObject({ hidden: 'it is abuse', profile: null });
      await lift(id);
    }
    const id = await hide({ kind: 'profile', avatar: key });
    expect(await find()).toMatchObject({ hidden: null, profile: null, state: 'valid' });
    await lift(id);

    expect(await find()).toMatchObject({ hidden: null, profile: { name: 'Alice' }, state: 'valid' });
  });

  it('is no picture and no name in previews while the profile is hidden', async () => {
    await writeKv(running, alice, { profile: { name: 'Alice', picture: PNG } });
    const picture = () => fetch(`${running.baseUrl}/picture/${key}`);
    const shown = await picture();
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await shown.arrayBuffer()).toString('base64')).toBe(PNG.split(',')[1]);
    expect(shown.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    const id = await hide({ kind: 'profile', avatar: key });

    expect((await picture()).status).toBe(404);
    expect(await text(`/a/${key}`)).not.toMatch(/og:title" content="[^"]*Alice/);
    await lift(id);
    expect(await text(`/a/${key}`)).toMatch(/og:title" content="“Alice” · key 0x/);
    expect(await text(`/a/${key}`)).toContain(`og:image" content="${running.baseUrl}/picture/${key}"`);
  });

  it('has an address for reports on each page, in the document itself', async () => {
    for (const path of ['/', '/bind', '/bind/several', `/a/${key}`, '/kv', '/lost', '/transparency', '/nothing']) {
      expect([path, await text(path)]).toEqual([path, expect.stringContaining('<a href="mailto:abuse@example.org">')]);
    }
  });

  it('is told to who asks about it, with the reason, and only to them', async () => {
    const id = await hide(identity);
    const items = [`identity:ethereum:${wallet.address}`, `key:${key}`, `profile:${key}`];
    const query = items.map((item) => `item=${encodeURIComponent(item)}`).join('&');

    expect((await running.get(`/v1/hidden?${query}`)).body).toEqual({
      hidden: [{ ...identity, reason: 'it is abuse', hidden_at: expect.stringMatching(/^\d+$/) }],
    });
    expect((await running.get(`/v1/hidden?item=key:${key}`)).body).toEqual({ hidden: [] });
    await lift(id);
  });

  it.each(['identity:github:bad name!', 'identity:dns:alice', 'identity:nowhere:alice'])(
    'is not %s, which can be no name',
    async (item) => {
      const answer = await running.get(`/v1/hidden?${new URLSearchParams({ item })}`);

      expect([answer.status, answer.body]).toEqual([200, { hidden: [] }]);
    },
  );

  it('stays on record when it is shown again, with both reasons', async () => {
    const id = await hide(identity, 'first');
    await lift(id, 'second');
    await hide(identity, 'third').then((again) => lift(again));
    const { hidden, pagination } = (await admin.get('/hidden')).body;
    const row = hidden.find((one: { id: string }) => one.id === id);

    expect(row).toMatchObject({ reason: 'first', lifted_reason: 'second', lifted_at: expect.stringMatching(/^\d+$/) });
    expect(pagination.total).toBe(hidden.length);
  });

  it('is known to other servers within seconds, and by a server that starts', async () => {
    const id = await hide(identity);
    const other = await startApp({ databaseUrl: running.database.url });
    const name = { kind: 'identity', platform: 'ethereum', identity: wallet.address } as const;
    try {
      expect(other.app.get(HiddenItems).find(name)?.reason).toBe('it is abuse');
      await lift(id);
      await other.app.get(HiddenItems).refresh();
      expect(other.app.get(HiddenItems).find(name)).toBeNull();
    } finally {
      await other.close();
    }
  });

  it('stays hidden while the database cannot be asked', async () => {
    const id = await hide(identity);
    const source = running.app.get(DataSource);
    await source.query('alter table hidden_item rename to hidden_elsewhere');
    await running.app.get(HiddenItems).refresh();
    await source.query('alter table hidden_elsewhere rename to hidden_item');

    expect(await badge()).toContain('hidden by the operator');
    await lift(id);
  });

  it.each([
    [{ kind: 'nothing', reason: 'x' }, 'invalid_request'],
    [{ kind: 'identity', platform: 'github', reason: 'x' }, 'invalid_request'],
    [{ kind: 'identity', platform: 'nowhere', identity: 'a', reason: 'x' }, 'unknown_platform'],
    [{ kind: 'key', avatar: '0x02', reason: 'x' }, 'invalid_public_key'],
    [{ kind: 'key', avatar: key, reason: 'two\nlines' }, 'invalid_request'],
    [{ kind: 'key', avatar: key, reason: 'x'.repeat(201) }, 'invalid_request'],
    [{ kind: 'key', avatar: key }, 'invalid_request'],
  ])('is refused as %j', async (body, code) => {
    const answer = await admin.post('/hidden', body);

    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('is told with a reason of 200 characters, however many bytes they have', async () => {
    const id = await hide({ kind: 'key', avatar: key }, '\u{1f64a}'.repeat(200));

    expect((await lift(id, '\u{1f64a}'.repeat(201))).body.code).toBe('invalid_request');
    expect((await lift(id, '\u{1f64a}'.repeat(200))).status).toBe(200);
  });

  it('has a description whose forms refuse what is refused', async () => {
    const { paths, components } = (await running.get('/openapi.json')).body;
    const [items] = paths['/v1/hidden'].get.parameters;
    const item = new RegExp(items.schema.items.pattern, 'u');
    const reason = new RegExp(components.schemas.HideRequest.properties.reason.pattern, 'u');
    const taken = ['identity:github:alice', `key:${key}`, `profile:${key}`];

    expect(items).toMatchObject({ style: 'form', explode: true });
    expect(taken.filter((text) => !item.test(text))).toEqual([]);
    expect(
      ['alice', 'identity:', 'identity:github', 'identity::alice', 'identity:github:'].filter((text) =>
        item.test(text),
      ),
    ).toEqual([]);
    expect(
      ['', ' ', 'two\nlines', 'a\0', 'a\u0085', 'a\u2028b', 'x'.repeat(201)].filter((text) => reason.test(text)),
    ).toEqual([]);
    expect(['it is abuse', '\u{1f64a}'.repeat(200)].filter((text) => !reason.test(text))).toEqual([]);
  });

  it('is hidden once, and shown again once', async () => {
    const id = await hide(identity);
    const twice = await admin.post('/hidden', { ...identity, reason: 'again' });
    await lift(id);

    expect([twice.status, twice.body.code]).toEqual([400, 'already_hidden']);
    expect((await lift(id)).body.code).toBe('hidden_item_not_found');
    expect((await lift('no-id')).body.code).toBe('hidden_item_not_found');
  });

  it.each([
    '',
    '?item=',
    '?item=alice',
    '?item=identity:github',
    '?item=identity::alice',
    `?${'item=key:x&'.repeat(51)}`,
  ])('is asked about by names alone: %s', async (query) => {
    expect((await running.get(`/v1/hidden${query}`)).status).toBe(400);
  });
});
