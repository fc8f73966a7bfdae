import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import {
  ALL_PAGE,
  MAX_AMBIGUOUS_PAGE,
  MAX_AMBIGUOUS_TOTAL,
  NEWEST_PAGE,
  pieceByPieceSql,
} from '../../src/proof/look-up/ambiguous-sql.js';
import { FORMER_SEARCH_INDEX, SEARCH_INDEX } from '../../src/proof/look-up/search-table.js';
import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { fillSearchTable } from '../support/search-table.js';

const BINDINGS = 30_000;
/** Each binding has so many link ids for itself, so that the table has some forty ranges of link ids. */
const IDS_EACH = 40;

/**
 * Three bindings of each Avatar, at places without order; the last 500 Avatars hold what is called `collected`, some
 * 2,500 of 500 Avatars. Every 25th name holds `often`, but none of the newest 2,000, as where many were bound in a row
 * that look otherwise.
 */
const FILL = `
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select '0x02' || lpad(to_hex(case when n between 10001 and 12500 then 9500 + n % 500 else n * 7919 % 9497 end), 64, '0'),
    case when n % 2 = 0 then 'github' else 'twitter' end, name, name, n * ${IDS_EACH}, now(), now(), true
  from generate_series(1, ${BINDINGS}) as n, lateral (
    select case
      when n between 10001 and 12500 then 'collected'
      when n % 25 = 0 and n <= ${BINDINGS} - 2000 then 'often'
      when n % 500 = 1 then 'seldom-%_é'
      else 'other' end || n as name
  ) as named`;
const HEADS = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
  select row_number() over (), avatar, 1, 'create', 'github', 'x', now(), gen_random_uuid(), 's', 't'
  from (select distinct avatar from proof) as holder`;
/** All that a lookup promises, by the simplest SQL. */
const NAIVE = `
  select avatar from proof where position($1 in identity_folded) > 0 and ($2::text is null or platform = $2)
  group by avatar order by max(link_id) desc limit ${MAX_AMBIGUOUS_TOTAL}`;

let database: TestDatabase;
let client: pg.Client;
let running: RunningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  running = await startApp({ databaseUrl: database.url, env: { REVALIDATION: 'off', LOG: 'off' } });
  // So that no service fills the table of searches.
  await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.searchFill]);
  await client.query('set session_replication_role = replica');
  await client.query(FILL);
  await client.query(HEADS);
  // As in a database of 0.1.0.
  await client.query('create index proof_identity_grams on proof using gin (identity_grams(identity_folded))');
  await client.query('analyze proof');
});
afterAll(async () => {
  await running.close();
  await client.end();
  await database.drop();
});

/** The Avatars of all these pages, and the totals that they tell. */
async function lookup(query: Record<string, string>, pages: number[]) {
  const avatars: string[] = [];
  const totals = new Set<number>();
  for (const page of pages) {
    const { status, body } = await running.get(`/v1/proof?${new URLSearchParams({ ...query, page: String(page) })}`);
    expect(status).toBe(200);
    avatars.push(...body.ids.map(({ avatar }: { avatar: string }) => avatar));
    totals.add(body.pagination.total);
  }
  return { avatars, totals: [...totals] };
}

async function expected(query: Record<string, string>, pages: number[]) {
  const { rows } = await client.query<{ avatar: string }>(NAIVE, [query.identity, query.platform ?? null]);
  const avatars = pages.flatMap((page) => rows.slice((page - 1) * 20, page * 20).map(({ avatar }) => avatar));
  return { avatars, totals: [rows.length] };
}

const QUERIES: Record<string, string>[] = [
  { identity: 'often' },
  { identity: 'ft' },
  { identity: 'often', platform: 'twitter' },
  { identity: 'other' },
  { identity: 'collected' },
  { identity: 'seldom' },
  { identity: '-%_é' },
  { identity: 'é' },
  { identity: 'o' },
  { identity: 'er123' },
  { identity: 'nobody' },
];
const WHAT = QUERIES.map((query) => [Object.values(query).join(' on '), query] as const);

describe.each(['0.1.0', '0.2.0'])(
  'an ambiguous lookup before the table of searches is filled, with an index of %s',
  (version) => {
    beforeAll(async () => {
      if (version === '0.1.0') return;
      const pieces = '(identity_pieces(link_id, platform, identity_folded) collate "C")';
      await client.query(`create index ${FORMER_SEARCH_INDEX} on proof using gin (${pieces})`);
    });

    it.each(WHAT)('answers the newest that match: %s', async (_what, query) => {
      const pages = [1, 2, 11, MAX_AMBIGUOUS_PAGE];

      expect(await lookup(query, pages)).toEqual(await expected(query, pages));
    });
  },
);

describe('an ambiguous lookup while the newest bindings wait for the index', () => {
  beforeAll(async () => {
    await client.query(`drop index ${FORMER_SEARCH_INDEX}`);
    await fillSearchTable(client);
    await client.query('delete from proof_search where link_id > $1', [(BINDINGS - 900) * IDS_EACH]);
  });

  it.each(WHAT)('answers the newest that match: %s', async (_what, query) => {
    const pages = [1, 2, 11, MAX_AMBIGUOUS_PAGE];

    expect(await lookup(query, pages)).toEqual(await expected(query, pages));
  });
});

describe('an ambiguous lookup', () => {
  beforeAll(async () => {
    await fillSearchTable(client);
  });

  it.each(WHAT)('answers the newest that match, on every page: %s', async (_what, query) => {
    const total = (await expected(query, [])).totals[0]!;
    const pages = Array.from(
      { length: Math.ceil(total / 20) + (total < MAX_AMBIGUOUS_TOTAL ? 1 : 0) },
      (_, n) => n + 1,
    );

    expect(await lookup(query, pages)).toEqual(await expected(query, pages));
  });

  it('answers several terms, of which any may match', async () => {
    const [often, seldom] = [await expected({ identity: 'often' }, [1]), await expected({ identity: 'seldom' }, [1])];
    const { avatars } = await lookup({ identity: 'of,seldom' }, [1, 2]);

    expect(avatars).toEqual(expect.arrayContaining(avatars.length > 20 ? [often.avatars[0], seldom.avatars[0]] : []));
    expect(avatars).toHaveLength(40);
  });
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** What the statement reads, planned for all values, as a connection of the service plans it. */
async function readBy(sql: string, values: unknown[]) {
  await client.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off');
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, buffers, format json) ${sql}`,
    values,
  );
  const plan = rows[0]!['QUERY PLAN'][0]!.Plan;
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  const all = nodes(plan);
  return {
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    scanned: all.filter((node) => node['Node Type'].endsWith('Seq Scan')).map((node) => node['Relation Name']),
    indexes: all.flatMap((node) => node['Index Name'] ?? []),
  };
}

