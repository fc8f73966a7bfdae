import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { type KvFeed, PATCH_FEED } from '../../src/kv/kv-feed.js';
import type { FeedPatchDto, KvPatchDto } from '../../src/kv/patches/kv-patches.dto.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { openKvStores } from './kv-stores.js';

/** Adds a chain of patches, the text of each so many characters long; without numbers in the feed. */
const FILL = `
  insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
  select $1, n, 'github', 'alice', '{}', '2026-11-22T00:00:00Z', gen_random_uuid(), 'signature ' || n, repeat($3, $4::int)
  from generate_series(1, $2::int) as n order by n`;

const alice = anAvatar('alice').key;

let opened: Awaited<ReturnType<typeof openKvStores>>;
let replica: TestDatabase;
let source: DataSource;
let feed: KvFeed;

beforeAll(async () => {
  replica = await createTestDatabase();
  opened = await openKvStores({ DATABASE_REPLICA_URLS: replica.url });
  ({ source } = opened);
});
afterAll(async () => {
  await opened.close();
  await replica.drop();
});
beforeEach(async () => {
  await source.query('truncate kv_patch restart identity');
  ({ feed } = opened.newStores());
});

const fill = (count: number, avatar = alice, { on = source, text = 'x', times = 1 } = {}) =>
  on.query(FILL, [avatar.compressed, count, text, times]);
const number = (limit = 1_000, on = source) => on.transaction((manager) => feed.numberCommitted(manager, limit));
const idsOf = (patches: { id: number }[]) => patches.map(({ id }) => id);
const changesAfter = async (lastId: number, count: number) =>
  JSON.parse((await feed.changesAfter(lastId, count)).items.text) as FeedPatchDto[];

describe('the feed of all patches', () => {
  it('gives numbers without a gap to the oldest that have none, as many as are asked for at once', async () => {
    expect(await feed.state()).toEqual({ newestId: 0, hasUnnumbered: false });
    await fill(5);
    expect(await changesAfter(0, 10)).toEqual([]);

    expect(await number(3)).toBe(3);
    expect(await feed.state()).toEqual({ newestId: 3, hasUnnumbered: true });
    expect(await number(3)).toBe(2);
    expect(await number(3)).toBe(0);

    expect(await feed.state()).toEqual({ newestId: 5, hasUnnumbered: false });
    const patches = await changesAfter(1, 3);
    expect(patches.map(({ id, signature }) => [id, signature])).toEqual([2, 3, 4].map((n) => [n, `signature ${n}`]));
  });

  it('has of each patch all that a reader needs to check it', async () => {
    await fill(1);
    await number();

    const [patch] = await changesAfter(0, 10);

    expect(patch).toEqual({
      id: 1,
      avatar: alice.compressed,
      platform: 'github',
      identity: 'alice',
      patch: {},
      created_at: Date.parse('2026-11-22T00:00:00Z') / 1000,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      signature: 'signature 1',
      signature_payload: 'x',
    });
    const [row] = await source.transaction((manager) => PATCH_FEED.readIn(manager, 0, 10, 1_000));
    expect(row).toMatchObject({ id: 1, recordedAt: expect.any(Date), signer: null, erased: null });
  });

  it('ends a page early where patches are long, behind the first one at least', async () => {
    await fill(4, alice, { times: 200_000 });
    await number();
    const within = (bytes: number) => source.transaction((manager) => PATCH_FEED.readIn(manager, 0, 10, bytes));

    expect(idsOf(await changesAfter(0, 10))).toEqual([1, 2, 3]);
    expect(idsOf(await within(1))).toEqual([1]);
    // The text of the patch counts, too: `{}`.
    expect(idsOf(await within(200_002))).toEqual([1]);
    expect(idsOf(await within(200_003))).toEqual([1, 2]);
  });

  it('knows the number of a patch by its uuid: none yet, or no such patch', async () => {
    await fill(2);
    await number(1);
    const uuids: { uuid: string }[] = await source.query('select uuid from kv_patch order by id');

    expect(await feed.findByUuid(uuids[0]!.uuid)).toMatchObject({ id: 1 });
    expect(await feed.findByUuid(uuids[1]!.uuid)).toMatchObject({ id: 0 });
    expect(await feed.findByUuid(randomUUID())).toBeNull();
  });

  it('makes whoever gives numbers wait for the one before', async () => {
    await fill(2);
    await source.transaction(async (manager) => {
      expect(await feed.numberCommitted(manager, 1)).toBe(1);
      const [{ locked }] = (await source.query(
        `select count(*)::int as locked from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
      )) as [{ locked: number }];
      expect(locked).toBe(1);
    });
  });

  it('answers from a replica only pages that are full and begin right behind the cursor', async () => {
    await fill(5);
    await number();
    const copy = await new DataSource({ type: 'postgres', url: replica.url }).initialize();
    await fill(4, alice, { on: copy, text: 'copy' });
    await copy.query('update kv_patch set feed_id = position_in_chain');
    await copy.destroy();
    const fromCopy = async (lastId: number, count: number) =>
      (await changesAfter(lastId, count)).map((patch) => [patch.id, patch.signature_payload]);

    expect(await fromCopy(1, 3)).toEqual([2, 3, 4].map((id) => [id, 'copy']));
    expect(await fromCopy(2, 3)).toEqual([3, 4, 5].map((id) => [id, 'x']));
    expect(await fromCopy(4, 3)).toEqual([[5, 'x']]);
  });

  it('says that it is not there until its indexes are', async () => {
    await source.query(`update upgrade_step set due_at = now(), finished_at = null where id = 'kv_patch_feed'`);

    expect(await feed.hasIndexes()).toBe(false);
    await expect(feed.changesAfter(0, 10)).rejects.toMatchObject({
      code: 'upgrade_under_way',
      retryAfterSeconds: 30,
    });
  });
});

describe('the chain of patches of one Avatar', () => {
  it('has ten on a page, in their order, and its length', async () => {
    await fill(12);
    await fill(3, anAvatar('bob').key);
    const page = async (current: number) => {
      const { items, ...rest } = await feed.page(alice, current);
      const patches = JSON.parse(items.text) as KvPatchDto[];
      return { positions: patches.map(({ signature }) => Number(signature.split(' ')[1])), ...rest };
    };

    expect(await page(1)).toEqual({ positions: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], total: 12, current: 1, per: 10 });
    expect(await page(2)).toEqual({ positions: [11, 12], total: 12, current: 2, per: 10 });
    expect(await page(3)).toEqual({ positions: [], total: 12, current: 3, per: 10 });
  });
});
