import { DataSource } from 'typeorm';
import { PUSH_SUBSCRIPTIONS } from '../../src/bounds/bounds.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { expectRefusal } from '../support/refusals.js';
import { refusedBy } from '../support/refused.js';
import { until } from '../support/until.js';
import { announce } from '../webhooks/receiver.js';
import { PUSH_HOST, type PushService, startPushService, type SubscribedBrowser } from './push-service.js';

const GOOGLE = 'fcm.googleapis.com';
const PUBLIC_URL = 'https://id.alice.dev';

let service: PushService;
let app: RunningApp;
let count = 0;

beforeAll(async () => {
  service = await startPushService([PUSH_HOST, GOOGLE]);
  app = await startApp({ env: { PUBLIC_URL, LOG: 'off' }, transport: service.transport });
});
beforeEach(() => {
  service.answer();
  service.requests.length = 0;
});
afterEach(() => query('delete from push_subscription'));
afterAll(async () => {
  await app?.close();
  await service?.close();
});

const query = <Found>(sql: string, ...values: unknown[]) => app.app.get(DataSource).query<Found[]>(sql, values);
const newAvatar = () => anAvatar(`limited ${(count += 1)}`).key.compressed;
const subscribe = (
  avatar: string,
  { endpoint, keys }: SubscribedBrowser,
  running: RunningApp = app,
  headers = {},
): Promise<Answer> => running.post('/v1/push/subscriptions', { avatar, endpoint, keys }, headers);
/** Rows as subscriptions leave them; SQL expressions of `number`, which counts from 1. */
const fill = (
  rows: number,
  { avatar = `'${newAvatar()}'`, endpoint = "'https://push.alice.dev/' || number", domain = "'alice.dev'" },
) =>
  query(
    `insert into push_subscription (avatar, endpoint, domain, p256dh, auth, language)
     select ${avatar}, ${endpoint}, ${domain}, '', '', 'en' from generate_series(1, $1) as number`,
    rows,
  );
const anyAvatar = "'0x02' || lpad(to_hex(number), 64, '0')";

const expectFull = async (answer: Answer, of: string): Promise<void> => {
  expectRefusal(answer, { code: 'too_many_subscriptions', message: of });
  expect(service.requests).toEqual([]);
};

describe('subscriptions to pushes are bounded', () => {
  it('for an Avatar at one push service, and not at another one', async () => {
    const avatar = newAvatar();
    await fill(PUSH_SUBSCRIPTIONS.ofAvatar, { avatar: `'${avatar}'` });

    await expectFull(await subscribe(avatar, service.browser()), 'This Avatar has 100');
    expect((await subscribe(avatar, service.browser(GOOGLE))).status).toBe(201);
    expect((await refusedBy(app)).push_subscriptions).toBe(1);
  });

  it('for a browser', async () => {
    const browser = service.browser();
    await fill(PUSH_SUBSCRIPTIONS.ofEndpoint, { avatar: anyAvatar, endpoint: `'${browser.endpoint}'` });

    await expectFull(await subscribe(newAvatar(), browser), 'This browser has 50');
  });

  it('for a domain, unless it is of the maker of a browser', async () => {
    await fill(PUSH_SUBSCRIPTIONS.ofDomain, { avatar: anyAvatar });
    const endpoint = `'https://${GOOGLE}/' || number`;
    await fill(PUSH_SUBSCRIPTIONS.ofDomain, { avatar: anyAvatar, endpoint, domain: "'googleapis.com'" });

    await expectFull(await subscribe(newAvatar(), service.browser()), 'This push service has 1000');
    expect((await subscribe(newAvatar(), service.browser(GOOGLE))).status).toBe(201);
  });

  it('for the whole server', async () => {
    await fill(PUSH_SUBSCRIPTIONS.inAll, { avatar: anyAvatar, domain: "'domain' || number" });

    await expectFull(await subscribe(newAvatar(), service.browser(GOOGLE)), 'This server has 100000');
  });

  it('for one client in a minute, as submits that ask somebody are', async () => {
    const limited = await startApp({
      env: { PUBLIC_URL, LOG: 'off', RATE_LIMIT: 'on', RATE_LIMIT_SUBMITS: '2', TRUST_PROXY: '1' },
      transport: service.transport,
    });
    const statuses: number[] = [];
    for (const client of [1, 1, 1, 2]) {
      const from = { 'X-Forwarded-For': `192.0.2.${client}` };
      statuses.push((await subscribe(newAvatar(), service.browser(), limited, from)).status);
    }
    await limited.close();

    expect(statuses).toEqual([201, 201, 429, 201]);
  });
});

it('no more than fifty news wait for one browser; what comes then is left out until some arrived', async () => {
  const [avatar, browser] = [newAvatar(), service.browser()];
  await subscribe(avatar, browser);
  service.answer({ status: 503 });
  for (let event = 0; event < PUSH_SUBSCRIPTIONS.waiting + 5; event += 1)
    await announce(app, { avatar }, 'proof.restored');
  const heard = async () =>
    (
      await query(
        'select from domain_event where position > coalesce((select position from event_handler where name = $1), 0) or position is null',
        'push',
      )
    ).length === 0;
  await until(heard);

  expect(await query('select from push_delivery')).toHaveLength(PUSH_SUBSCRIPTIONS.waiting);
});

describe('where it is off', () => {
  it.each([
    ['the setting', { PUSH: 'off', PUBLIC_URL }, 'off'],
    ['an address without https', { PUBLIC_URL: 'http://id.alice.dev' }, 'no_https'],
    ['no address', {}, 'no_https'],
  ])('by %s, it says so, makes no key, and takes no subscription', async (_what, env: Record<string, string>, why) => {
    const off = await startApp({ env, transport: service.transport });
    const browser = service.browser();
    const answer = await subscribe(newAvatar(), browser, off);
    const keys = await off.app
      .get(DataSource)
      .query<object[]>("select from deployment_setting where name = 'push_key'");
    const { body } = await off.get('/v1/push');
    await off.close();

    expect(body).toEqual({ is_on: false, off_reason: why, public_key: '' });
    expectRefusal(answer, { code: 'push_off', message: 'sends no notifications' });
    expect(keys).toEqual([]);
    expect(service.requests.filter(({ path }) => browser.endpoint.endsWith(path))).toEqual([]);
  });
});
