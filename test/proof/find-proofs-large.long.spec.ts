import { DataSource } from 'typeorm';
import { SearchUpkeep } from '../../src/proof/look-up/search-upkeep.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';

/** As many as an Avatar may hold. */
const BINDINGS = 1000;
/** What makes a name almost as long as names get. */
const REST = `${`.${'x'.repeat(60)}`.repeat(3)}.org`;
const owners = Array.from({ length: 20 }, (_, index) => anAvatar(`holder of many ${index}`).key.compressed);

/** Every Avatar holds `BINDINGS` domains; the oldest one of each is shared by all. */
const FILL = `
  with made as (
    select owner.number, owner.avatar, place, owner.number * ${BINDINGS} + place as id,
      case when place = 1 then 'shared-by-all.org' else 'account-' || owner.number || '-' || place || $2 end as identity
    from unnest($1::text[]) with ordinality as owner(avatar, number), generate_series(1, ${BINDINGS}) as place
  ), links as (
    insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
    select id, avatar, place, 'create', 'dns', identity, now(), gen_random_uuid(), 's', 't' from made
  )
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select avatar, 'dns', identity, identity, id, now(), now(), true from made`;

let running: RunningApp;

beforeAll(async () => {
  running = await startApp({ env: { REVALIDATION: 'off', LOG: 'off' } });
  await running.app.get(DataSource).transaction(async (manager) => {
    await manager.query('set local session_replication_role = replica');
    await manager.query('set local statement_timeout = 0');
    await manager.query(FILL, [owners, REST]);
  });
  await running.app.get(SearchUpkeep).catchUp();
  await running.app.get(DataSource).query('analyze');
});
afterAll(() => running.close());

/** The text of an answer, and its groups. */
async function find(query: Record<string, string>): Promise<{ bytes: number; ids: Answer['body'][] }> {
  const response = await fetch(`${running.baseUrl}/v1/proof?${new URLSearchParams(query)}`);
  const text = await response.text();
  return { bytes: Buffer.byteLength(text), ids: (JSON.parse(text) as Answer['body']).ids };
}

const sizes = (ids: Answer['body'][]) => ids.map(({ proofs, proofs_total }) => [proofs.length, proofs_total]);

describe('Avatars that hold a thousand bindings', () => {
  it.each([
    ['an exact lookup', { identity: 'shared-by-all.org', platform: 'dns', exact: 'true' }],
    ['an ambiguous lookup', { identity: 'shared-by' }],
    ['an ambiguous lookup on one platform', { identity: 'shared-by', platform: 'dns' }],
    ['an ambiguous lookup of a frequent term', { identity: 'account-' }],
    ['one without a trigram', { identity: 'y-' }],
  ])('show fifty each in a list, by %s, and how many there are', async (_how, query) => {
    const { bytes, ids } = await find(query);

    expect(sizes(ids)).toEqual(ids.map(() => [50, BINDINGS]));
    expect(bytes).toBeLessThan(2_000_000);
    expect(ids).toHaveLength(20);
  });

  it('show those that match first, then the newest', async () => {
    const { ids } = await find({ identity: 'shared-by-all.org', platform: 'dns', exact: 'true' });

    const number = owners.indexOf(ids[0].avatar) + 1;
    expect(ids[0].proofs.map(({ identity }: Answer['body']) => identity.replace(REST, ''))).toEqual([
      'shared-by-all.org',
      ...Array.from({ length: 49 }, (_, index) => `account-${number}-${BINDINGS - index}`),
    ]);
  });

  it('show all to a lookup by key, the newest first', async () => {
    const { ids } = await find({ identity: owners[3]!, platform: 'self' });

    expect(sizes(ids)).toEqual([[BINDINGS, BINDINGS]]);
    expect(ids[0].proofs[0].identity).toBe(`account-4-1000${REST}`);
    expect(ids[0].proofs.at(-1).identity).toBe('shared-by-all.org');
  });

  it('show all of the only Avatar that is found', async () => {
    const identity = `account-7-500${REST}`;

    expect(sizes((await find({ identity, exact: 'true' })).ids)).toEqual([[BINDINGS, BINDINGS]]);
    expect(sizes((await find({ identity })).ids)).toEqual([[BINDINGS, BINDINGS]]);
  });

  it('show all of two keys, and of twenty no more than an answer may hold', async () => {
    const two = await find({ identity: owners.slice(0, 2).join(','), platform: 'self' });
    const twenty = await find({ identity: owners.join(','), platform: 'self' });

    expect(sizes(two.ids)).toEqual([
      [BINDINGS, BINDINGS],
      [BINDINGS, BINDINGS],
    ]);
    expect(sizes(twenty.ids)).toEqual(twenty.ids.map(() => [100, BINDINGS]));
    expect(twenty.ids).toHaveLength(20);
    expect(twenty.bytes).toBeLessThan(2_000_000);
  });

  it('do not delay those who look for others at the same time', async () => {
    const large = { identity: owners[0]!, platform: 'self' };
    await find(large);

    const [first, ...others] = await Promise.all([large, ...owners.slice(1, 9).map(() => large)].map(find));

    expect(sizes(first!.ids)).toEqual([[BINDINGS, BINDINGS]]);
    expect(others.map(({ ids }) => ids)).toEqual(others.map(() => first!.ids));
  });
});
