import { createServer } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { Replicas } from '../../src/database/replicas.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar, type TestAvatar } from '../support/avatar.js';
import { readChain, readFeed } from '../support/chain-checks.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectRefusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';

/** Columns that can be written; `previous_position` is computed. */
const COLUMNS = `id, avatar, position_in_chain, action, platform, identity, proof_location, created_at, recorded_at, uuid, signature,
  signature_payload, extra, archive_id`;

/**
 * A copy that we fill by hand: it is behind exactly as far as a test wants. What it answers is marked, so that tests
 * see who answered.
 */
class HandMadeReplica {
  private constructor(
    readonly database: TestDatabase,
    readonly client: pg.Client,
    private readonly primary: pg.Client,
  ) {}

  static async of(primaryUrl: string): Promise<HandMadeReplica> {
    const database = await createTestDatabase();
    const [client, primary] = [database.url, primaryUrl].map((url) => new pg.Client({ connectionString: url }));
    await client!.connect();
    await primary!.connect();
    return new HandMadeReplica(database, client!, primary!);
  }

  /** Copies links up to `lastId`; `archive_id` says that it is the copy. */
  async catchUp(lastId: number): Promise<void> {
    const { rows } = await this.primary.query(`select ${COLUMNS} from chain_link where id <= $1 order by id`, [lastId]);
    for (const row of rows) {
      await this.client.query(
        `insert into chain_link (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing`,
        Object.values({ ...row, archive_id: 'replica' }),
      );
    }
  }

  /** Copies the bindings of `avatar`, as invalid, so that the copy can be told. */
  async copyBindings(avatar: TestAvatar): Promise<void> {
    const { rows } = await this.primary.query('select * from proof where avatar = $1', [avatar.key.compressed]);
    for (const row of rows) {
      await this.client.query(
        `insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid, invalid_reason)
         values ($1, $2, $3, $4, $5, $6, $7, false, 'replica')`,
        [row.avatar, row.platform, row.identity, row.identity_folded, row.link_id, row.created_at, row.last_checked_at],
      );
    }
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.primary.end();
    await this.database.drop();
  }
}

const alice = anAvatar('alice');
let primary: TestDatabase;
let replica: HandMadeReplica;
let running: RunningApp;

const start = async (urls: string[], env: Record<string, string> = {}) => {
  running = await startApp({ databaseUrl: primary.url, env: { DATABASE_REPLICA_URLS: urls.join(', '), ...env } });
  await running.app.get(Replicas).look();
};
const bind = async (count: number) => {
  for (let number = 0; number < count; number += 1)
    expect((await linkWallet(running, alice, aWallet(`wallet ${number}`))).status).toBe(201);
};
const archiveIds = async (path: string): Promise<string[]> => {
  const { body } = await running.get(path);
  return (body.links ?? body.proof_chain).map(({ archive_id: id }: { archive_id: string }) => id);
};
const all = (count: number, value: string) => Array<string>(count).fill(value);

const open = async () => {
  primary = await createTestDatabase();
  replica = await HandMadeReplica.of(primary.url);
};
const close = async () => {
  await running?.close();
  await replica.close();
  await primary.drop();
};

