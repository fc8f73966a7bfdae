import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { type AnsweredLink, readChain, readFeed } from '../support/chain-checks.js';
import { ENGINES_OF_TIER } from '../support/engines.js';
import { expectRefusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';

const REAL_LINKS = 15;
const FILLERS = 90;
const LINKS = REAL_LINKS + FILLERS;
const people = ['alice', 'bob', 'carol'].map((name) => anAvatar(name));

describe.each(ENGINES_OF_TIER)('GET /v1/proofchain/changes on %s', (engine) => {
  let running: RunningApp;

  const changes = (query: Record<string, string>) =>
    running.get(`/v1/proofchain/changes?${new URLSearchParams(query)}`);
  const idsOf = ({ links }: { links: AnsweredLink[] }) => links.map(({ id }) => id);
  const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

  beforeAll(async () => {
    running = await startApp({ engine });
    for (let index = 0; index < REAL_LINKS; index++) {
      await linkWallet(running, people[index % people.length]!, aWallet(`wallet ${index}`));
    }
    // Rows that only make the feed longer: the first links of other Avatars.
    await running.app.get(DataSource).query(
      `insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
       select $1::int + n, '0x02' || lpad(to_hex(n), 64, '0'), 1, 'create', 'solana', 'x', now(), gen_random_uuid(), '', ''
       from generate_series(1, $2::int) as n`,
      [REAL_LINKS, FILLERS],
    );
  });
  afterAll(() => running.close());

  it('answers every field of a link, with its id and the compressed key of its Avatar', async () => {
    const { status, body } = await changes({ last_id: '0' });

    const [inChain] = await readChain(running, people[0]!.key.compressed);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['links']);
    expect(body.links[0]).toEqual({ id: 1, avatar: people[0]!.key.compressed, ...inChain });
  });

  it('starts at 0, ascends, and gives twenty links unless asked otherwise', async () => {
    const { body } = await changes({ last_id: '0' });

    expect(idsOf(body)).toEqual(range(1, 20));
  });

  it('goes on after the cursor', async () => {
    const { body } = await changes({ last_id: '20', count: '10' });

    expect(idsOf(body)).toEqual(range(21, 30));
  });

  it.each([
    ['10', 10],
    ['100', 100],
  ])('gives %s links where that is the count', async (count, expected) => {
    const { body } = await changes({ last_id: '0', count });

    expect(body.links).toHaveLength(expected);
  });

  it('knows the cursor as id too', async () => {
    const { body } = await changes({ id: '100' });

    expect(idsOf(body)).toEqual(range(101, LINKS));
  });

  it('shows every link of every chain exactly once', async () => {
    const feed = await readFeed(running);

    expect(feed.map(({ id }) => id)).toEqual(range(1, LINKS));
    for (const { key } of people) {
      const chain = await readChain(running, key.compressed);
      expect(feed.filter(({ avatar }) => avatar === key.compressed).map(({ uuid }) => uuid)).toEqual(
        chain.map(({ uuid }) => uuid),
      );
    }
  });

  it.each([String(LINKS), '1000000', '9007199254740991'])('is empty after %s', async (lastId) => {
    const { status, body } = await changes({ last_id: lastId });

    expect({ status, body }).toEqual({ status: 200, body: { links: [] } });
  });

  it.each<[string, Record<string, string>, string]>([
    ['no last_id', {}, 'last_id is missing'],
    ['an empty last_id', { last_id: '' }, 'last_id must be a whole number'],
    ['last_id -1', { last_id: '-1' }, 'last_id must not be negative'],
    ['id -1', { id: '-1' }, 'id must not be negative'],
    ['last_id text', { last_id: 'first' }, 'last_id must be a whole number'],
    ['last_id 1.5', { last_id: '1.5' }, 'last_id must be a whole number'],
    ['last_id 1e3', { last_id: '1e3' }, 'last_id must be a whole number'],
    ['a last_id above all numbers', { last_id: '9007199254740993' }, 'last_id is too large'],
    ['a last_id of 30 digits', { last_id: '9'.repeat(30) }, 'last_id must be'],
    ['count 9', { last_id: '0', count: '9' }, 'count must be at least 10'],
    ['count 101', { last_id: '0', count: '101' }, 'count must be at most 100'],
    ['count 0', { last_id: '0', count: '0' }, 'count must be at least 10'],
    ['count -10', { last_id: '0', count: '-10' }, 'count must be at least 10'],
    ['count text', { last_id: '0', count: 'many' }, 'count must be a whole number'],
    ['an empty count', { last_id: '0', count: '' }, 'count must be a whole number'],
    ['count 10.5', { last_id: '0', count: '10.5' }, 'count must be a whole number'],
  ])('refuses %s', async (_what, query, message) => {
    expectRefusal(await changes(query), { code: 'invalid_request', message });
  });

  it('refuses a cursor that is given twice', async () => {
    expectRefusal(await running.get('/v1/proofchain/changes?last_id=1&last_id=2'), {
      code: 'invalid_request',
      message: 'last_id must be a whole number',
    });
  });

  it('ends a page early where links are very long, so that no answer has more than 2 MB, and loses none', async () => {
    const before = (await readFeed(running)).length;
    await running.app.get(DataSource).query(
      `insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
       select $1::int + n, '0x03' || lpad(to_hex(n), 64, '0'), 1, 'create', 'ethereum', 'x', now(), gen_random_uuid(), '', '',
         jsonb_build_object('wallet_signature', repeat('A', 87384))
       from generate_series(1, 60) as n`,
      [before],
    );

    const response = await fetch(`${running.baseUrl}/v1/proofchain/changes?last_id=${before}&count=100`);
    const text = await response.text();

    expect(text.length).toBeLessThan(2_000_000);
    expect(idsOf(JSON.parse(text))).toEqual(range(before + 1, before + 12));
    expect((await readFeed(running)).map(({ id }) => id)).toEqual(range(1, before + 60));
  });
});
