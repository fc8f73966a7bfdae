import { DataSource } from 'typeorm';
import { oldestHoldersOf } from '../../src/proof/valid-proof.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { announce } from '../webhooks/receiver.js';
import { type PushService, startPushService, type SubscribedBrowser } from './push-service.js';

let service: PushService;
let app: RunningApp;
let count = 0;

beforeAll(async () => {
  service = await startPushService();
  app = await startApp({ env: { PUBLIC_URL: 'https://id.alice.dev', LOG: 'off' }, transport: service.transport });
});
afterAll(async () => {
  await app?.close();
  await service?.close();
});

const owner = (): TestAvatar => anAvatar(`told ${(count += 1)}`);
const query = <Row>(sql: string) => app.app.get(DataSource).query<Row[]>(sql);
const subscribe = async ({ key }: TestAvatar, { endpoint, keys }: SubscribedBrowser): Promise<void> => {
  const { status } = await app.post('/v1/push/subscriptions', { avatar: key.compressed, endpoint, keys });
  expect(status).toBe(201);
};
/** What a browser was told behind the first message. */
const news = (browser: SubscribedBrowser) => browser.told().slice(1);
/** Until the listener has heard of all that happened, and nothing waits. */
const allTold = () =>
  until(async () => {
    const [row] = await query<{ left: number }>(`
      select (select count(*) from push_delivery where status = 'pending')::int
        + (select count(*) from domain_event where position is null
          or position > coalesce((select position from event_handler where name = 'push'), 0))::int as left`);
    return row!.left === 0;
  });

describe('a browser that is subscribed', () => {
  it('is told of both keys that it follows, where one binds an account of the other', async () => {
    const [alice, bob, browser] = [owner(), owner(), service.browser()];
    const wallet = aWallet(`of two keys ${count}`);
    await linkWallet(app, alice, wallet);
    await subscribe(alice, browser);
    await subscribe(bob, browser);

    await linkWallet(app, bob, wallet);
    await allTold();

    const told = browser.told().slice(2);
    expect(told.map(({ body }) => body).sort()).toEqual([
      `${wallet.address} (ethereum) was connected to this key.`,
      `Another key was connected to ${wallet.address} (ethereum), which this key holds too.`,
    ]);
    expect(new Set(told.map(({ tag }) => tag)).size).toBe(2);
  });

  it('is told by the order of links what other keys have bound, however late that is announced', async () => {
    const [alice, bob, browser, other] = [owner(), owner(), service.browser(), service.browser()];
    const wallet = aWallet(`told late ${count}`);
    await subscribe(alice, browser);
    await subscribe(bob, other);
    await allTold();
    await query(`update event_handler set retry_at = now() + interval '100 seconds' where name = 'push'`);

    await linkWallet(app, alice, wallet);
    await linkWallet(app, bob, wallet);
    // From now on her binding rests on a link that is newer than his.
    await linkWallet(app, alice, wallet);
    await query(`update event_handler set retry_at = null where name = 'push'`);
    await allTold();

    const own = `${wallet.address} (ethereum) was connected to this key.`;
    const elsewhere = `Another key was connected to ${wallet.address} (ethereum), which this key holds too.`;
    // Of the other key's one link, and of the newer one of two.
    expect(news(browser).map(({ body }) => body)).toEqual(expect.arrayContaining([own, own, elsewhere]));
    expect(news(browser)).toHaveLength(3);
    expect(news(other).map(({ body }) => body)).toEqual(expect.arrayContaining([own, elsewhere]));
    expect(news(other)).toHaveLength(2);
  });

  it('is told names in which nothing is hidden', async () => {
    const [alice, browser] = [owner(), service.browser()];
    await subscribe(alice, browser);
    const avatar = alice.key.compressed;

    await announce(app, { avatar, identity: 'ali\u202ece' }, 'proof.restored');
    await announce(app, { avatar, identity: 'שלום' }, 'proof.restored');
    await announce(app, { avatar, identity: '\u202e'.repeat(256) }, 'proof.restored');
    await allTold();

    const names = news(browser).map(
      ({ body }) => /^The connection to (.*) \(github\) is valid again\.$/.exec(body)![1],
    );
    expect(names.slice(0, 2)).toEqual(['ali⟨U+202E⟩ce', '\u2068שלום\u2069']);
    expect(names[2]).toHaveLength(100);
  });
});

describe('those who are told that an account was bound elsewhere', () => {
  it('are looked for among a thousand, however many hold it and have bound it later', async () => {
    const [holders, link] = [3_000, 1_000_000];
    await query(`
      with holder as (select '0x02' || lpad(to_hex(n), 64, '0') as avatar, ${link} + n as id from generate_series(1, ${holders}) n),
      links as (
        insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
        select id, avatar, 1, 'create', 'github', 'crowd', now(), gen_random_uuid(), 's', 't' from holder
      )
      insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
      select avatar, 'github', 'crowd', 'crowd', id, now(), now(), true from holder`);
    await query('analyze proof, chain_link');
    const select = oldestHoldersOf("'github'", "'crowd'", String(link + 2));

    const found = await query<{ avatar: string }>(select);
    const [plan] = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, format json) ${select}`);

    expect(found).toEqual([{ avatar: `0x02${'1'.padStart(64, '0')}` }]);
    expect(rowsOf(plan!['QUERY PLAN'][0].Plan, 'proof')).toBe(1000);
    expect(rowsOf(plan!['QUERY PLAN'][0].Plan, 'chain_link')).toBeLessThanOrEqual(1000);
  });
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** How many rows of a table a plan has read and taken. */
function rowsOf(plan: Plan, table: string): number {
  const own = plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, one) => sum + rowsOf(one, table), own);
}
