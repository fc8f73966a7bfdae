import { DataSource } from 'typeorm';
import { JobQueues } from '../../../src/jobs/job-queues.js';
import { LeasedRows } from '../../../src/jobs/leased-rows.js';
import { RecheckService } from '../../../src/rechecks/recheck.service.js';
import { type RunningApp, startApp } from '../../support/app.js';
import { anAvatar, aWallet } from '../../support/avatar.js';
import { linkWallet } from '../../support/scenario.js';
import { until } from '../../support/until.js';

/** As after hours in which the clock of the database was ahead, such as that of a machine that had slept. */
const AHEAD = `now() + interval '3 hours'`;
/** As after a start whose clock had lost its battery. */
const YEARS_AHEAD = `now() + interval '12 years'`;

describe('what was set before the clock of the database was put back', () => {
  let running: RunningApp;
  let source: DataSource;
  const alice = anAvatar('alice');
  beforeAll(async () => {
    running = await startApp({ env: { REVALIDATION: 'off', RATE_LIMIT: 'on', RATE_LIMIT_SUBMITS: '30' } });
    source = running.app.get(DataSource);
  });
  afterAll(() => running.close());

  it('is no lease of a server that works', async () => {
    const table = { queue: 'feed', table: 'followed_feed', dueAt: 'next_at', leaseMs: 60_000, mostMs: 300_000 };
    const rows = new LeasedRows(source, table);
    const add = (url: string, lease: string) =>
      source.query(`insert into followed_feed (kind, url, leased_until) values ('links', '${url}', ${lease})`);
    await add('https://before.example', AHEAD);
    await add('https://now.example', `now() + interval '1 minute'`);

    const claimed = await rows.claim(10);

    expect(claimed).toHaveLength(1);
    expect(await rows.depth()).toMatchObject({ ready: 0, running: 2 });
    await source.query('delete from followed_feed');
  });

  it('is no pause of a listener', async () => {
    await linkWallet(running, alice, aWallet('first'));
    const positionOf = async () =>
      ((await source.query('select min(position)::int as position from event_handler')) as { position: number }[])[0]!
        .position;
    await until(async () => (await positionOf()) === 1);
    await source.query(`update event_handler set failures = 1, retry_at = ${AHEAD}`);

    await linkWallet(running, alice, aWallet('second'));

    await until(async () => (await positionOf()) === 2);
  });

  it('is no window of a rate limit', async () => {
    const issued = { uuid: '396d94a2-39ad-45dd-8c17-1485757ec251', created_at: '1795225670' };
    const post = { ...issued, action: 'create', platform: 'github', identity: 'alice', proof_location: 'a'.repeat(20) };
    const body = { ...post, public_key: alice.key.compressed };
    const submit = async () => (await running.post('/v1/proof', body)).headers.get('RateLimit')!;
    await source.query('delete from rate_limit');
    await submit();
    await source.query(`update rate_limit set requests = 30, ends_at = ${AHEAD}`);

    expect(await submit()).toMatch(/"submits";r=29;/);
    const [{ over }] = await source.query(`select bool_and(ends_at < ${AHEAD}) as over from rate_limit`);
    expect(over).toBe(true);
  });

  it('is no next attempt of a webhook, but a deadline of key events, of which others were told', () => {
    const { tables } = running.app.get(JobQueues);
    const mostMs = (queue: string) => tables.find((table) => table.queue === queue)!.mostMs;

    expect(mostMs('webhook')).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(mostMs('key')).toBeNull();
  });

  it('is no time for the next recheck', async () => {
    const [rare, usual] = [aWallet('rare'), aWallet('usual')];
    for (const wallet of [rare, usual]) await linkWallet(running, alice, wallet);
    const set = (identity: string, time: string) =>
      source.query(`update proof set platform = 'github', next_check_at = ${time} where identity = '${identity}'`);
    await set(rare.address, YEARS_AHEAD);
    await set(usual.address, `now() + interval '3 days 2 hours'`);

    await running.app.get(RecheckService).pullBack();

    const due: { identity: string }[] = await source.query('select identity from proof where next_check_at <= now()');
    expect(due).toEqual([{ identity: rare.address }]);
  });
});
