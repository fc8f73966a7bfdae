import { DataSource } from 'typeorm';
import { ADMIN_TOKEN, type AdminClient, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { expectRefusal } from '../support/refusals.js';
import { connectTo, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { announce, deliveriesOf, deliveryOnce, unheardEvents, verified } from '../webhooks/receiver.js';

const HOST = 'hooks.alice.dev';
const URL = `https://${HOST}/signet`;
const NO_ID = '7f7f9d5e-3f0a-4f0e-9d7d-3a0f6c1d2e4f';

let receiver: StandIn;
let app: RunningApp;
let admin: AdminClient;

beforeAll(async () => {
  receiver = await startStandIn(() => ({ status: 204 }), { tls: true });
  app = await startApp({ env: { ADMIN_TOKEN }, transport: await connectTo(receiver, [HOST]) });
  admin = adminOf(app);
});

beforeEach(() => {
  receiver.handle(() => ({ status: 204 }));
  receiver.requests.length = 0;
});

afterEach(async () => {
  // A message that is under way would reach the receiver during the next test.
  const open = "select 1 from webhook_delivery where status = 'pending' and attempts = 0";
  await until(async () => (await unheardEvents(app)) === 0 && (await app.app.get(DataSource).query(open)).length === 0);
  const { body } = await admin.get('/subscriptions');
  for (const { id } of body.subscriptions) await admin.delete(`/subscriptions/${id}`);
});

afterAll(async () => {
  await app?.close();
  await receiver?.close();
});

describe('a subscription', () => {
  it('is made with a secret that is shown this once', async () => {
    const made = await admin.post('/subscriptions', { url: URL });

    expect(made.status).toBe(201);
    const { secret, ...rest } = made.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rest).toEqual({
      id: expect.any(String),
      url: URL,
      types: [],
      platform: '',
      avatar: '',
      format: 'standard',
      enabled: true,
      disabled_reason: '',
      configured: false,
      previous_secret_until: '',
      created_at: expect.stringMatching(/^\d{10}$/),
    });
    expect((await admin.get(`/subscriptions/${rest.id}`)).body).toEqual(rest);
    const listed = await admin.get('/subscriptions');
    expect(listed.body).toEqual({
      pagination: { total: 1, per: 20, current: 1, next: 0 },
      subscriptions: [rest],
    });
  });

  it('can be narrowed to types, a platform and an Avatar, and widened again', async () => {
    const { compressed, uncompressed } = anAvatar().key;
    const narrow = { types: ['proof.bound', 'kv.patched', 'kv.patched'], platform: 'github', avatar: uncompressed };

    const made = await admin.post('/subscriptions', { url: URL, ...narrow });
    expect(made.body).toMatchObject({
      types: ['proof.bound', 'kv.patched'],
      platform: 'github',
      avatar: compressed,
    });

    const path = `/subscriptions/${made.body.id}`;
    expect((await admin.patch(path, { platform: 'self' })).body).toMatchObject({
      types: ['proof.bound', 'kv.patched'],
      platform: 'self',
      avatar: compressed,
    });
    expect((await admin.patch(path, { types: [], platform: '', avatar: '' })).body).toMatchObject({
      types: [],
      platform: '',
      avatar: '',
    });
    expect((await admin.patch(path, { url: `${URL}/v2` })).body.url).toBe(`${URL}/v2`);
  });

  it.each([
    ['no URL', {}, 'invalid_request', 'url is missing'],
    ['a text that is not a URL', { url: 'hooks' }, 'invalid_webhook_url', 'https URL with a public host'],
    ['plain http', { url: 'http://hooks.alice.dev/' }, 'invalid_webhook_url', 'https URL'],
    ['another scheme', { url: 'ftp://hooks.alice.dev/' }, 'invalid_webhook_url', 'https URL'],
    ['loopback', { url: 'https://127.0.0.1/' }, 'invalid_webhook_url', 'public host'],
    ['the metadata address', { url: 'https://169.254.169.254/latest' }, 'invalid_webhook_url', 'public host'],
    ['an address in another spelling', { url: 'https://0x7f000001/' }, 'invalid_webhook_url', 'public host'],
    ['an IPv6 address', { url: 'https://[::1]/' }, 'invalid_webhook_url', 'public host'],
    ['a name of this network', { url: 'https://db.internal/' }, 'invalid_webhook_url', 'public host'],
    ['another port', { url: 'https://hooks.alice.dev:8443/' }, 'invalid_webhook_url', 'no port of its own'],
    ['a password', { url: 'https://me:hunter2@hooks.alice.dev/' }, 'invalid_webhook_url', ''],
    ['too long a URL', { url: `${URL}?${'x'.repeat(2048)}` }, 'invalid_webhook_url', '2048 are allowed'],
    ['an unknown event type', { url: URL, types: ['proof.lost'] }, 'unknown_event_type', 'there are proof.bound,'],
    ['types that are not a list', { url: URL, types: 'proof.bound' }, 'invalid_request', 'types must be a list'],
    ['an unknown platform', { url: URL, platform: 'myspace' }, 'unknown_platform', 'no platform "myspace"'],
    ['a broken key', { url: URL, avatar: '0x02' }, 'invalid_public_key', 'Not an Avatar public key'],
  ])('is refused with %s', async (_what, body, code, message) => {
    const answer = await admin.post('/subscriptions', body);

    expectRefusal(answer, { code, message });
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    expect((await admin.get('/subscriptions')).body.pagination.total).toBe(0);
  });

  it('cannot be changed into one that would be refused', async () => {
    const { body } = await admin.post('/subscriptions', { url: URL });
    const path = `/subscriptions/${body.id}`;

    expectRefusal(await admin.patch(path, { url: 'https://10.0.0.1/' }), { code: 'invalid_webhook_url', message: '' });
    expectRefusal(await admin.patch(path, { types: ['x'] }), { code: 'unknown_event_type', message: '"x"' });
    expectRefusal(await admin.patch(path, { enabled: 'no' }), { code: 'invalid_request', message: 'enabled' });
    expect((await admin.get(path)).body).toMatchObject({ url: URL, types: [], enabled: true });
  });

  it('that does not exist is 404 everywhere', async () => {
    for (const id of ['x', NO_ID]) {
      const refusal = { status: 404, code: 'subscription_not_found', message: id };
      expectRefusal(await admin.get(`/subscriptions/${id}`), refusal);
      expectRefusal(await admin.patch(`/subscriptions/${id}`, { enabled: false }), refusal);
      expectRefusal(await admin.post(`/subscriptions/${id}/rotate`), refusal);
      expectRefusal(await admin.post(`/subscriptions/${id}/test`), refusal);
      expectRefusal(await admin.get(`/subscriptions/${id}/deliveries`), refusal);
      expectRefusal(await admin.delete(`/subscriptions/${id}`), refusal);
    }
  });

  it('hears nothing while it is disabled', async () => {
    const { id } = (await admin.post('/subscriptions', { url: URL })).body;
    const other = (await admin.post('/subscriptions', { url: `${URL}/other` })).body;

    expect((await admin.patch(`/subscriptions/${id}`, { enabled: false })).body).toMatchObject({
      enabled: false,
      disabled_reason: 'disabled by an operator',
    });
    await announce(app);
    await deliveriesOf(app, other.id, 1);
    expect((await admin.get(`/subscriptions/${id}/deliveries`)).body.pagination.total).toBe(0);

    expect((await admin.patch(`/subscriptions/${id}`, { enabled: true })).body.disabled_reason).toBe('');
    await announce(app);
    await deliveriesOf(app, id, 1);
  });

  it('goes with its log when it is deleted', async () => {
    const { id } = (await admin.post('/subscriptions', { url: URL })).body;
    await announce(app);
    const [delivery] = await deliveriesOf(app, id, 1);
    await deliveryOnce(app, delivery!.id, ({ attempts }) => attempts === 1);

    expect(await admin.delete(`/subscriptions/${id}`)).toMatchObject({ status: 200, body: {} });

    expectRefusal(await admin.get(`/deliveries/${delivery!.id}`), {
      status: 404,
      code: 'delivery_not_found',
      message: '',
    });
  });
});

describe('a new secret', () => {
  it('signs beside the one before, until the grace time is over', async () => {
    const made = (await admin.post('/subscriptions', { url: URL })).body;

    const rotated = (await admin.post(`/subscriptions/${made.id}/rotate`)).body;
    expect(rotated.secret).not.toBe(made.secret);
    const day = Number(rotated.previous_secret_until) - Date.now() / 1000;
    expect(Math.abs(day - 24 * 3600)).toBeLessThan(60);
    await admin.post(`/subscriptions/${made.id}/test`);

    const request = receiver.requests[0]!;
    expect(request.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(verified(request, made.secret)).toEqual(verified(request, rotated.secret));
    await admin.delete(`/subscriptions/${made.id}`);
  });

  it('signs alone where no grace time is wanted', async () => {
    const strict = await startApp({
      env: { ADMIN_TOKEN, WEBHOOK_SECRET_GRACE_SECONDS: '0' },
      transport: await connectTo(receiver, [HOST]),
    });
    try {
      const made = (await adminOf(strict).post('/subscriptions', { url: URL })).body;
      const rotated = (await adminOf(strict).post(`/subscriptions/${made.id}/rotate`)).body;
      await adminOf(strict).post(`/subscriptions/${made.id}/test`);

      const request = receiver.requests[0]!;
      expect(verified(request, rotated.secret).type).toBe('webhook.test');
      expect(() => verified(request, made.secret)).toThrow('No matching signature found');
    } finally {
      await strict.close();
    }
  });
});

describe('a test message', () => {
  it('says at once how it went, and is in the log', async () => {
    const { id, secret } = (await admin.post('/subscriptions', { url: URL, types: ['kv.patched'] })).body;

    const sent = await admin.post(`/subscriptions/${id}/test`);

    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({
      subscription: id,
      type: 'webhook.test',
      status: 'delivered',
      attempts: 1,
      last_status: 204,
      last_error: '',
      next_attempt_at: '',
    });
    expect(verified(receiver.requests[0]!, secret)).toMatchObject({ type: 'webhook.test', data: { subscription: id } });
    expect((await admin.get(`/subscriptions/${id}/deliveries?type=webhook.test`)).body.pagination.total).toBe(1);
  });

  it('is sent once, also to a disabled subscription, and leaves no dead letter', async () => {
    receiver.handle(() => ({ status: 500 }));
    const { id } = (await admin.post('/subscriptions', { url: URL })).body;
    await admin.patch(`/subscriptions/${id}`, { enabled: false });

    const sent = await admin.post(`/subscriptions/${id}/test`);

    expect(sent.body).toMatchObject({ status: 'dead', attempts: 1, last_status: 500, last_error: 'bad_status' });
    expect(receiver.requests).toHaveLength(1);
    expect((await admin.get('/dead-letters')).body.pagination.total).toBe(0);
  });
});

describe('the log of deliveries', () => {
  it('can be read by subscription, status and type, in pages, newest first', async () => {
    const { id } = (await admin.post('/subscriptions', { url: URL })).body;
    const other = (await admin.post('/subscriptions', { url: `${URL}/other`, types: ['proof.revoked'] })).body;
    for (let patch = 1; patch <= 22; patch += 1) await announce(app, { patch_id: patch });
    await announce(app, {}, 'proof.revoked');
    await until(async () => (await admin.get('/deliveries?status=delivered')).body.pagination.total === 24);

    const mine = await admin.get(`/subscriptions/${id}/deliveries`);
    expect(mine.body.pagination).toEqual({ total: 23, per: 20, current: 1, next: 2 });
    expect(mine.body.deliveries[0]).toMatchObject({ type: 'proof.revoked', status: 'delivered', last_status: 204 });
    expect((await admin.get(`/subscriptions/${id}/deliveries?page=2`)).body.deliveries).toHaveLength(3);
    expect((await admin.get(`/deliveries?subscription=${other.id}`)).body.pagination.total).toBe(1);
    expect((await admin.get('/deliveries?type=proof.revoked')).body.pagination.total).toBe(2);
    expect((await admin.get('/deliveries?status=dead')).body.pagination.total).toBe(0);
    expect((await admin.get('/deliveries?subscription=x')).body.pagination.total).toBe(0);

    const [first] = mine.body.deliveries;
    const shown = await admin.get(`/deliveries/${first.id}`);
    expect(shown.body).toEqual({ ...first, body: expect.stringContaining('"type":"proof.revoked"') });
  });

  it('refuses filters that make no sense', async () => {
    expectRefusal(await admin.get('/deliveries?status=lost'), { code: 'invalid_request', message: 'status must be' });
    expectRefusal(await admin.get('/deliveries?type=proof.lost'), { code: 'invalid_request', message: 'type must be' });
    expectRefusal(await admin.get('/deliveries?page=-1'), { code: 'invalid_request', message: 'page' });
    expectRefusal(await admin.get('/deliveries/x'), { status: 404, code: 'delivery_not_found', message: 'x' });
  });

  it('sends a message again, with the same id, when it is replayed', async () => {
    const { id } = (await admin.post('/subscriptions', { url: URL })).body;
    await announce(app);
    const [delivery] = await deliveriesOf(app, id, 1);
    await deliveryOnce(app, delivery!.id, ({ status }) => status === 'delivered');

    const replayed = await admin.post(`/deliveries/${delivery!.id}/replay`);
    expect(replayed).toMatchObject({ status: 200, body: { id: delivery!.id, message_id: delivery!.messageId } });
    await until(() => receiver.requests.length === 2);

    const [first, second] = receiver.requests;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.body).toBe(first!.body);
    expectRefusal(await admin.post(`/deliveries/${NO_ID}/replay`), {
      status: 404,
      code: 'delivery_not_found',
      message: NO_ID,
    });
  });
});
