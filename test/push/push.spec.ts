import { DataSource } from 'typeorm';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { expectRefusal } from '../support/refusals.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { say } from '../keys/key-scenario.js';
import { announce } from '../webhooks/receiver.js';
import { PUSH_HOST, type PushService, startPushService, type SubscribedBrowser } from './push-service.js';

const PUBLIC_URL = 'https://id.alice.dev';
/** Characters of three bytes each, which compress badly. */
const VARIED = Array.from({ length: 900 }, (_, place) => String.fromCharCode(0x4e00 + ((place * 7919) % 20_000))).join(
  '',
);

let service: PushService;
let app: RunningApp;
let count = 0;

beforeAll(async () => {
  service = await startPushService([PUSH_HOST, 'push.bob.dev']);
  app = await startApp({
    env: { PUBLIC_URL, LOG: 'off', OUTBOUND_CONTACT: 'ops@alice.dev' },
    transport: service.transport,
  });
});
beforeEach(() => {
  service.answer();
  service.requests.length = 0;
});
afterAll(async () => {
  await app?.close();
  await service?.close();
});

const owner = (): TestAvatar => anAvatar(`told ${(count += 1)}`);
const requestOf = ({ key }: TestAvatar, { endpoint, keys }: SubscribedBrowser, more: object = {}) => {
  return { avatar: key.compressed, endpoint, keys, ...more };
};
const subscribe = (avatar: TestAvatar, browser: SubscribedBrowser, more: object = {}): Promise<Answer> =>
  app.post('/v1/push/subscriptions', requestOf(avatar, browser, more));
const remove = (id: string) => fetch(`${app.baseUrl}/v1/push/subscriptions/${id}`, { method: 'DELETE' });
const query = <Row>(sql: string, ...values: unknown[]) => app.app.get(DataSource).query<Row[]>(sql, values);
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

