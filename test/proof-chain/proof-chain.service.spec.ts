import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/database.js';
import { Replicas } from '../../src/database/replicas.js';
import { LINK_FEED, readWholeLinks, writeArchiveId } from '../../src/proof-chain/link-rows.js';
import type { FeedLinkDto } from '../../src/proof-chain/proof-chain.dto.js';
import { StoredJson } from '../../src/http/stored-json.js';
import { ProofChainService } from '../../src/proof-chain/proof-chain.service.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { databaseSettings } from '../support/engines.js';

/** Adds a chain behind the links that are there: its links were accepted an hour apart, the last one a moment ago. */
const FILL = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, recorded_at, uuid, signature,
    signature_payload, archive_id)
  select (select coalesce(max(id), 0) from chain_link) + n, $1, n, 'create', 'solana', 'x', now(),
    now() - ($2::int - n) * interval '1 hour', gen_random_uuid(), 'signature ' || n, '', $3
  from generate_series(1, $2::int) as n`;

const alice = anAvatar('alice').key;
const bob = anAvatar('bob').key;
const nobody = anAvatar('nobody').key;

/** A service over a database of its own and a replica, whose copies of the same links say what they are. */
async function startChain(chains: { avatar: string; links: number }[]) {
  const [primary, replica] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const fill = async ({ url }: TestDatabase, archiveId: string) => {
    const source = await new DataSource({ type: 'postgres', url }).initialize();
    for (const { avatar, links } of chains) await source.query(FILL, [avatar, links, archiveId]);
    await source.destroy();
  };
  await Promise.all([fill(primary, ''), fill(replica, 'copy')]);
  const environment = loadEnvironment({ ...databaseSettings(primary.url), DATABASE_REPLICA_URLS: replica.url });
  const database = await openDatabase(environment);
  const source = await new DataSource(dataSourceOptions(database)).initialize();
  const replicas = new Replicas(source, database, environment);
  await replicas.look();
  const close = async () => {
    await replicas.onApplicationShutdown();
    await source.destroy();
    await database.close();
    await Promise.all([primary.drop(), replica.drop()]);
  };
  const newChain = () => new ProofChainService(source, replicas);
  return { newChain, manager: source.manager, close };
}

const parsed = ({ text }: StoredJson) => JSON.parse(text) as FeedLinkDto[];

let started: Awaited<ReturnType<typeof startChain>>;
let chain: ProofChainService;
beforeAll(async () => {
  Logger.overrideLogger(false);
  started = await startChain([
    { avatar: alice.compressed, links: 41 },
    { avatar: bob.compressed, links: 40 },
  ]);
});
afterAll(() => started.close());
beforeEach(() => (chain = started.newChain()));

describe('the links, as the archive and the log use them', () => {
  it('are read behind an id, in order, as many as were asked for', async () => {
    const { manager } = started;
    // Written anew, it lies behind the others on the disk.
    await writeArchiveId(manager, 3, '');

    const idsOf = (links: { id: number }[]) => links.map(({ id }) => id);
    expect(idsOf(await readWholeLinks(manager, 1, 3))).toEqual([2, 3, 4]);
    const recorded = await LINK_FEED.readIn(manager, 1, 3, 1_000);
    expect(idsOf(recorded)).toEqual([2, 3, 4]);
    expect(recorded[1]!.recordedAt.getTime() - recorded[0]!.recordedAt.getTime()).toBe(3_600_000);
    expect(await chain.newestId()).toBe(81);
  });

  it('are found by their uuid, and nothing is where there is none', async () => {
    const { manager } = started;
    const { uuid } = (await readWholeLinks(manager, 2, 1))[0]!;

    expect(await chain.findByUuid(uuid)).toMatchObject({ id: 3, uuid, signature: 'signature 3' });
    expect(await chain.findByUuid(randomUUID())).toBeNull();
  });

  it('say where they are archived, each for itself', async () => {
    const { manager } = started;

    expect(await writeArchiveId(manager, 4, 'there')).toMatchObject({ id: 4, archiveId: 'there' });

    const links = await readWholeLinks(manager, 1, 4);
    expect(links.map(({ archiveId }) => archiveId)).toEqual(['', '', 'there', '']);
  });
});

it('the feed comes from a replica only where the page is full, so that nothing can be missing in it', async () => {
  const read = async (lastId: number) => {
    const { items, length } = await chain.changesAfter(lastId, 20);
    const links = parsed(items);
    expect(links).toHaveLength(length);
    return { first: links[0]?.id, length, from: [...new Set(links.map((link) => link.archive_id))] };
  };

  expect(await read(20)).toEqual({ first: 21, length: 20, from: ['copy'] });
  expect(await read(61)).toEqual({ first: 62, length: 20, from: ['copy'] });
  expect(await read(62)).toEqual({ first: 63, length: 19, from: [''] });
  expect(await read(81)).toEqual({ first: undefined, length: 0, from: [] });
});

describe('a chain', () => {
  it('has a head, and those that were the head before, unless the uuid is recorded', async () => {
    const { manager } = started;
    const { uuid } = (await readWholeLinks(manager, 4, 1))[0]!;
    const heads = await chain.items.headsBefore(alice, randomUUID());

    expect(heads.current?.signature).toBe('signature 41');
    const before = Array.from({ length: 41 }, (_, index) => `signature ${41 - index}`);
    expect(await heads.past()).toEqual([...before, null]);
    expect(await (await chain.items.headsBefore(nobody, randomUUID())).past()).toEqual([null]);
    expect(await chain.items.head(alice)).toMatchObject({ signature: 'signature 41', createdAt: expect.any(Date) });
    expect(await chain.items.head(nobody)).toBeNull();
    expect([await chain.items.length(alice), await chain.items.length(nobody)]).toEqual([41, 0]);
    await expect(chain.items.headsBefore(nobody, uuid)).rejects.toMatchObject({ code: 'already_recorded' });
  });

  it.each([
    { length: 40, avatar: bob, page: 1, items: 20, from: 'copy' },
    { length: 40, avatar: bob, page: 2, items: 20, from: '' },
    { length: 41, avatar: alice, page: 2, items: 20, from: 'copy' },
    { length: 41, avatar: alice, page: 3, items: 1, from: '' },
  ])('of $length links has page $page from a replica only where it is full and below the head', async (expected) => {
    const { items, total, current } = await chain.page(expected.avatar, expected.page);

    expect({ total, current, items: parsed(items).length }).toEqual({
      total: expected.length,
      current: expected.page,
      items: expected.items,
    });
    expect(new Set(parsed(items).map((link) => link.archive_id))).toEqual(new Set([expected.from]));
  });
});

it('a database without links has nothing newest, and only empty pages', async () => {
  const { newChain, close } = await startChain([]);

  expect(await newChain().newestId()).toBe(0);
  expect(await newChain().page(alice, 1)).toEqual({ items: new StoredJson('[]'), total: 0, current: 1 });
  await close();
});
