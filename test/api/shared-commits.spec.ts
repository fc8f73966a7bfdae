import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
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
}, 60_000);
afterEach(async () => {
  await operator.end();
  await running.close();
  await database.drop();
});

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