describe('a browser that asks to be told of a key', () => {
  it('gets the key of the server, which stays', async () => {
    const { status, body } = await app.get('/v1/push');

    expect([status, body]).toEqual([
      200,
      { is_on: true, off_reason: '', public_key: expect.stringMatching(/^B[\w-]{86}$/) },
    ]);
    expect(await query('select length(value) as length from deployment_setting where name = $1', 'push_key')).toEqual([
      { length: 64 },
    ]);
  });

  it('is told so at once, in its language, and nothing else is kept of it', async () => {
    const [alice, browser] = [owner(), service.browser()];

    const answer = await subscribe(alice, browser, { language: 'de' });

    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(String),
        avatar: alice.key.compressed,
        language: 'de',
        created_at: expect.stringMatching(/^\d+$/),
      },
    ]);
    expect(browser.told()).toEqual([
      {
        title: `Schlüssel ${alice.key.compressed.slice(0, 8)}…${alice.key.compressed.slice(-4)}`,
        body: 'Hier erfahren Sie, wenn sich bei diesem Schlüssel etwas ändert.',
        tag: expect.any(String),
        lang: 'de',
        path: `/a/${alice.key.compressed}`,
        at: expect.any(Number),
      },
    ]);
    const [request] = service.requests;
    expect(request!.headers).toMatchObject({ ttl: '2419200', urgency: 'normal', 'content-encoding': 'aes128gcm' });
    expect(request!.headers['topic']).toMatch(/^[0-9a-f]{32}$/);
    expect(request!.body).not.toContain(alice.key.compressed);
    const [row] = await query<object>('select * from push_subscription where id = $1', answer.body.id);
    expect(Object.keys(row!).sort()).toEqual(
      ['auth', 'avatar', 'created_at', 'domain', 'endpoint', 'failing_since', 'id', 'language', 'p256dh'].sort(),
    );
  });

  it('keeps its row where it asks again, with new keys and another language, and is told nothing more', async () => {
    const [alice, browser] = [owner(), service.browser()];
    const first = await subscribe(alice, browser);
    const renewed = { ...browser, keys: service.browser().keys };

    const second = await subscribe(alice, renewed, { language: 'fr' });

    expect(second.body).toEqual({ ...first.body, language: 'fr' });
    expect(service.requests).toHaveLength(1);
    expect(await query('select p256dh, language from push_subscription where id = $1', first.body.id)).toEqual([
      { p256dh: renewed.keys.p256dh, language: 'fr' },
    ]);
  });

  it('may follow several keys, and see and end each by its id alone', async () => {
    const [alice, bob, browser] = [owner(), owner(), service.browser()];
    const [one, other] = [await subscribe(alice, browser), await subscribe(bob, browser)];

    expect(other.body.id).not.toBe(one.body.id);
    expect((await app.get(`/v1/push/subscriptions/${one.body.id}`)).body).toEqual(one.body);
    expect((await remove(one.body.id)).status).toBe(200);
    for (const id of [one.body.id, 'x', '00000000-0000-0000-0000-000000000000']) {
      expectRefusal(await app.get(`/v1/push/subscriptions/${id}`), {
        status: 404,
        code: 'subscription_not_found',
        message: '',
      });
      expect((await remove(id)).status).toBe(404);
    }
    expect((await app.get(`/v1/push/subscriptions/${other.body.id}`)).status).toBe(200);
  });

  it.each([
    ['an address by http', { endpoint: 'http://push.alice.dev/send/1' }],
    ['an address by number', { endpoint: 'https://127.0.0.1/send/1' }],
    ['an address with a port', { endpoint: 'https://push.alice.dev:8443/send/1' }],
    ['an address with a password', { endpoint: 'https://a:b@push.alice.dev/send/1' }],
    ['a name of this network', { endpoint: 'https://push.local/send/1' }],
    ['a very long address', { endpoint: `https://push.alice.dev/${'a'.repeat(1000)}` }],
    ['an address that percent-encoding makes long', { endpoint: `https://push.alice.dev/${VARIED}` }],
    ['no address', { endpoint: 'push' }],
    ['a key that is no point', { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'A'.repeat(22) } }],
    ['a short key', { keys: { p256dh: 'BAAA', auth: 'A'.repeat(22) } }],
    ['a short secret', { keys: { ...({} as object), auth: 'AAAA' } }],
  ])('is refused with %s, and nobody is asked', async (_what, changes: { endpoint?: string; keys?: object }) => {
    const browser = service.browser();
    const request = { ...requestOf(owner(), browser), ...changes, keys: { ...browser.keys, ...changes.keys } };

    const answer = await app.post('/v1/push/subscriptions', request);

    expectRefusal(answer, { code: 'invalid_push_subscription', message: 'This cannot be subscribed' });
    expect(answer.body.message).not.toContain('/send/');
    expect(service.requests).toEqual([]);
  });

  it('is refused with members that are none, or a key that is none', async () => {
    const browser = service.browser();
    const request = requestOf(owner(), browser);
    const codeOf = async (changes: object) => {
      const { status, body } = await app.post('/v1/push/subscriptions', { ...request, ...changes });
      return [status, body.code];
    };

    for (const changes of [{ avatar: 1 }, { endpoint: null }, { keys: 'x' }, { keys: {} }, { language: 'xx' }]) {
      expect([changes, await codeOf(changes)]).toEqual([changes, [400, 'invalid_request']]);
    }
    expect(await codeOf({ avatar: '0x02' })).toEqual([400, 'invalid_public_key']);
  });

  it.each([
    ['does not know the address', 404],
    ['does not like the request', 400],
    ['is a web page that takes anything', 200],
    ['leads elsewhere', 307],
  ])('is refused where its push service %s', async (_what, status) => {
    service.answer({ status, headers: { location: 'https://push.bob.dev/send/1' } });

    const browser = service.browser();
    const answer = await subscribe(owner(), browser);

    expectRefusal(answer, { code: 'push_refused', message: `answered ${status} to a first message` });
    expect(service.requests).toHaveLength(1);
    expect(await query('select from push_subscription where endpoint = $1', browser.endpoint)).toEqual([]);
  });

  it.each(['cut', 'private'] as const)('is refused where its push service cannot be asked: %s', async (why) => {
    if (why === 'cut') service.answer('cut');
    const browser = service.browser(why === 'private' ? 'nowhere.alice.dev' : 'push.bob.dev');

    expectRefusal(await subscribe(owner(), browser), { code: 'platform_unavailable', message: '' });
  });
});

