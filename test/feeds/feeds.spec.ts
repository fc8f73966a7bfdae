import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { writeKv } from '../kv/kv-scenario.js';
import { readAtom, type ReadEntry, type ReadFeed } from './valid-atom.js';

describe('feeds of news', () => {
  let running: RunningApp;
  const [alice, bob] = [anAvatar('alice'), anAvatar('bob')];
  const [wallet, other] = [aWallet('alice'), aWallet('other')];
  beforeAll(async () => {
    running = await startApp({ env: { ADMIN_TOKEN } });
    await linkWallet(running, alice, wallet);
    await linkWallet(running, bob, wallet);
    await linkWallet(running, alice, wallet, { action: 'delete' });
    await writeKv(running, alice, { name: 'Alice <&> "Co" \u0001' });
  });
  afterAll(() => running.close());

  const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${running.baseUrl}${path}`, { headers });
  const read = async (path: string): Promise<ReadFeed> => readAtom(await (await ask(path)).text());
  const titles = ({ entries }: ReadFeed) => entries.map(({ title }) => title);
  const name = `${wallet.address} on ethereum`;
  const ofAlice = `/a/${alice.key.compressed}.atom`;
  const ofName = `/p/ethereum/${wallet.address}.atom`;

  it('have what a key did, newest first', async () => {
    const answer = await ask(ofAlice);
    const feed = readAtom(await answer.text());

    expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(titles(feed)).toEqual(['Content changed', `Disconnected: ${name}`, `Connected: ${name}`]);
    expect(feed.entries.at(-1)!.summary).toBe(`${name} was connected to the key ${alice.key.compressed}.`);
    expect(feed.links).toEqual({
      alternate: `${running.baseUrl}/a/${alice.key.compressed}`,
      self: `${running.baseUrl}${ofAlice}`,
      first: `${running.baseUrl}${ofAlice}`,
    });
  });

  it('have what was said about a name by all keys, revoked ones too', async () => {
    expect(titles(await read(ofName))).toEqual([`Disconnected: ${name}`, `Connected: ${name}`, `Connected: ${name}`]);
  });

  it('have everything, with one id for each record wherever it is read', async () => {
    const ids = ({ entries }: ReadFeed) => entries.map(({ id }) => id);
    // Content gets its number a moment later.
    await until(async () => (await read('/feed.atom')).entries.length === 4);
    const all = ids(await read('/feed.atom'));

    expect(all).toEqual(expect.arrayContaining([...ids(await read(ofAlice)), ...ids(await read(ofName))]));
  });

  it('have ids that are those of the records, and a feed the id that it has on every server', async () => {
    const links = (await running.get(`/v1/proofchain?public_key=${alice.key.compressed}&page=1`)).body.proof_chain;
    const again = await startApp();
    try {
      const elsewhere = readAtom(await (await fetch(`${again.baseUrl}${ofAlice}`)).text());

      expect((await read(ofAlice)).entries.map(({ id }) => id)).toContain(`urn:uuid:${links[0].uuid}`);
      expect(elsewhere.entries).toEqual([]);
      expect(elsewhere.id).toBe((await read(ofAlice)).id);
      expect(elsewhere.id).not.toBe((await read(ofName)).id);
    } finally {
      await again.close();
    }
  });

  it('answer 304 to who has the newest, and the news otherwise', async () => {
    const etag = (await ask(ofAlice)).headers.get('etag')!;

    expect((await ask(ofAlice, { 'if-none-match': etag })).status).toBe(304);
    await linkWallet(running, alice, other);
    expect((await ask(ofAlice, { 'if-none-match': etag })).status).toBe(200);
  });

  it('are found from the pages that they belong to', async () => {
    const head = async (path: string) => (await ask(path, { accept: 'text/html' })).text();
    const link = (path: string) => `<link rel="alternate" type="application/atom+xml" href="${path}" />`;

    expect(await head(`/a/${alice.key.uncompressed}`)).toContain(link(ofAlice));
    expect(await head(`/p/ethereum/${wallet.address}`)).toContain(link(ofName));
    expect(await head('/')).toContain(link('/feed.atom'));
  });

  it('keep what was erased as an entry without text, under its name and its id', async () => {
    const [before] = (await read(ofName)).entries.slice(-1);
    const source = running.app.get(DataSource);
    const erased = {
      at: 1_800_000_000,
      identity_key: await keyOfName(),
      reason: 'a court order',
      record: '0'.repeat(64),
    };
    const [, uuid] = before!.id.split('urn:uuid:');
    await source.query(
      "update chain_link set identity = '', signature_payload = '', extra = '{}', erased = $2 where uuid = $1",
      [uuid, JSON.stringify(erased)],
    );
    const entryIn = async (path: string) => (await read(path)).entries.find(({ id }) => id === before!.id);

    const expected: Partial<ReadEntry> = {
      title: 'Erased: a court order',
      summary: null,
      updated: '2027-01-15T08:00:00.000Z',
    };
    expect(await entryIn(ofName)).toMatchObject(expected);
    expect(await entryIn(ofAlice)).toMatchObject(expected);
    expect(await (await ask(ofAlice)).text()).not.toContain(`Connected: ${wallet.address}`);
  });

  const keyOfName = async () => {
    const { identityKeyText } = await import('@signet/verify/internal/chains');
    return identityKeyText({ platform: 'ethereum', identity: wallet.address });
  };

  it('show nothing of what the operator hides, but that it is hidden and why', async () => {
    const { body } = await adminOf(running).post('/hidden', {
      kind: 'identity',
      platform: 'ethereum',
      identity: other.address,
      reason: 'it is abuse',
    });
    const hidden = await (await ask(ofAlice)).text();

    expect(hidden).toContain('Hidden by the operator: it is abuse');
    expect(hidden).not.toContain(other.address);
    await adminOf(running).post(`/hidden/${body.id}/lift`, { reason: 'it is none' });
    expect(await (await ask(ofAlice)).text()).toContain(other.address);
  });

  it.each([
    ['/a/0x02.atom', 404],
    ['/p/nowhere/alice.atom', 404],
    ['/p/github/-.atom', 404],
    ['/feed.atom?before=x', 400],
    ['/feed.atom?before=link.0', 400],
    ['/feed.atom?before=link.1-nothing.2', 400],
    ['/feed.atom?before=link.99999999999999999999', 400],
  ])('refuse %s with %i', async (path, status) => {
    const answer = await ask(path);

    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ message: expect.any(String), code: expect.any(String) });
  });
});

describe('the pages of a long feed', () => {
  let running: RunningApp;
  const carol = anAvatar('carol');
  const wallet = aWallet('carol');
  const BINDINGS = 40;
  beforeAll(async () => {
    running = await startApp();
    for (let round = 0; round < BINDINGS; round += 1) {
      const action = round % 2 === 0 ? 'create' : 'delete';
      await linkWallet(running, carol, wallet, { action });
      await writeKv(running, carol, { round: round + 1 });
    }
  });
  afterAll(() => running.close());

  const follow = async (path: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let next: string | undefined = running.baseUrl + path; next !== undefined;) {
      const feed: ReadFeed = readAtom(await (await fetch(next)).text());
      expect(feed.links['first']).toBe(running.baseUrl + path);
      ids.push(...feed.entries.map(({ id }) => id));
      next = feed.links['next'];
    }
    return ids;
  };

  it.each([
    ['a key', () => `/a/${carol.key.compressed}.atom`, 2 * BINDINGS],
    ['a name', () => `/p/ethereum/${wallet.address}.atom`, BINDINGS],
    ['all', () => '/feed.atom', 2 * BINDINGS],
  ])('of %s have each record once', async (_of, path, count) => {
    await until(async () => new Set(await follow(path())).size === count);
    const ids = await follow(path());

    expect(ids).toHaveLength(count);
    expect(new Set(ids).size).toBe(count);
  });

  it('stay as they are when something new comes', async () => {
    const first = readAtom(await (await fetch(`${running.baseUrl}/a/${carol.key.compressed}.atom`)).text());
    const second = await (await fetch(first.links['next']!)).text();
    await writeKv(running, carol, { round: 0 });

    expect(await (await fetch(first.links['next']!)).text()).toBe(second);
  });
});
