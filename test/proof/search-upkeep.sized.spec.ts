import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { Subject } from 'rxjs';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { FORMER_SEARCH_INDEX, SEARCH_INDEX } from '../../src/proof/look-up/search-table.js';
import { SearchUpkeep } from '../../src/proof/look-up/search-upkeep.js';
import { ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { databaseSettings, ENGINES } from '../support/engines.js';
import { connectTo } from '../support/event-writer.js';
import { metricsWithGauges } from '../support/gauges.js';
import { linkWallet } from '../support/scenario.js';
import { startService } from '../support/service-process.js';
import { sized } from '../support/tier.js';
import { until } from '../support/until.js';

const found = aWallet('found');
const alice = anAvatar('alice');
/** Of two servers at a time. */
const KILLS = sized('SEARCH_KILLS', { short: 1, long: 5 });
/** A part of the address that no other one has. */
const PART = found.address.slice(5, 30);

/** The table of searches against the bindings: how many are missing, too many, or of a former link. */
const DIFFERENCES = `
  select count(*)::int as count from proof full join proof_search on proof.id = proof_id
  where proof.link_id is distinct from proof_search.link_id`;

/** Bindings that an older server writes: it knows nothing of the table of searches. */
const WRITE_AS_BEFORE = `
  with links as (
    insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
    select (select coalesce(max(id), 0) from chain_link) + n, '0x02' || encode(sha256((n || $1)::bytea), 'hex'), 1, 'create',
      'ethereum', '0x' || substr(encode(sha256((n || 'name' || $1)::bytea), 'hex'), 1, 40), now(), gen_random_uuid(), 's', 't'
    from generate_series(1, $2::int) as n returning *
  )
  insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
  select avatar, platform, identity, identity, id, now(), now(), true from links order by id`;

describe.each(ENGINES)('the table of searches on %s', (engine) => {
  let running: RunningApp;

  beforeAll(async () => {
    running = await startApp({ engine, env: { ADMIN_TOKEN } });
  });
  afterAll(() => running?.close());

  const query = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    running.app.get(DataSource).query(sql, values);
  const differences = async () => (await query<{ count: number }>(DIFFERENCES))[0]!.count;
  const holders = async (part = PART) => {
    const { status, body } = await running.get(`/v1/proof?identity=${part}`);
    expect(status).toBe(200);
    expect(body.pagination.total).toBe(body.ids.length);
    return body.ids.map(({ avatar }: { avatar: string }) => avatar);
  };
  const addedLinks = () => query<{ link: number }>('select link_id::int as link from proof_search order by 1');

  it('gets a binding soon after its commit, and searches find it at once', async () => {
    await linkWallet(running, alice, found);

    expect(await holders()).toEqual([alice.key.compressed]);
    await until(async () => (await addedLinks()).length === 1);
    expect(await holders()).toEqual([alice.key.compressed]);
  });

  it('follows a binding that is made again', async () => {
    await linkWallet(running, anAvatar('bob'), aWallet('another'));
    await linkWallet(running, alice, found);

    expect(await holders()).toEqual([alice.key.compressed]);
    await until(async () => (await addedLinks()).at(-1)?.link === 3);
    expect(await addedLinks()).toEqual([{ link: 2 }, { link: 3 }]);
    expect(await holders()).toEqual([alice.key.compressed]);
  });

  it('loses a binding with its revocation', async () => {
    await linkWallet(running, alice, found, { action: 'delete' });

    expect(await addedLinks()).toEqual([{ link: 2 }]);
    expect(await holders()).toEqual([]);
  });

  it('loses a binding that was revoked before it was added, whoever added it', async () => {
    await linkWallet(running, alice, found);
    const [row] = await query<{ id: number; link: number }>(
      'select id::int as id, link_id::int as link from proof where avatar = $1',
      [alice.key.compressed],
    );
    await until(async () => (await addedLinks()).at(-1)?.link === row!.link);
    // As if it were not there yet, and added by a server that read it before the revocation.
    await query('delete from proof_search where proof_id = $1', [row!.id]);
    await linkWallet(running, alice, found, { action: 'delete' });
    await query(`insert into proof_search values ($1, $2, $3, 'ethereum', $4)`, [
      row!.id,
      row!.link,
      alice.key.compressed,
      found.address,
    ]);

    await until(async () => (await differences()) === 0);
    expect(await query('select from proof_search_left')).toEqual([]);
    expect(await holders()).toEqual([]);
  });

  it('gets what a server of an older version writes', async () => {
    await query(WRITE_AS_BEFORE, ['older', 3]);

    await until(async () => (await differences()) === 0);
    const [{ avatar, part }] = (await query<{ avatar: string; part: string }>(
      'select avatar, substr(identity, 9, 12) as part from proof order by link_id desc limit 1',
    )) as [{ avatar: string; part: string }];
    expect(await holders(part)).toEqual([avatar]);
  });

  it('is filled anew where it was emptied, and leaves nothing unmerged', async () => {
    await query('truncate proof_search');

    await running.app.get(SearchUpkeep).catchUp();

    expect(await differences()).toBe(0);
    await query('create extension if not exists pgstattuple').catch(() => {});
    const unmerged = await query<{ pending_tuples: number }>(
      `select pending_tuples from pgstatginindex('${SEARCH_INDEX}')`,
    ).catch(() => [{ pending_tuples: 0 }]);
    expect(unmerged).toEqual([{ pending_tuples: 0 }]);
  });

  it('is told to an operator', async () => {
    const jobs = await adminOf(running).get('/jobs');

    expect(jobs.body.queues).toContainEqual({ queue: 'search', waiting: 0, running: 0, dead: 0 });
    expect((await running.get('/readyz')).body).not.toHaveProperty('search');
    const metrics = await metricsWithGauges(running);
    expect(metrics).toMatch(/^signet_search_waiting 0$/m);
    expect(metrics).toMatch(/^signet_search_lag_seconds 0$/m);
  });
});

describe('the table of searches of a database with thousands of bindings', () => {
  const BINDINGS = 8000;
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = await connectTo(database.url);
    await client.query(WRITE_AS_BEFORE, ['many', BINDINGS]);
    // What cannot be seen of one key's chains is of no importance here.
    await client.query(`update chain_link set recorded_at = now() - interval '1 hour'`);
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  const rowsOf = async () => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from proof_search');
    return rows[0]!.count;
  };
  const differences = async () => (await client.query<{ count: number }>(DIFFERENCES)).rows[0]!.count;

  it('tells how far it is behind, and whom searches find meanwhile', async () => {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.searchFill]);
    const running = await startApp({ databaseUrl: database.url, env: { LOG: 'off' } });
    try {
      const { rows } = await client.query<{ avatar: string; part: string }>(
        'select avatar, substr(identity, 9, 12) as part from proof where link_id in (1, $1) order by link_id',
        [BINDINGS],
      );
      const [oldest, newest] = rows as [{ avatar: string; part: string }, { avatar: string; part: string }];

      const { body } = await running.get('/readyz');
      expect(body.search.waiting).toBe(BINDINGS);
      expect(body.search.lag_seconds).toBeGreaterThanOrEqual(3600);
      const metrics = await metricsWithGauges(running);
      expect(metrics).toMatch(new RegExp(`^signet_search_waiting ${BINDINGS}$`, 'm'));
      expect((await running.get(`/v1/proof?identity=${newest.part}`)).body.ids[0].avatar).toBe(newest.avatar);
      expect((await running.get(`/v1/proof?identity=${oldest.part}`)).body.ids).toEqual([]);
      const exact = await running.get(`/v1/proof?platform=self&identity=${oldest.avatar}`);
      expect(exact.body.ids).toHaveLength(1);

      await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.searchFill]);
      await until(async () => (await differences()) === 0);
      expect((await running.get(`/v1/proof?identity=${oldest.part}`)).body.ids[0].avatar).toBe(oldest.avatar);
      expect((await running.get('/readyz')).body).not.toHaveProperty('search');
    } finally {
      await running.close();
    }
  });

  it('is the same after servers were killed while they filled it, two at a time', async () => {
    await client.query('truncate proof_search');
    for (let round = 0; round < KILLS; round += 1) {
      const before = await rowsOf();
      const servers = await Promise.all(
        [1, 2].map(() => startService({ ...databaseSettings(database.url), LOG: 'off' })),
      );
      await until(async () => (await rowsOf()) > before || before === BINDINGS);
      await Promise.all(servers.map((server) => server.kill9()));
    }
    const running = await startApp({ databaseUrl: database.url, env: { LOG: 'off' } });
    try {
      await until(async () => (await differences()) === 0);
    } finally {
      await running.close();
    }
  });

  it('is behind no longer than the index of 0.2.0, which is merged too while it is there', async () => {
    await client.query('create extension if not exists pgstattuple');
    const pieces = '(identity_pieces(link_id, platform, identity_folded) collate "C")';
    await client.query(`create index ${FORMER_SEARCH_INDEX} on proof using gin (${pieces})`);
    await client.query(WRITE_AS_BEFORE, ['more', 10]);
    const waiting = async (index: string) => {
      const { rows } = await client.query<{ pending_tuples: string }>(`select * from pgstatginindex('${index}')`);
      return Number(rows[0]!.pending_tuples);
    };
    expect(await waiting(FORMER_SEARCH_INDEX)).toBeGreaterThan(0);
    const running = await startApp({ databaseUrl: database.url, env: { LOG: 'off' } });
    try {
      await until(async () => (await waiting(FORMER_SEARCH_INDEX)) === 0 && (await waiting(SEARCH_INDEX)) === 0);
      await until(async () => (await differences()) === 0);
    } finally {
      await running.close();
    }
  });
});

