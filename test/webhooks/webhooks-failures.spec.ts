import pg from 'pg';
import { DataSource } from 'typeorm';
import type { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import { WebhookLog } from '../../src/webhooks/webhook-log.js';
import { WebhookSender } from '../../src/webhooks/webhook.sender.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { ADMIN_TOKEN, type AdminClient, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { isSomebodyWaiting } from '../support/locks.js';
import { expectRefusal } from '../support/refusals.js';
import {
  connectNames,
  type StandIn,
  type StandInReply,
  startStandIn,
} from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { announce, attemptWhenDue, deliveriesOf, deliveryOnce, subscribe, verified } from './receiver.js';

const URL = 'https://hooks.alice.dev/signet';
const DAY_MS = 86_400_000;

let receiver: StandIn;
let plain: StandIn;
let app: RunningApp;
let admin: AdminClient;

beforeAll(async () => {
  receiver = await startStandIn(() => ({ status: 204 }), { tls: true });
  plain = await startStandIn(() => ({ status: 204 }));
  const transport = await connectNames({
    'hooks.alice.dev': receiver,
    'hooks.bob.dev': receiver,
    'plain.alice.dev': plain,
  });
  app = await startApp({
    // No receiver that hangs is given up before a test ends.
    env: { ADMIN_TOKEN, WEBHOOK_LOG_DAYS: '7', WEBHOOK_TIMEOUT_MS: '60000' },
    transport: {
      ...transport,
      lookup: async (name) => (name === 'inside.alice.dev' ? ['10.1.2.3'] : transport.lookup!(name)),
    },
  });
  admin = adminOf(app);
});

beforeEach(() => {
  receiver.handle(() => ({ status: 204 }));
  receiver.requests.length = 0;
});

afterEach(async () => {
  for (const { id } of (await admin.get('/subscriptions')).body.subscriptions)
    await admin.delete(`/subscriptions/${id}`);
  for (const { id } of (await admin.get('/dead-letters')).body.dead_letters) await admin.delete(`/dead-letters/${id}`);
  for (const { key } of app.app.get(WebClient).circuits()) app.app.get(WebClient).resetCircuit(key);
});

afterAll(async () => {
  await app?.close();
  await receiver?.close();
  await plain?.close();
});

/** Subscribes `url`, announces one event, and answers the delivery after the first attempt. */
async function firstAttempt(url = URL, server = app): Promise<WebhookDelivery> {
  const { subscription } = await subscribe(server, { url });
  await announce(server);
  const [delivery] = await deliveriesOf(server, subscription.id, 1);
  return deliveryOnce(server, delivery!.id, ({ sequence }) => sequence === 1);
}

/** All attempts that are left, each when its time has come. */
async function attemptAll(delivery: WebhookDelivery): Promise<WebhookDelivery> {
  let state = delivery;
  while (state.status === 'pending') state = await attemptWhenDue(app, state.id);
  return state;
}

describe('a receiver', () => {
  const failures: [string, StandInReply, string, number | null][] = [
    ['answers 500', { status: 500 }, 'bad_status', 500],
    ['answers 404', { status: 404 }, 'bad_status', 404],
    ['answers 429', { status: 429 }, 'bad_status', 429],
    ['redirects', { status: 307, headers: { location: 'https://hooks.bob.dev/' } }, 'redirected', 307],
    ['closes the connection', 'cut', 'unusable', null],
  ];

  it.each(failures)('that %s gets it again after five seconds', async (_what, reply, lastError, lastStatus) => {
    receiver.handle(() => reply);

    const delivery = await firstAttempt();

    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastError, lastStatus });
    const waitMs = delivery.nextAttemptAt!.getTime() - delivery.lastAttemptAt!.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(5000);
    expect(waitMs).toBeLessThanOrEqual(5500);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/signet']);
  });

  it.each([
    ['speaks plain http on the port for https', 'https://plain.alice.dev/', 'unreachable'],
    ['has a name that leads into a private network', 'https://inside.alice.dev/', 'unreachable'],
    ['has a name that leads nowhere', 'https://nowhere.alice.dev/', 'unreachable'],
  ])('that %s is not reached', async (_what, url, lastError) => {
    const delivery = await firstAttempt(url);

    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastError, lastStatus: null });
    expect(plain.requests).toEqual([]);
  });

  it('that hangs, or answers 200 too late, has failed', async () => {
    const hasty = await startApp({
      env: { WEBHOOK_TIMEOUT_MS: '200' },
      transport: await connectNames({ 'hooks.alice.dev': receiver }),
    });
    let answer!: (reply: StandInReply) => void;
    const late = new Promise<StandInReply>((resolve) => (answer = resolve));
    const failed = { status: 'pending', attempts: 1, lastError: 'slow', lastStatus: null };
    try {
      receiver.handle(() => 'hang');
      expect(await firstAttempt(URL, hasty)).toMatchObject(failed);

      receiver.handle(() => late);
      const delivery = await firstAttempt(URL, hasty);
      answer({ status: 200 });
      expect(delivery).toMatchObject(failed);
      const { subscriptionId, id } = delivery;
      expect(await deliveriesOf(hasty, subscriptionId, 1)).toMatchObject([{ id, ...failed }]);
    } finally {
      await hasty.close();
    }
  });

  it('that answers 410 is not told again', async () => {
    receiver.handle(() => ({ status: 410 }));

    const delivery = await firstAttempt();

    expect(delivery).toMatchObject({ status: 'dead', attempts: 1, lastError: 'gone', lastStatus: 410 });
    expect((await admin.get(`/subscriptions/${delivery.subscriptionId}`)).body).toMatchObject({
      enabled: false,
      disabled_reason: 'the receiver answered 410 Gone',
    });
  });

  it('that was disabled while a message waited gets it only when an operator replays it', async () => {
    receiver.handle(() => ({ status: 500 }));
    const { id, subscriptionId } = await firstAttempt();
    await admin.patch(`/subscriptions/${subscriptionId}`, { enabled: false });

    expect(await attemptWhenDue(app, id)).toMatchObject({ status: 'dead', attempts: 1, lastError: 'disabled' });
    expect(receiver.requests).toHaveLength(1);

    receiver.handle(() => ({ status: 204 }));
    await admin.patch(`/subscriptions/${subscriptionId}`, { enabled: true });
    await admin.post('/dead-letters/replay', { queue: 'webhook' });
    await deliveryOnce(app, id, ({ status }) => status === 'delivered');
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('a dead receiver', () => {
  it('ends in a dead letter after ten attempts over three days, and gets the message when it is replayed', async () => {
    receiver.handle(() => ({ status: 503 }));
    const dead = await attemptAll(await firstAttempt());

    expect(dead).toMatchObject({ status: 'dead', attempts: 10, lastStatus: 503, nextAttemptAt: null });
    const hours = (dead.lastAttemptAt!.getTime() - dead.roundStartedAt.getTime()) / 3600_000;
    expect(hours).toBeGreaterThan(75);
    expect(hours).toBeLessThan(84);
    const letters = (await admin.get('/dead-letters?queue=webhook')).body;
    expect(letters.dead_letters).toMatchObject([
      { id: dead.deadLetterId, queue: 'webhook', data: { delivery: dead.id }, error: 'bad_status' },
    ]);
    expect((await admin.get('/jobs')).body.queues).toContainEqual(
      expect.objectContaining({ queue: 'webhook', dead: 1 }),
    );

    receiver.handle(() => ({ status: 204 }));
    app.app.get(WebClient).resetCircuit('webhook@hooks.alice.dev');
    expect((await admin.post(`/dead-letters/${dead.deadLetterId}/replay`)).body).toEqual({ replayed: 1 });
    const delivered = await deliveryOnce(app, dead.id, ({ status }) => status === 'delivered');

    expect(delivered).toMatchObject({ attempts: 1, deadLetterId: null });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([dead.messageId]));
    expect((await admin.get('/dead-letters')).body.pagination.total).toBe(0);
  });

  it('has no dead letter any more when the delivery itself is replayed', async () => {
    receiver.handle(() => ({ status: 410 }));
    const dead = await firstAttempt();
    expect((await admin.get('/dead-letters')).body.pagination.total).toBe(1);

    receiver.handle(() => ({ status: 204 }));
    await admin.patch(`/subscriptions/${dead.subscriptionId}`, { enabled: true });
    await admin.post(`/deliveries/${dead.id}/replay`);
    await deliveryOnce(app, dead.id, ({ status }) => status === 'delivered');

    expect((await admin.get('/dead-letters')).body.pagination.total).toBe(0);
  });

  it('can have its dead letter dropped', async () => {
    receiver.handle(() => ({ status: 410 }));
    const { deadLetterId } = await firstAttempt();

    expect(await admin.delete(`/dead-letters/${deadLetterId}`)).toMatchObject({ status: 200, body: {} });

    expectRefusal(await admin.delete(`/dead-letters/${deadLetterId}`), {
      status: 404,
      code: 'dead_letter_not_found',
      message: String(deadLetterId),
    });
    expectRefusal(await admin.post('/dead-letters/x/replay'), {
      status: 404,
      code: 'dead_letter_not_found',
      message: 'x',
    });
  });

  it('is left alone after ten failures in a row, which costs no attempt, and leaves other receivers alone', async () => {
    receiver.handle(({ headers }) => ({ status: headers['host'] === 'hooks.alice.dev' ? 500 : 204 }));
    const alice = await subscribe(app, { url: URL });
    for (let event = 1; event <= 12; event += 1) await announce(app, { patch_id: event });
    const deliveries = await deliveriesOf(app, alice.subscription.id, 12);
    await until(async () =>
      (await app.app.get(WebhookLog).list({ status: 'pending' }, 1)).items.every((row) => row.sequence > 0),
    );

    const states = await Promise.all(deliveries.map(({ id }) => app.app.get(WebhookLog).get(id)));
    const tried = states.filter(({ attempts }) => attempts > 0);
    const untried = states.filter(({ attempts }) => attempts === 0);
    expect(receiver.requests).toHaveLength(states.reduce((sum, { attempts }) => sum + attempts, 0));
    expect(tried.length).toBeGreaterThanOrEqual(10);
    for (const delivery of untried) expect(delivery).toMatchObject({ status: 'pending', lastError: 'paused' });
    const [circuit] = (await admin.get('/circuits')).body.circuits.filter(
      ({ key }: { key: string }) => key === 'webhook@hooks.alice.dev',
    );
    expect(circuit).toMatchObject({ state: 'open', open_until: expect.stringMatching(/^\d+$/) });
    // While it is left alone, an attempt that comes due is put off and not counted.
    const asked = receiver.requests.length;
    const postponed = await attemptWhenDue(app, tried[0]!.id);
    expect(postponed).toMatchObject({ status: 'pending', attempts: tried[0]!.attempts, lastError: 'paused' });
    expect(receiver.requests).toHaveLength(asked);

    const bob = await subscribe(app, { url: 'https://hooks.bob.dev/' });
    expect(await app.app.get(WebhookSender).sendTest(bob.subscription.id)).toMatchObject({
      status: 'delivered',
    });

    receiver.handle(() => ({ status: 204 }));
    expect(await admin.post('/circuits/reset', { key: 'webhook@hooks.alice.dev' })).toMatchObject({ status: 200 });
    expect(await attemptWhenDue(app, tried[0]!.id)).toMatchObject({ status: 'delivered' });
  });
});

describe('an attempt', () => {
  it('whose lease was lost meanwhile records nothing, and the one that has it sends the same id', async () => {
    let answer = () => {};
    const answered = new Promise<StandInReply>((resolve) => (answer = () => resolve({ status: 500 })));
    receiver.handle(() => (receiver.requests.length === 1 ? answered : { status: 204 }));
    const { subscription } = await subscribe(app, { url: URL });
    await announce(app);
    const [{ id }] = (await deliveriesOf(app, subscription.id, 1)) as [WebhookDelivery];
    await until(() => receiver.requests.length === 1);

    // As if the server had been stopped for so long that another one took the delivery.
    await app.app.get(DataSource).query('update webhook_delivery set leased_until = now() where id = $1', [id]);
    const delivered = await deliveryOnce(app, id, ({ status }) => status === 'delivered');
    answer();

    expect(delivered).toMatchObject({ attempts: 1, sequence: 1, lastStatus: 204 });
    await announce(app, { patch_id: 2 });
    await until(() => receiver.requests.length === 3);
    expect(await app.app.get(WebhookLog).get(id)).toMatchObject({ attempts: 1, sequence: 1, lastStatus: 204 });
    expect(new Set(receiver.requests.slice(0, 2).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('whose server dies again and again is given up, with a dead letter', async () => {
    receiver.handle(() => ({ status: 500 }));
    const { id } = await firstAttempt();
    await app.app.get(DataSource).query('update webhook_delivery set unfinished_runs = 20 where id = $1', [id]);

    const dead = await attemptWhenDue(app, id);

    expect(dead).toMatchObject({ status: 'dead', attempts: 1, lastError: 'unfinished' });
    expect((await admin.get('/dead-letters')).body.dead_letters).toMatchObject([
      { id: dead.deadLetterId, error: 'unfinished' },
    ]);
  });

  it('at many receivers that hang does not hold up the others', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    receiver.handle(async ({ headers }) => {
      if (headers['host'] === 'hooks.alice.dev') await released;
      return { status: 204 };
    });
    for (let number = 0; number < 8; number += 1) await subscribe(app, { url: `${URL}/${number}` });
    for (let event = 1; event <= 20; event += 1) await announce(app, { patch_id: event });
    await until(() => receiver.requests.length >= 2);
    const bob = await subscribe(app, { url: 'https://hooks.bob.dev/' });

    await announce(app, { patch_id: 21 });
    const [delivery] = await deliveriesOf(app, bob.subscription.id, 1);
    await deliveryOnce(app, delivery!.id, ({ status }) => status === 'delivered');
    release();
  });
});

describe('a subscription that is removed while an event is handed on', () => {
  it('costs the others no try of the event', async () => {
    const alice = await subscribe(app, { url: URL });
    const bob = await subscribe(app, { url: 'https://hooks.bob.dev/' });
    const operator = new pg.Client({ connectionString: app.database.directUrl });
    await operator.connect();
    // One more failure, and the event is given up.
    await operator.query(
      `insert into event_handler (name, failures) values ('notification', 9) on conflict (name) do update set failures = 9`,
    );
    await operator.query('begin');
    await operator.query('delete from webhook_subscription where id = $1', [alice.subscription.id]);

    await announce(app);
    await until(() => isSomebodyWaiting(operator));
    await operator.query('commit');
    await operator.end();

    const [delivery] = await deliveriesOf(app, bob.subscription.id, 1);
    await deliveryOnce(app, delivery!.id, ({ status }) => status === 'delivered');
    expect((await admin.get('/parked-events')).body.pagination.total).toBe(0);
  });
});

describe('a subscription that is removed while its receiver answers 410', () => {
  it('is removed, and waits for no attempt that waits for it', async () => {
    receiver.handle(() => ({ status: 410 }));
    const { id } = (await subscribe(app, { url: URL })).subscription;
    const operator = new pg.Client({ connectionString: app.database.directUrl });
    await operator.connect();
    await operator.query('begin');
    // So that this transaction is the one that a deadlock ends.
    await operator.query(`set local deadlock_timeout = '10ms'`);
    // A removal takes the subscription first and then its deliveries.
    await operator.query('select from webhook_subscription where id = $1 for no key update', [id]);

    await announce(app);
    await until(() => isSomebodyWaiting(operator));
    await operator.query('delete from webhook_subscription where id = $1', [id]);
    await operator.query('commit');
    await operator.end();

    expect((await admin.get(`/subscriptions/${id}`)).status).toBe(404);
  });
});

describe('an event that is announced twice', () => {
  it('is delivered once', async () => {
    const delivery = await firstAttempt();
    // What a server leaves behind that dies before the progress of its listener is stored.
    await app.app.get(DataSource).query(`update event_handler set position = position - 1 where name = 'notification'`);

    await announce(app, { patch_id: 2 });
    const deliveries = await deliveriesOf(app, delivery.subscriptionId, 2);
    for (const { id } of deliveries) await deliveryOnce(app, id, ({ status }) => status === 'delivered');

    const ids = deliveries.map(({ messageId }) => messageId);
    const received = receiver.requests
      .map(({ headers }) => String(headers['webhook-id']))
      .filter((id) => ids.includes(id));
    expect(deliveries).toHaveLength(2);
    expect(received.sort()).toEqual(ids.sort());
  });
});

describe('the log', () => {
  it('forgets what is finished and old, with the dead letters that speak of it', async () => {
    receiver.handle(() => ({ status: 410 }));
    const dead = await firstAttempt();
    receiver.handle(() => ({ status: 500 }));
    const waiting = await firstAttempt();
    const age = `update webhook_delivery set created_at = now() - interval '8 days' where id = any($1::uuid[])`;
    await app.app.get(DataSource).query(age, [[dead.id, waiting.id]]);

    expect(await app.app.get(WebhookLog).prune(undefined, new Date(Date.now() - 2 * DAY_MS))).toBe(0);
    expect(await app.app.get(WebhookLog).prune()).toBe(1);

    expectRefusal(await admin.get(`/deliveries/${dead.id}`), { status: 404, code: 'delivery_not_found', message: '' });
    expect((await admin.get(`/deliveries/${waiting.id}`)).status).toBe(200);
    expect((await admin.get('/dead-letters')).body.pagination.total).toBe(0);
  });

  it('counts and lists a bounded number of deliveries, dead letters and parked events', async () => {
    const { subscriptionId } = await firstAttempt();
    const sql = (text: string, values: unknown[] = []) => app.app.get(DataSource).query(text, values);
    await sql(
      `insert into webhook_delivery (subscription_id, message_id, type, body, status, round_started_at, dead_letter_id, dead_at)
       select $1, gen_random_uuid(), 'webhook.test', '{}', 'dead', now(), gen_random_uuid(), now() from generate_series(1, 10050)`,
      [subscriptionId],
    );
    await sql(
      `insert into parked_event (handler, position, event_id, name, payload, error, recorded_at)
       select (select min(name) from event_handler), 1000000 + n, gen_random_uuid(), 'kv.patched', '{}', 'x', now()
       from generate_series(1, 10050) as n`,
    );
    for (const list of [
      '/deliveries?status=dead&',
      `/subscriptions/${subscriptionId}/deliveries?`,
      '/dead-letters?queue=webhook&',
      '/parked-events?',
    ]) {
      const last = await admin.get(`${list}page=500`);

      expect(last.body.pagination).toEqual({ total: 10_001, per: 20, current: 500, next: 501 });
      expectRefusal(await admin.get(`${list}page=501`), { code: 'page_too_deep', message: '10000' });
    }
    await sql('delete from webhook_delivery');
    await sql('delete from parked_event');
  });

  it('forgets the oldest when a subscription has too many', async () => {
    const first = await firstAttempt();
    for (let event = 2; event <= 4; event += 1) await announce(app, { patch_id: event });
    const deliveries = await deliveriesOf(app, first.subscriptionId, 4);
    for (const { id } of deliveries) await deliveryOnce(app, id, ({ status }) => status === 'delivered');

    expect(await app.app.get(WebhookLog).prune(3)).toBe(1);

    const left = await deliveriesOf(app, first.subscriptionId, 3);
    expect(left.map(({ id }) => id)).toEqual(deliveries.slice(1).map(({ id }) => id));
  });
});

describe('with WEBHOOK_ALLOW_PRIVATE', () => {
  it('a receiver inside the network is told over plain http, on any port', async () => {
    const open = await startApp({ env: { ADMIN_TOKEN, WEBHOOK_ALLOW_PRIVATE: 'true' } });
    try {
      const url = `${plain.baseUrl}/inside`;
      const made = (await adminOf(open).post('/subscriptions', { url })).body;
      await announce(open);
      await until(() => plain.requests.length === 1);

      expect(verified(plain.requests[0]!, made.secret).type).toBe('kv.patched');
      expectRefusal(await adminOf(open).post('/subscriptions', { url: 'http://me:hunter2@127.0.0.1/' }), {
        code: 'invalid_webhook_url',
        message: 'no place in it',
      });
    } finally {
      await open.close();
    }
  });
});
