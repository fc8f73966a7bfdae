import pg from 'pg';
import { ADVISORY_LOCKS, KV_CHAIN_LOCKS } from '../../src/database/advisory-locks.js';
import { kvPayload, submitKv, type WriteOptions } from '../kv/kv-scenario.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { problemsOfFeed, readFeed } from '../support/chain-checks.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { waitersFor } from '../support/locks.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { until } from '../support/until.js';

let database: TestDatabase;
let running: RunningApp;
let operator: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  running = await startApp({ databaseUrl: database.url, env: { MAX_BINDINGS_PER_AVATAR: '2' } });
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
});
afterEach(async () => {
  await operator.end();
  await running.close();
  await database.drop();
});

interface SignedPatch {
  send(): Promise<Answer>;
}

interface LinkOptions {
  action?: 'create' | 'delete';
  avatar?: string;
}

/** The body of step 2 for a wallet of somebody of the same name. */
async function signed(name: string, { action = 'create', avatar: owner = name }: LinkOptions = {}): Promise<object> {
  const [avatar, wallet] = [anAvatar(owner), aWallet(name)];
  const { body } = await walletPayload(running, avatar, wallet, { action });
  return signedSubmit(body, avatar, wallet, { action });
}

/** Sends all of them while a first one holds up the next batch, so that they go together. */
async function submitTogether(submits: object[]): Promise<Answer[]> {
  const first = await signed('first of all');
  await operator.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.append]);
  const sent = running.post('/v1/proof', first);
  await until(async () => (await waitersFor(operator, ADVISORY_LOCKS.append)) === 1);
  const answers = submits.map((submit) => running.post('/v1/proof', submit));
  // Requests are answered in the order in which they come: once these are, all submits were read and wait.
  await until(async () => (await running.get('/livez')).status === 200);
  await operator.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.append]);
  expect((await sent).status).toBe(201);
  return Promise.all(answers);
}

const codesOf = (answers: Answer[]) => answers.map(({ status, body }) => (status === 201 ? 201 : body.code));

/** Transactions that wrote the links. */
async function transactionsOfLinks(): Promise<number> {
  const { rows } = await operator.query<{ count: number }>(
    'select count(distinct xmin::text)::int as count from chain_link',
  );
  return rows[0]!.count;
}

