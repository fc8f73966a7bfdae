import pg from 'pg';
import { anAvatar } from '../support/avatar.js';
import { type RunningApp, startApp } from '../support/app.js';
import { fillSearchTable } from '../support/search-table.js';

const PROOFS = 50_000;
const BIG_TABLES = ['proof', 'proof_search', 'chain_link', 'kv_entry', 'kv_patch'];
/** What is asked every few seconds, whoever calls: whether patches wait for numbers, and bindings for searches. */
const UPKEEP = /feed_id is null|"hasWork"|delete from proof_search_left/;

/** Three bindings for each Avatar, the last of which is always the same valid key; one identity holds the rare term. */
/** A table without rows is read from end to end at no cost. */
const INCOMPLETE = `
  insert into incomplete_entry (avatar, identity_key)
  select '0x02' || encode(sha256(n::text::bytea), 'hex'), encode(sha256(n::text::bytea), 'hex')
  from generate_series(1, 5000) n`;
const FILL = `
  with made as (
    select n, case when n <= 3 then $1 else '0x02' || lpad(to_hex(1000 + (n - 1) / 3), 64, '0') end as avatar, 1 + (n - 1) % 3 as place,
      (array['ethereum', 'github', 'twitter'])[1 + (n - 1) % 3] as platform,
      case (n - 1) % 3
        when 0 then '0x' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 40)
        when 1 then (case when n = 2 then 'qzxjvkwy' else 'trader-' end) || n
        else 'someone_' || n end as identity
    from generate_series(1, ${PROOFS}) as n
  ), links as (
    insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
    select n, avatar, place, 'create', platform, identity, now(), gen_random_uuid(), 's', 't' from made
  ), entries as (
    insert into kv_entry (avatar, platform, identity, content) select avatar, platform, identity, '{}' from made
  ), patches as (
    insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload, feed_id)
    select avatar, place, platform, identity, '{}', now(), gen_random_uuid(), 's', 't', n from made
  )
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select avatar, platform, identity, identity, n, now(), now(), true from made`;

const key = anAvatar('alice').key.compressed;
const find = (query: Record<string, string>) => `/v1/proof?${new URLSearchParams(query)}`;
const many = Array.from({ length: 50 }, (_, index) => `trader-${3 * index + 2}`).join(',');

/** What is asked, and how many statements it may take. */
const LISTS: [string, string, number][] = [
  ['one identity of a platform', find({ platform: 'github', identity: 'trader-50', exact: 'true' }), 1],
  ['one identity on any platform', find({ identity: 'trader-50', exact: 'true' }), 1],
  ['fifty identities', find({ identity: many, exact: 'true' }), 1],
  ['a key', find({ platform: 'self', identity: key }), 1],
  ...['q', 'qz', 'qzx', 'qzxjvk', '日', '-._', 'someone-x', 'qzxjvkwy,_z,..!'].map(
    (identity): [string, string, number] => [`a rare "${identity}"`, find({ identity }), 2],
  ),
  ...['a', '0x', 'tra', 'trader', 'r-', 'someone_', 'e,qz'].map((identity): [string, string, number] => [
    `a frequent "${identity}"`,
    find({ identity }),
    3,
  ]),
  ['a frequent "tra" on one platform', find({ platform: 'github', identity: 'tra' }), 3],
  ['page 11 of a frequent "tra"', find({ identity: 'tra', page: '11' }), 3],
  ['page 50 of a frequent "tra"', find({ identity: 'tra', page: '50' }), 3],
  ['a binding', `/v1/proof/exists?platform=github&identity=trader-50&public_key=${key}`, 2],
  ['a chain', `/v1/proofchain?public_key=${key}`, 1],
  ['the feed', '/v1/proofchain/changes?last_id=25000&count=100', 1],
  ['the feed of patches', '/v1/kv/changes?last_id=25000&count=100', 1],
  ['content of a key', `/v1/kv?avatar=${key}`, 1],
  ['patches of a key', `/v1/kv/chain?avatar=${key}`, 2],
  ['content under an identity', '/v1/kv/by_identity?platform=github&identity=trader-50', 1],
];

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

/** Tables without a row here, which cost less to read than their indexes. */
const EMPTY = ['avatar_hold', 'kv_entry_then', 'proof_search_left'];

/** The other tables that a plan reads from end to end. */
function scannedBy(plan: Plan): string[] {
  const table = plan['Relation Name'];
  const own = plan['Node Type'].endsWith('Seq Scan') && !EMPTY.includes(table!) ? [table!] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scannedBy)];
}

