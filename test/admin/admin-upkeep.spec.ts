import { DataSource } from 'typeorm';
import { ADMIN_TOKEN, type AdminClient, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { expectRefusal } from '../support/refusals.js';
import { startStandIn, type StandIn } from '../../packages/look/test/support/stand-in-server.js';
import { announce, subscribe, unheardEvents } from '../webhooks/receiver.js';
import { until } from '../support/until.js';

let app: RunningApp;
let admin: AdminClient;
let receiver: StandIn;

beforeAll(async () => {
  receiver = await startStandIn(() => ({ status: 204 }));
  app = await startApp({ env: { ADMIN_TOKEN, WEBHOOK_ALLOW_PRIVATE: 'true' } });
  admin = adminOf(app);
});

afterAll(async () => {
  await app?.close();
  await receiver?.close();
});

describe('jobs', () => {
  it('are counted by queue', async () => {
    const { status, body } = await admin.get('/jobs');

    expect(status).toBe(200);
    expect(body.queues).toContainEqual({ queue: 'webhook', waiting: 0, running: 0, dead: 0 });
  });

  it('have no dead letters in a queue that does not exist', async () => {
    expect((await admin.get('/dead-letters?queue=nothing')).body).toEqual({
      pagination: { total: 0, per: 20, current: 1, next: 0 },
      dead_letters: [],
    });
    expect((await admin.post('/dead-letters/replay', { queue: 'nothing' })).body).toEqual({ replayed: 0 });
    expectRefusal(await admin.post('/dead-letters/replay', { queue: 7 }), {
      code: 'invalid_request',
      message: 'queue must be text',
    });
  });
});

describe('parked events', () => {
  /** As if the webhooks had failed ten times at the newest event. */
  const park = (position: number) =>
    app.app.get(DataSource).query(
      `insert into parked_event (handler, position, event_id, name, payload, recorded_at, error)
       select 'notification', position, id, name, payload, recorded_at, 'the queue was full' from domain_event where position = $1`,
      [position],
    );

  it('are listed, and replayed by hand', async () => {
    await announce(app);
    await until(async () => (await unheardEvents(app)) === 0);
    await park(1);

    const { body } = await admin.get('/parked-events');
    expect(body).toEqual({
      pagination: { total: 1, per: 20, current: 1, next: 0 },
      parked_events: [
        {
          handler: 'notification',
          position: 1,
          event_id: expect.any(String),
          type: 'kv.patched',
          payload: expect.objectContaining({ avatar: anAvatar().key.compressed }),
          error: 'the queue was full',
          recorded_at: expect.stringMatching(/^\d{10}$/),
          parked_at: expect.stringMatching(/^\d{10}$/),
        },
      ],
    });
    // Recorded before anybody subscribed, so only a subscription that is older than that hears of it.
    const { subscription } = await subscribe(app, { url: receiver.baseUrl });
    await app.app.get(DataSource).query(`update webhook_subscription set created_at = '2020-01-01'`);
    expect(await admin.post('/parked-events/notification/1/replay')).toMatchObject({ status: 200, body: {} });
    await until(() => receiver.requests.length === 1);

    expect(receiver.requests[0]!.headers['webhook-id']).toBe(body.parked_events[0].event_id);
    expect((await admin.get('/parked-events')).body.pagination.total).toBe(0);
    await admin.delete(`/subscriptions/${subscription.id}`);
  });

  it('are dropped by hand', async () => {
    await park(1);

    expect(await admin.delete('/parked-events/notification/1')).toMatchObject({ status: 200, body: {} });

    expect((await admin.get('/parked-events')).body.pagination.total).toBe(0);
  });

  it('that do not exist are 404, and a position that cannot be is 400', async () => {
    const missing = { status: 404, code: 'parked_event_not_found', message: 'no event 99 parked' };
    expectRefusal(await admin.post('/parked-events/notification/99/replay'), missing);
    expectRefusal(await admin.delete('/parked-events/notification/99'), missing);
    expectRefusal(await admin.delete('/parked-events/notification/first'), {
      code: 'invalid_request',
      message: 'whole number',
    });
    expectRefusal(await admin.delete('/parked-events/%00/1'), { code: 'invalid_request', message: 'handler' });
  });
});

describe('rechecks', () => {
  it('show how far they have come', async () => {
    expect(await admin.get('/revalidation')).toMatchObject({
      status: 200,
      body: {
        total: { due: 0, done: 0, failed: 0, rate_per_minute: 0, estimated_seconds_left: 0 },
        platforms: {},
      },
    });
  });

  it('can be asked for at once', async () => {
    for (const body of [
      { platform: 'github' },
      { platform: 'github', identity: 'alice' },
      { avatar: anAvatar().key.compressed },
      { all_invalid: true },
    ]) {
      expect(await admin.post('/revalidation', body)).toMatchObject({ status: 200, body: { due: 0 } });
    }
  });

  it.each([
    [{}, 'invalid_request', 'Say what to recheck'],
    [{ all_invalid: false }, 'invalid_request', 'Say what to recheck'],
    [{ all_invalid: 'yes' }, 'invalid_request', 'all_invalid must be'],
    [{ platform: 'myspace' }, 'unknown_platform', 'myspace'],
    [{ platform: 'ethereum' }, 'not_rechecked', 'do not age'],
    [{ avatar: '0x02' }, 'invalid_public_key', 'Not an Avatar public key'],
  ])('are refused for %j', async (body, code, message) => {
    expectRefusal(await admin.post('/revalidation', body), { code, message });
  });
});

describe('circuits', () => {
  it('are shown for every host that was asked, and can be reset', async () => {
    const { subscription } = await subscribe(app, { url: receiver.baseUrl });
    await admin.post(`/subscriptions/${subscription.id}/test`);
    const key = `webhook@127.0.0.1:${receiver.port}`;

    expect((await admin.get('/circuits')).body.circuits).toContainEqual({
      key,
      state: 'closed',
      failures: 0,
      open_until: '',
    });
    expect(await admin.post('/circuits/reset', { key })).toMatchObject({ status: 200, body: {} });
    expectRefusal(await admin.post('/circuits/reset', { key: 'github@nowhere' }), {
      status: 404,
      code: 'circuit_not_found',
      message: 'no circuit',
    });
    expectRefusal(await admin.post('/circuits/reset', {}), { code: 'invalid_request', message: 'key is missing' });
  });
});
