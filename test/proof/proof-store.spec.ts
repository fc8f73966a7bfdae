import { DataSource } from 'typeorm';
import { SearchUpkeep } from '../../src/proof/look-up/search-upkeep.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

let running: RunningApp;

beforeAll(async () => {
  running = await startApp({ env: { REVALIDATION: 'off' } });
});
afterAll(() => running.close());

const query = (sql: string, values: unknown[] = []): Promise<object[]> =>
  running.app.get(DataSource).query(sql, values);

it('forgets with a new create all that the checks of the one before had found', async () => {
  const [alice, wallet] = [anAvatar('alice'), aWallet('gone')];
  await linkWallet(running, alice, wallet);
  await query(
    `update proof set is_valid = false, invalid_reason = 'gone', gone_since = now(), next_check_at = now(), checks_done = 3,
       check_failures = 2, account_id = 'another' where identity = $1`,
    [wallet.address],
  );

  expect((await linkWallet(running, alice, wallet)).status).toBe(201);

  const [binding] = await query(
    `select is_valid, invalid_reason, gone_since, next_check_at, checks_done, check_failures, account_id, link_id::int
     from proof where identity = $1`,
    [wallet.address],
  );
  expect(binding).toEqual({
    is_valid: true,
    invalid_reason: '',
    gone_since: null,
    next_check_at: null,
    checks_done: 0,
    check_failures: 0,
    account_id: null,
    link_id: 2,
  });
});

it.each([
  ['a percent sign', 'tom%cat'],
  ['an underscore', 'tom_cat'],
  ['an underscore and no trigram', 't_m'],
  ['a backslash', 'tom\\cat'],
])('finds by %s in an ambiguous lookup nothing but itself', async (_what, term) => {
  const [holder, other] = [anAvatar(`holder of ${term}`), anAvatar(`without ${term}`)];
  await linkWallet(running, holder, aWallet(`of ${term}`));
  await linkWallet(running, other, aWallet(`without ${term}`));
  // No round comes behind this one that copies what is renamed.
  await running.app.get(SearchUpkeep).catchUp();
  // Names that no platform has: what is asked here is what the database compares.
  const rename = async (name: string, avatar: string) => {
    for (const table of ['proof', 'proof_search']) {
      await query(`update ${table} set identity_folded = $1 where avatar = $2`, [name, avatar]);
    }
  };
  await rename(`x${term}x`, holder.key.compressed);
  await rename(`x${term.replace(/[%_\\]/, '-')}x`, other.key.compressed);

  const { body } = await running.get(`/v1/proof?${new URLSearchParams({ identity: term })}`);

  expect(body.ids.map(({ avatar }: { avatar: string }) => avatar)).toEqual([holder.key.compressed]);
});