/** A range is read as a whole: 819 bindings, of which each may be in a block of its own. There are 38 of them. */
const RANGE = 819;
const RANGES = 38;
/** The index is asked for each of the three pieces that a term has here at most, in each range. */
const BLOCKS_ASKED = RANGES * 3 * 4;

describe('the statements of an ambiguous lookup in a table that is said to have ten million rows', () => {
  const byPieces = (terms: [term: string, pieces: string[]][], most: number, ranges = 1000) =>
    readBy(pieceByPieceSql(most), [
      terms.map(([term]) => `%${term}%`),
      null,
      20,
      0,
      terms.map(([, pieces]) => pieces.join('\x01')),
      ranges,
    ]);

  beforeAll(async () => {
    const tables = "('proof'::regclass, 'proof_search'::regclass)";
    await client.query(`update pg_class set reltuples = 10000000 where oid in ${tables}`);
  });

  it.each([
    ['ot', [':ot']],
    ['other', [':oth', ':the', ':her']],
    ['often', [':oft', ':fte', ':ten']],
  ])('read no more than is answered, however many match: %s', async (term, pieces) => {
    const { blocks, scanned, indexes } = await byPieces([[term, pieces]], 500);

    expect(scanned).toEqual([]);
    expect(indexes).toContain(SEARCH_INDEX);
    expect(blocks).toBeLessThan(500 + RANGE + 20 * 20 + BLOCKS_ASKED);
  });

  it('read more where more is looked at, which shows that the bound is not an accident', async () => {
    const other: [string, string[]][] = [['other', [':oth', ':the', ':her']]];

    expect((await byPieces(other, 20_000)).blocks).toBeGreaterThan(2 * (await byPieces(other, 500)).blocks);
  });

  it('ask no more ranges than they may', async () => {
    const seldom: [string, string[]][] = [['seldom', [':sel', ':ldo', ':dom']]];
    const [all, few] = [await byPieces(seldom, 20_000), await byPieces(seldom, 20_000, 4)];

    expect(few.blocks).toBeLessThan(all.blocks / 3);
  });

  it('look at a bounded number of the newest before', async () => {
    const { blocks, scanned } = await readBy(NEWEST_PAGE, [['%other%'], null, 20, 0]);

    expect(scanned).toEqual([]);
    expect(blocks).toBeLessThan(1000 + 20 * 20 + 200);
  });
});

describe('a lookup that reaches a bound', () => {
  /** The only row, or the first of the page. */
  const first = async (sql: string, pieces: string[], ranges: number) => {
    const values = [['%often%'], null, 20, 0, pieces, ranges];
    const { rows } = await client.query<{ avatar: string | null; total: string; is_done: boolean }>(sql, values);
    return { avatars: new Set(rows.flatMap(({ avatar }) => avatar ?? [])).size, ...rows[0]! };
  };
  const pieces = [[':oft', ':fte', ':ten'].join('\x01')];

  it('says that its page may lack something where ranges are left', async () => {
    expect(await first(pieceByPieceSql(2000), pieces, 3)).toMatchObject({ avatars: 6, total: '6', is_done: false });
  });

  it('has a page of the newest where more bindings are left', async () => {
    expect(await first(pieceByPieceSql(100), pieces, 1000)).toMatchObject({ avatars: 20, is_done: false });
  });

  it('is done where all ranges were asked, and where the index of before answers', async () => {
    const all = await first(pieceByPieceSql(20_000), pieces, 1000);

    expect(all).toMatchObject({ avatars: 20, is_done: true });
    expect(await first(ALL_PAGE, [['of', 'ft', 'te', 'en'].join('\x01')], 1)).toEqual(all);
  });
});