/** The indexes that a plan reads. */
function indexesOf(plan: Plan): string[] {
  const own = plan['Index Name'] === undefined ? [] : [plan['Index Name']];
  return [...own, ...(plan.Plans ?? []).flatMap(indexesOf)];
}

describe(`the plans of list queries over ${PROOFS} proofs`, () => {
  const plainQuery = pg.Client.prototype.query as (...words: unknown[]) => unknown;
  let running: RunningApp;
  let client: pg.Client;
  let statements: { text: string; values: unknown[] }[] = [];

  beforeAll(async () => {
    // The statements are written down where they leave for the server; connections take `query` when they are made.
    Object.assign(pg.Client.prototype, {
      query(this: pg.Client, ...words: unknown[]) {
        const config = words[0] as { text?: string; values?: unknown[] };
        const text = typeof words[0] === 'string' ? words[0] : (config.text ?? '');
        const isOfRequest = !UPKEEP.test(text);
        if (isOfRequest && BIG_TABLES.some((table) => new RegExp(`(from|join) "?${table}\\b`, 'i').test(text))) {
          statements.push({ text, values: Array.isArray(words[1]) ? words[1] : (config.values ?? []) });
        }
        return plainQuery.apply(this, words);
      },
    });
    running = await startApp({ engine: 'postgres', env: { REVALIDATION: 'off', LOG: 'off' } });
    client = new pg.Client({ connectionString: running.database.url });
    await client.connect();
    // The rows are consistent by construction; checking each reference would take most of the time.
    await client.query('set session_replication_role = replica');
    await client.query(FILL, [key]);
    await fillSearchTable(client);
    // As in a database of 0.1.0.
    await client.query('create index proof_identity_trigrams on proof using gin (identity_folded gin_trgm_ops)');
    await client.query(INCOMPLETE);
    // The first search asks which index there is.
    await running.get(find({ identity: 'q' }));
    await client.query('vacuum (analyze) proof, proof_search, chain_link, kv_entry, kv_patch, incomplete_entry');
  });
  afterAll(async () => {
    Object.assign(pg.Client.prototype, { query: plainQuery });
    await client?.end();
    await running?.close();
  });

  const planOf = async (how: string, text: string, values: unknown[]): Promise<Plan> => {
    const { rows } = (await plainQuery.call(client, `explain (${how}format json) ${text}`, values)) as pg.QueryResult;
    return (rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan;
  };

  it.each(LISTS)('finds %s without reading a whole table', async (_what, path, most) => {
    statements = [];
    const { status } = await running.get(path);
    const sent = statements;

    expect([200, 404]).toContain(status);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(most);
    for (const { text, values } of sent) {
      // A prepared statement may be planned for these values or for all.
      expect(scannedBy(await planOf('', text, values))).toEqual([]);
      expect(scannedBy(await planOf('generic_plan, ', text, []))).toEqual([]);
    }
  });

  it('never asks the index of trigrams, which would be read from end to end for a term that has none', async () => {
    statements = [];
    await running.get(find({ identity: '-._' }));

    for (const { text, values } of statements) {
      expect(indexesOf(await planOf('', text, values))).not.toContain('proof_identity_trigrams');
      expect(indexesOf(await planOf('generic_plan, ', text, []))).not.toContain('proof_identity_trigrams');
    }
    expect(statements).toHaveLength(2);
  });

  it('finds the thousand newest Avatars of a frequent term, whatever their number', async () => {
    const pages = await Promise.all(
      ['1', '10', '11', '50'].map((page) => running.get(find({ identity: 'tra', page }))),
    );

    expect(pages.map(({ body }) => body.pagination)).toEqual([
      { total: 1000, per: 20, current: 1, next: 2 },
      { total: 1000, per: 20, current: 10, next: 11 },
      { total: 1000, per: 20, current: 11, next: 12 },
      { total: 1000, per: 20, current: 50, next: 0 },
    ]);
    expect(new Set(pages.flatMap(({ body }) => body.ids.map(({ avatar }: { avatar: string }) => avatar))).size).toBe(
      80,
    );
  });

  it('would see a sequential scan', async () => {
    const plan = await planOf('', 'select count(*) from proof where identity_folded like $1', ['%a%']);

    expect(scannedBy(plan)).toEqual(['proof']);
  });
});
