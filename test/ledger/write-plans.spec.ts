import pg from 'pg';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

/** Of a small service, where reading a whole table looks cheap to PostgreSQL. */
const ROWS = 5000;
const FILLED = ['proof_check', 'proof_evidence'];
const FILL = `
  with checks as (
    insert into proof_check (proof_id, checked_at, outcome) select n, now(), 'valid' from generate_series(1, ${ROWS}) n
  )
  insert into proof_evidence (avatar, platform, identity, url, seen_at, sha256)
  select '0x02' || encode(sha256(n::text::bytea), 'hex'), 'github', n, '', now(), repeat('0', 64)
  from generate_series(1, ${ROWS}) n`;

/** The statements that write both tables, or one of them, and not the one that fills them. */
const RECORDS = /^\s*with (link|item) as [^]*(proof_check|proof_evidence)/;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** The filled tables that a plan reads from end to end. */
function scannedBy(plan: Plan): string[] {
  const isScan = plan['Node Type'] === 'Seq Scan' && FILLED.includes(plan['Relation Name']!);
  return [...(isScan ? [plan['Relation Name']!] : []), ...(plan.Plans ?? []).flatMap(scannedBy)];
}

describe('The statements that record bindings and rechecks', () => {
  const plainQuery = pg.Client.prototype.query as (...words: unknown[]) => unknown;
  const sent = new Set<string>();
  let world: GistWorld;

  beforeAll(async () => {
    // Connections take `query` when they are made.
    Object.assign(pg.Client.prototype, {
      query(this: pg.Client, ...words: unknown[]) {
        const text = typeof words[0] === 'string' ? words[0] : ((words[0] as { text?: string }).text ?? '');
        if (RECORDS.test(text)) sent.add(text);
        return plainQuery.apply(this, words);
      },
    });
    world = await startGistWorld({ engine: 'postgres' });
    const client = new pg.Client({ connectionString: world.app.database.url });
    await client.connect();
    // The checks are those of no binding.
    await client.query('set session_replication_role = replica');
    await client.query(FILL);
    await client.query(`analyze ${FILLED.join(', ')}`);
    await client.end();
    sent.clear();
  });
  afterAll(async () => {
    Object.assign(pg.Client.prototype, { query: plainQuery });
    await world.close();
  });

  it('read no history and no evidence but those of the bindings that they are about', async () => {
    const [avatar, wallet] = [anAvatar(), aWallet('alice')];
    const due = await world.bind(avatar, 'abcdef0123456789abcdef0123456789', 'alice-demo');
    await world.rechecks.checkDue(due);
    await linkWallet(world.app, avatar, wallet);
    await linkWallet(world.app, avatar, wallet, { action: 'delete' });
    const texts = [...sent];

    const plans = await Promise.all(
      texts.map((text) => world.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (generic_plan, format json) ${text}`)),
    );

    expect(plans.flatMap(([row]) => scannedBy(row!['QUERY PLAN'][0].Plan))).toEqual([]);
    // A create with evidence, a recheck, a create without evidence, a delete.
    expect(texts).toHaveLength(4);
  });
});