describe('the upkeep of the table of searches', () => {
  it('says so when it begins to fail', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const outcomes = [new Error('full'), new Error('full'), null, new Error('away')];
    const answer = () =>
      Promise.resolve(outcomes[0]).then((error) => (error ? Promise.reject(error) : [{ hasWork: false }]));
    const upkeep = new SearchUpkeep(
      { query: answer } as never,
      {} as never,
      { streamGrew: new Subject<void>() } as never,
      { kind: 'postgres' } as never,
    );
    for (; outcomes.length > 0; outcomes.shift()) await upkeep.catchUp();

    const said = warn.mock.calls.map(([text]) => text as string);
    warn.mockRestore();
    expect(said).toEqual([expect.stringMatching(/: full$/), expect.stringMatching(/: away$/)]);
  });
});

describe('a binding that is revoked while it is added to the table of searches', () => {
  let database: TestDatabase;
  let operator: pg.Client;
  let running: RunningApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    operator = new pg.Client(database.url);
    await operator.connect();
    // Only this test adds anything.
    await operator.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.searchFill]);
    running = await startApp({ databaseUrl: database.url });
  });
  afterAll(async () => {
    await running?.close();
    await operator?.end();
    await database?.drop();
  });

  it('is found no more, before the table has lost it', async () => {
    expect((await linkWallet(running, alice, found)).status).toBe(201);
    await operator.query('begin');
    await operator.query(`
      insert into proof_search (proof_id, link_id, avatar, platform, identity_folded)
      select id, link_id, avatar, platform, identity_folded from proof`);
    expect((await linkWallet(running, alice, found, { action: 'delete' })).status).toBe(201);
    await operator.query('commit');
    expect((await operator.query('select from proof_search')).rowCount).toBe(1);

    const { status, body } = await running.get(`/v1/proof?identity=${PART}`);

    expect([status, body.ids, body.pagination?.total]).toEqual([200, [], 0]);
  });
});