describe('a replica that is behind', () => {
  beforeAll(async () => {
    await open();
    await start([replica.database.url], { DATABASE_REPLICA_MAX_LAG_SECONDS: '3600' });
    await bind(45);
  });
  beforeEach(async () => {
    await replica.client.query('truncate chain_link cascade');
    await running.app.get(Replicas).look();
  });
  afterAll(close);

  it('answers full pages of the feed, and the primary answers the tip', async () => {
    await replica.catchUp(42);

    expect(await archiveIds('/v1/proofchain/changes?last_id=0&count=20')).toEqual(all(20, 'replica'));
    expect(await archiveIds('/v1/proofchain/changes?last_id=22&count=20')).toEqual(all(20, 'replica'));
    expect(await archiveIds('/v1/proofchain/changes?last_id=23&count=20')).toEqual(all(20, ''));
    expect(await archiveIds('/v1/proofchain/changes?last_id=40&count=20')).toEqual(all(5, ''));
    expect(await archiveIds('/v1/proofchain/changes?last_id=45&count=20')).toEqual([]);
  });

  it('never makes a reader of the feed skip a link, wherever it stands', async () => {
    await replica.catchUp(33);

    for (const lastId of [0, 12, 13, 14, 32, 33, 34]) {
      const ids = (await readFeed(running, lastId)).map(({ id }) => id);
      expect(ids).toEqual(Array.from({ length: 45 - lastId }, (_, index) => lastId + index + 1));
    }
  });

  it('that lost a link in the middle is not believed', async () => {
    await replica.catchUp(45);
    await replica.client.query('set session_replication_role = replica');
    await replica.client.query('delete from chain_link where id = 7');
    await replica.client.query('set session_replication_role = origin');

    const { body } = await running.get('/v1/proofchain/changes?last_id=0&count=20');

    expect(body.links.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('answers full pages of a chain below its head, with the length that the primary knows', async () => {
    await replica.catchUp(41);
    const page = (number: number) => `/v1/proofchain?public_key=${alice.key.compressed}&page=${number}`;

    expect(await archiveIds(page(1))).toEqual(all(20, 'replica'));
    expect(await archiveIds(page(2))).toEqual(all(20, 'replica'));
    expect(await archiveIds(page(3))).toEqual(all(5, ''));
    expect((await running.get(page(1))).body.pagination).toEqual({ total: 45, per: 20, current: 1, next: 2 });
    expect(await readChain(running, alice.key.compressed)).toHaveLength(45);
  });

  it('does not answer a page of a chain that it has in part', async () => {
    await replica.catchUp(39);

    expect(await archiveIds(`/v1/proofchain?public_key=${alice.key.compressed}&page=2`)).toEqual(all(20, ''));
  });

  it('is asked for ambiguous searches, and for nothing exact', async () => {
    await replica.catchUp(45);
    await replica.copyBindings(alice);
    const { address } = aWallet('wallet 3');
    const reasonOf = async (path: string) => {
      const { body } = await running.get(path);
      const proofs = body.ids?.[0]?.proofs ?? [body];
      return proofs[0].invalid_reason;
    };

    expect(await reasonOf(`/v1/proof?identity=${address.slice(2, 20)}`)).toBe('replica');
    expect(await reasonOf(`/v1/proof?identity=${address}&exact=true`)).toBe('');
    expect(await reasonOf(`/v1/proof?platform=self&identity=${alice.key.compressed}`)).toBe('');
    expect(
      await reasonOf(`/v1/proof/exists?platform=ethereum&identity=${address}&public_key=${alice.key.compressed}`),
    ).toBe('');
  });
});

describe('a replica that cannot be used', () => {
  beforeEach(open);
  afterEach(close);

  const feed = () => archiveIds('/v1/proofchain/changes?last_id=0&count=10');

  it('because nobody is there keeps nothing from working', async () => {
    await start(['postgres://127.0.0.1:1/nowhere']);
    await bind(12);

    expect(await feed()).toEqual(all(10, ''));
  });

  it('because it says nothing does not hold up the start', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    running = await startApp({
      databaseUrl: primary.url,
      env: { DATABASE_REPLICA_URLS: `postgres://127.0.0.1:${port}/x`, DATABASE_CONNECT_TIMEOUT_MS: '1000' },
    });

    expect((await running.get('/v1/proofchain/changes?last_id=0')).status).toBe(200);
    silent.close();
  });

  it('because it has no tables is left alone', async () => {
    const empty = await createEmptyDatabase();
    await start([empty.url]);
    await bind(12);

    expect(await feed()).toEqual(all(10, ''));
    await running.close();
    await empty.drop();
    running = { ...running, close: async () => {} };
  });

  it('because it goes away is replaced by the primary in the same request, and by another replica', async () => {
    await start([replica.database.url]);
    await bind(12);
    await replica.catchUp(12);
    expect(await feed()).toEqual(all(10, 'replica'));

    await replica.client.query('alter table chain_link rename to gone');
    expect(await feed()).toEqual(all(10, ''));
    await replica.client.query('alter table gone rename to chain_link');
    expect(await feed()).toEqual(all(10, ''));
    await running.app.get(Replicas).look();
    expect(await feed()).toEqual(all(10, 'replica'));
  });

  it('because it is too far behind is not asked until it has caught up', async () => {
    await start([replica.database.url], { DATABASE_REPLICA_MAX_LAG_SECONDS: '1' });
    const replicas = running.app.get(Replicas);
    await bind(12);
    await replica.catchUp(11);
    expect(await feed()).toEqual(all(10, 'replica'));

    await until(async () => {
      await replicas.look();
      return isDeepStrictEqual(await feed(), all(10, ''));
    });
    await replica.catchUp(12);
    await replicas.look();
    expect(await feed()).toEqual(all(10, 'replica'));
  });

  it('because a search takes too long is not replaced by the primary, which would take as long', async () => {
    await start([replica.database.url], { DATABASE_STATEMENT_TIMEOUT_MS: '300', DATABASE_LOCK_TIMEOUT_MS: '0' });
    await replica.client.query('begin');
    await replica.client.query('lock table proof in access exclusive mode');

    const answer = await running.get('/v1/proof?identity=abc');
    await replica.client.query('rollback');

    expectRefusal(answer, { status: 503, code: 'database_slow', message: 'took too long' });
  });
});

describe('two replicas', () => {
  beforeEach(open);
  afterEach(close);

  it('take turns', async () => {
    const other = await HandMadeReplica.of(primary.url);
    await start([replica.database.url, other.database.url]);
    await bind(10);
    await replica.catchUp(10);
    await other.catchUp(10);
    await other.client.query(`update chain_link set archive_id = 'other'`);

    const answers = [];
    for (let turn = 0; turn < 4; turn += 1)
      answers.push((await archiveIds('/v1/proofchain/changes?last_id=0&count=10'))[0]);

    expect(answers.sort()).toEqual(['other', 'other', 'replica', 'replica']);
    await running.close();
    await other.close();
    running = { ...running, close: async () => {} };
  });
});