describe('a browser that is subscribed', () => {
  it('is told once that an account was bound, and that it was revoked, and of nobody else', async () => {
    const [alice, bob, browser] = [owner(), owner(), service.browser()];
    await subscribe(alice, browser);
    const wallet = aWallet(`told ${count}`);

    await linkWallet(app, alice, wallet);
    // Messages on their way at the same time arrive in any order: RFC 8030 has none.
    await allTold();
    await linkWallet(app, bob, aWallet('of bob'));
    await linkWallet(app, alice, wallet, { action: 'delete' });
    await allTold();

    expect(news(browser).map(({ body, path }) => [body, path])).toEqual([
      [`${wallet.address} (ethereum) was connected to this key.`, `/a/${alice.key.compressed}`],
      [`The connection to ${wallet.address} (ethereum) was revoked.`, `/a/${alice.key.compressed}`],
    ]);
    expect(service.requests).toHaveLength(3);
    expect(await query('select from push_delivery')).toEqual([]);
  });

  it('is told that another key has bound one of its accounts, and where to see that', async () => {
    const [alice, mallory, browser, other] = [owner(), owner(), service.browser(), service.browser()];
    const wallet = aWallet(`shared ${count}`);
    await linkWallet(app, alice, wallet);
    await subscribe(alice, browser);
    await subscribe(mallory, other);

    await linkWallet(app, mallory, wallet);
    await allTold();

    expect(news(browser).map(({ body, path }) => [body, path])).toEqual([
      [
        `Another key was connected to ${wallet.address} (ethereum), which this key holds too.`,
        `/p/ethereum/${wallet.address}`,
      ],
    ]);
    expect(news(other).map(({ body }) => body)).toEqual([`${wallet.address} (ethereum) was connected to this key.`]);
  });

  it('is told when an account is gone and when it is back, of key events, and neither of content nor of the archive', async () => {
    const [alice, browser] = [owner(), service.browser()];
    await linkWallet(app, alice, aWallet(`of keys ${count}`));
    await subscribe(alice, browser);
    const avatar = alice.key.compressed;

    await announce(app, { avatar }, 'proof.invalidated');
    await allTold();
    await announce(app, { avatar }, 'proof.restored');
    await allTold();
    await announce(app, { avatar });
    await announce(app, { avatar }, 'link.archived');
    await say(app, alice, { action: 'key.freeze' });
    await allTold();

    expect(news(browser).map(({ body, path }) => [body, path])).toEqual([
      ['The connection to alice (github) is not valid any more.', `/a/${avatar}`],
      ['The connection to alice (github) is valid again.', `/a/${avatar}`],
      ['This key is frozen: nothing can be signed with it for now.', `/recovery/${avatar}`],
    ]);
  });

  it('is told nothing of before, and nothing once it was removed', async () => {
    const [alice, browser] = [owner(), service.browser()];
    await announce(app, { avatar: alice.key.compressed }, 'proof.restored');
    await allTold();
    const { body } = await subscribe(alice, browser);
    service.answer({ status: 500 });
    await announce(app, { avatar: alice.key.compressed }, 'proof.restored');
    await until(async () => (await query('select from push_delivery where attempts = 1')).length === 1);
    await remove(body.id);
    service.answer();

    await announce(app, { avatar: alice.key.compressed }, 'proof.restored');
    await allTold();

    expect(browser.told()).toHaveLength(1);
    expect(await query('select from push_delivery')).toEqual([]);
  });
});
