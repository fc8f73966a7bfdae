import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ENGINES, openTestDatabase, type OpenTestDatabase } from '../support/engines.js';
import { anAvatar } from '../support/avatar.js';

const alice = anAvatar('alice').key;
const bob = anAvatar('bob').key;

/** The database is the last reviewer: whatever the application does, a chain cannot fork. */
describe.each(ENGINES)('the table of links on %s', (engine) => {
  let opened: OpenTestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    opened = await openTestDatabase(engine);
    client = new pg.Client({ connectionString: opened.database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await opened.drop();
  });

  beforeEach(() => client.query('begin'));
  afterEach(() => client.query('rollback'));

  let nextId = 1;
  const insert = (columns: Record<string, unknown> = {}) => {
    const row: Record<string, unknown> = {
      id: nextId++,
      avatar: alice.compressed,
      position_in_chain: 1,
      action: 'create',
      platform: 'ethereum',
      identity: 'a',
      created_at: new Date(),
      uuid: randomUUID(),
      signature: 's',
      signature_payload: '{}',
      ...columns,
    };
    const names = Object.keys(row);
    const parameters = names.map((_, index) => `$${index + 1}`);
    return client.query(`insert into chain_link (${names.join()}) values (${parameters.join()})`, Object.values(row));
  };

  it('takes a chain that grows at its head, and one chain for each Avatar', async () => {
    await insert();
    await insert({ position_in_chain: 2 });
    await insert({ avatar: bob.compressed });
    await insert({ position_in_chain: 3, action: 'delete' });

    expect((await client.query('select 1 from chain_link')).rowCount).toBe(4);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a second first link, which would be a second chain', {}, 'chain_link_position'],
    ['a link beside another, which would be a fork', { position_in_chain: 2 }, 'chain_link_position'],
    ['a link without the one before, which would be a hole', { position_in_chain: 4 }, 'chain_link_previous'],
    ['a link on the chain of another Avatar', { avatar: bob.compressed, position_in_chain: 3 }, 'chain_link_previous'],
    ['a position before the first', { position_in_chain: 0 }, 'chain_link_position_in_chain_check'],
    ['an id that is taken', { position_in_chain: 3, id: 1_000_000 }, 'chain_link_pkey'],
    ['a uuid that was used', { position_in_chain: 3, uuid: '5c1ba0a2-1f0e-4d1c-9d3b-3e0d3c1a9a77' }, 'chain_link_uuid'],
    [
      'a uuid that was used by another Avatar',
      { avatar: bob.compressed, uuid: '5c1ba0a2-1f0e-4d1c-9d3b-3e0d3c1a9a77' },
      'chain_link_uuid',
    ],
    ['an unknown action', { position_in_chain: 3, action: 'update' }, 'chain_link_action_check'],
    ['an uncompressed key', { avatar: bob.uncompressed }, 'chain_link_avatar_check'],
    ['a key in capitals', { avatar: bob.compressed.toUpperCase().replace('0X', '0x') }, 'chain_link_avatar_check'],
    ['a key without 0x', { avatar: bob.compressed.slice(2) }, 'chain_link_avatar_check'],
  ])('refuses %s', async (_what, columns, constraint) => {
    await insert({ id: 1_000_000, uuid: '5c1ba0a2-1f0e-4d1c-9d3b-3e0d3c1a9a77' });
    await insert({ position_in_chain: 2 });

    await expect(insert(columns)).rejects.toMatchObject({ constraint });
  });

  it('does not give a link away that another one stands on', async () => {
    await insert();
    await insert({ position_in_chain: 2 });

    await expect(client.query('delete from chain_link where position_in_chain = 1')).rejects.toMatchObject({
      constraint: 'chain_link_previous',
    });
  });
});