describe('submits that are ready at the same moment', () => {
  it('share a transaction, and each has its link, its binding, its check and its event', async () => {
    const submits = await Promise.all(Array.from({ length: 40 }, (_, number) => signed(`together ${number}`)));

    const answers = await submitTogether(submits);

    expect(new Set(codesOf(answers))).toEqual(new Set([201]));
    // On a busy machine some come after the batch has gone.
    expect(await transactionsOfLinks()).toBeLessThan(10);
    expect(problemsOfFeed(await readFeed(running))).toEqual([]);
    const { rows } = await operator.query(`
      select (select count(*)::int from proof where link_id in (select id from chain_link)) as proofs,
        (select count(*)::int from proof_check where outcome = 'valid') as checks,
        (select count(distinct payload ->> 'link_id')::int from domain_event where name = 'proof.bound') as events`);
    expect(rows).toEqual([{ proofs: 41, checks: 41, events: 41 }]);
  });

  it('get an answer of their own each, and none fails another', async () => {
    await linkWallet(running, anAvatar('holder'), aWallet('holder'));
    await linkWallet(running, anAvatar('rich'), aWallet('rich'));
    await linkWallet(running, anAvatar('rich'), aWallet('rich too'));
    const twice = await signed('twice');

    const answers = await submitTogether([
      await signed('alone'),
      twice,
      twice,
      await signed('rival', { avatar: 'contested' }),
      await signed('other rival', { avatar: 'contested' }),
      await signed('rich three', { avatar: 'rich' }),
      await signed('nobody', { action: 'delete' }),
      await signed('holder', { action: 'delete' }),
      await signed('last'),
    ]);

    const [alone, ...others] = codesOf(answers);
    const [twins, rivals, rest] = [others.slice(0, 2), others.slice(2, 4), others.slice(4)];
    expect(alone).toBe(201);
    // Which of two arrives first is the business of the network.
    expect(new Set(twins)).toEqual(new Set([201, 'already_recorded']));
    expect(new Set(rivals)).toEqual(new Set([201, 'stale_chain']));
    expect(rest).toEqual(['too_many_bindings', 'binding_not_found', 201, 201]);
    const { rows } = await operator.query('select 1 from proof where avatar = $1', [anAvatar('holder').key.compressed]);
    expect(rows).toEqual([]);
  });

  it('are recorded without the one whose row the database refuses', async () => {
    await operator.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'not this one' using errcode = 'check_violation'; end $$;
      create trigger refuse before insert on chain_link for each row
        when (new.identity = '${aWallet('unlucky').address.toLowerCase()}') execute function refuse();`);

    const answers = await submitTogether([await signed('one'), await signed('unlucky'), await signed('two')]);

    expect(answers.map(({ status }) => status)).toEqual([201, 500, 201]);
    expect(problemsOfFeed(await readFeed(running))).toEqual([]);
  });
});

describe('patches that are ready at the same moment', () => {
  /** The body of step 2 under the key of `name`, or under another identity. */
  async function patchOf(name: string, patch: object, options: WriteOptions = {}): Promise<SignedPatch> {
    const avatar = anAvatar(name);
    const { status, body } = await kvPayload(running, avatar, patch, options);
    expect(status).toBe(200);
    return { send: () => submitKv(running, avatar, body, patch, options) };
  }

  /** As `submitTogether`: a first one waits for the lock of its chain, and the others behind it. */
  async function sendTogether(patches: SignedPatch[]): Promise<Answer[]> {
    const first = await patchOf('first of all', { first: true });
    const chain = anAvatar('first of all').key.compressed;
    await operator.query('select pg_advisory_lock($1, hashtext($2))', [KV_CHAIN_LOCKS, chain]);
    const sent = first.send();
    await until(async () => (await waitersForChain(chain)) === 1);
    const answers = patches.map(({ send }) => send());
    await until(async () => (await running.get('/livez')).status === 200);
    await operator.query('select pg_advisory_unlock($1, hashtext($2))', [KV_CHAIN_LOCKS, chain]);
    expect((await sent).status).toBe(201);
    return Promise.all(answers);
  }

  async function waitersForChain(avatar: string): Promise<number> {
    const { rows } = await operator.query<{ count: number }>(
      `select count(*)::int as count from pg_locks
       where locktype = 'advisory' and objsubid = 2 and classid = $1 and objid = hashtext($2)::bigint & 4294967295
         and not granted and database = (select oid from pg_database where datname = current_database())`,
      [KV_CHAIN_LOCKS, avatar],
    );
    return rows[0]!.count;
  }

  const kvCodesOf = (answers: Answer[]) =>
    answers.map(({ status, body }) => (status === 201 ? body.proofs : body.code));

  it('share a transaction, and each has its entry, its event, its place in the feed, and the answer of its Avatar', async () => {
    const names = Array.from({ length: 40 }, (_, number) => `together ${number}`);
    const patches = await Promise.all(names.map((name) => patchOf(name, { name })));

    const answers = await sendTogether(patches);

    // Acknowledged is in the feed, and without a gap.
    const feed = await running.get('/v1/kv/changes?last_id=0&count=100');
    expect(feed.body.patches.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 41 }, (_, n) => n + 1));
    for (const [index, { status, body }] of answers.entries()) {
      expect(status).toBe(201);
      const read = await running.get(`/v1/kv?avatar=${anAvatar(names[index]!).key.compressed}`);
      expect({ ...body, receipt: undefined }).toEqual(read.body);
      expect(body.proofs).toEqual([expect.objectContaining({ content: { name: names[index] } })]);
    }
    const { rows } = await operator.query(`
      select count(distinct xmin::text) < 20 as shared, count(*)::int as patches,
        (select count(*)::int from kv_entry) as entries,
        (select count(distinct payload ->> 'patch_id')::int from domain_event
         where name = 'kv.patched' and payload ->> 'patch_id' in (select id::text from kv_patch)) as events
      from kv_patch`);
    expect(rows).toEqual([{ shared: true, patches: 41, entries: 41, events: 41 }]);
  });

  it('get no number in the feed before those before them in the chain have one', async () => {
    // The log, under whose lock such patches are numbered, is busy.
    await operator.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.log]);
    const older = anAvatar('of 0.1.0').key.compressed;
    await operator.query(
      `insert into kv_patch (avatar, position_in_chain, platform, identity, patch, created_at, uuid, signature, signature_payload)
       values ($1, 1, 'self', 'x', '{}', now(), gen_random_uuid(), 'signed by a server of 0.1.0', '')`,
      [older],
    );
    const feedIds = async () => {
      const { rows } = await operator.query<{ feed_id: string | null }>('select feed_id from kv_patch order by id');
      return rows.map(({ feed_id }) => feed_id);
    };

    for (const name of ['of 0.1.0', 'another']) {
      expect((await (await patchOf(name, { a: 1 })).send()).status).toBe(201);
    }

    expect(await feedIds()).toEqual([null, null, '1']);
    await operator.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.log]);
    await until(async () => !(await feedIds()).includes(null));
    expect(await feedIds()).toEqual(['2', '3', '1']);
  });

  it('get an answer of their own each, and of two of one Avatar the first one is in', async () => {
    const twice = await patchOf('twice', { a: 1 });
    const rivals = [await patchOf('contested', { winner: 1 }), await patchOf('contested', { winner: 2 })];
    const holder = aWallet('of the holder').address.toLowerCase();
    await linkWallet(running, anAvatar('holder'), aWallet('of the holder'));
    const elsewhere = { platform: 'ethereum', identity: holder };

    const answers = await sendTogether([
      await patchOf('alone', { b: 2 }),
      twice,
      twice,
      ...rivals,
      await patchOf('holder', { c: 3 }, elsewhere),
    ]);

    const own = (name: string, content: object) => [
      { platform: 'self', identity: anAvatar(name).key.uncompressed, content, is_bound: true },
    ];
    expect(kvCodesOf(answers)).toEqual([
      own('alone', { b: 2 }),
      own('twice', { a: 1 }),
      'already_recorded',
      own('contested', { winner: 1 }),
      'stale_chain',
      [{ ...elsewhere, content: { c: 3 }, is_bound: true }],
    ]);
  });

  it('are refused for what they would make of their own content alone', async () => {
    const tooMuch = await patchOf('too much', { text: 'x'.repeat(3_000) });
    await operator.query(
      `insert into kv_entry (avatar, platform, identity, content) values ($1, 'github', 'rich', $2)`,
      [anAvatar('too much').key.compressed, JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024 - 2_000) })],
    );

    const answers = await sendTogether([await patchOf('one', { a: 1 }), tooMuch, await patchOf('two', { b: 2 })]);

    expect(answers.map(({ status, body }) => (status === 201 ? 201 : body.code))).toEqual([
      201,
      'avatar_content_too_large',
      201,
    ]);
  });

  it('are recorded without the one whose row the database refuses', async () => {
    await operator.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'not this one' using errcode = 'check_violation'; end $$;
      create trigger refuse before insert on kv_patch for each row
        when (new.avatar = '${anAvatar('unlucky').key.compressed}') execute function refuse();`);

    const answers = await sendTogether([
      await patchOf('one', { a: 1 }),
      await patchOf('unlucky', { b: 2 }),
      await patchOf('two', { c: 3 }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([201, 500, 201]);
  });

  it('do not wait for an Avatar whose chain another server has locked', async () => {
    const stuck = await patchOf('stuck', { a: 1 });
    const chain = anAvatar('stuck').key.compressed;
    await operator.query('select pg_advisory_lock($1, hashtext($2))', [KV_CHAIN_LOCKS, chain]);
    const waiting = stuck.send();
    await until(async () => (await waitersForChain(chain)) === 1);

    const others = [await patchOf('free', { b: 2 }), await patchOf('free too', { c: 3 })];
    const answers = await Promise.all(others.map(({ send }) => send()));
    const isFirstSettled = await Promise.race([waiting, Promise.resolve(null)]);
    await operator.query('select pg_advisory_unlock($1, hashtext($2))', [KV_CHAIN_LOCKS, chain]);

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(isFirstSettled).toBeNull();
    expect((await waiting).status).toBe(201);
  });
});
