import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { connectTo, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import {
  announce,
  attemptWhenDue,
  deliveriesOf,
  deliveryOnce,
  subscribe,
  unheardEvents,
  verified,
} from './receiver.js';

const HOST = 'hooks.alice.dev';
const URL = `https://${HOST}/signet?token=of-the-receiver`;

let receiver: StandIn;
let app: RunningApp;

beforeAll(async () => {
  receiver = await startStandIn(() => ({ status: 204 }), { tls: true });
  app = await startApp({ transport: await connectTo(receiver, [HOST]) });
});

beforeEach(() => {
  receiver.handle(() => ({ status: 204 }));
  receiver.requests.length = 0;
});

afterAll(async () => {
  await app?.close();
  await receiver?.close();
});

describe('an application that subscribed', () => {
  it('is told of a binding by a signed message', async () => {
    const { subscription, secret } = await subscribe(app, { url: URL, types: ['proof.bound'] });
    const alice = anAvatar();
    const wallet = aWallet();

    expect((await linkWallet(app, alice, wallet)).status).toBe(201);
    await until(() => receiver.requests.length === 1);

    const request = receiver.requests[0]!;
    expect(request).toMatchObject({ method: 'POST', path: '/signet' });
    expect(request.headers['content-type']).toBe('application/json');
    expect(verified(request, secret)).toEqual({
      type: 'proof.bound',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        avatar: alice.key.compressed,
        platform: 'ethereum',
        identity: wallet.address,
        proof_location: '',
        link_id: 1,
        uuid: expect.any(String),
        created_at: expect.stringMatching(/^\d+$/),
        position: 1,
      },
    });
    const [delivery] = await deliveriesOf(app, subscription.id, 1);
    await deliveryOnce(app, delivery!.id, ({ status }) => status === 'delivered');
    await remove(subscription.id);
  });

  it('is told by a signed CloudEvent where it asked for that form', async () => {
    const { subscription, secret } = await subscribe(app, { url: URL, format: 'cloudevents' });
    const alice = anAvatar('alice');

    await announce(app, { avatar: alice.key.compressed });
    await until(() => receiver.requests.length === 1);

    const request = receiver.requests[0]!;
    expect(request.headers['content-type']).toBe('application/cloudevents+json');
    expect(verified(request, secret)).toMatchObject({
      specversion: '1.0',
      id: request.headers['webhook-id'],
      source: 'urn:signet:self',
      type: 'signet.kv.patched',
      subject: alice.key.compressed,
      datacontenttype: 'application/json',
      sequence: expect.stringMatching(/^\d{20}$/),
      data: { avatar: alice.key.compressed, platform: 'github' },
    });
    await remove(subscription.id);
  });

  it('is told of what happened in the millisecond in which it subscribed, and of nothing before', async () => {
    const { id } = (await subscribe(app, { url: URL })).subscription;
    const query = (sql: string, ...values: unknown[]) => app.app.get(DataSource).query<unknown>(sql, values);
    await query(
      `update webhook_subscription set created_at = date_trunc('milliseconds', created_at) + interval '400 microseconds'
       where id = $1`,
      id,
    );
    const payload = { avatar: anAvatar().key.compressed, platform: 'github', identity: 'alice', patch_id: 1 };
    for (const [identity, microseconds] of [['before', -1000] as const, ['since', 200] as const])
      await query(
        `insert into domain_event (name, payload, recorded_at)
         select 'kv.patched', $2, created_at + $3 * interval '1 microsecond' from webhook_subscription where id = $1`,
        ...[id, { ...payload, identity }, microseconds],
      );
    await until(async () => (await unheardEvents(app)) === 0);

    const told = (await deliveriesOf(app, id, 1)).map(({ body }) => JSON.parse(body).data.identity as string);
    expect(told).toEqual(['since']);
    await remove(id);
  });

  it('is told of what happens after the clock of the database went back behind its subscription', async () => {
    const { id } = (await subscribe(app, { url: URL })).subscription;
    await app.app
      .get(DataSource)
      .query(`update webhook_subscription set created_at = now() + interval '1 hour' where id = $1`, [id]);

    await announce(app, { identity: 'after' });

    const [delivery] = await deliveriesOf(app, id, 1);
    expect(JSON.parse(delivery!.body).data.identity).toBe('after');
    await remove(id);
  });

  it('is told only what it asked for', async () => {
    const bob = anAvatar('bob').key.compressed;
    const all = await subscribe(app, { url: URL });
    const byType = await subscribe(app, { url: `${URL}&by=type`, types: ['proof.revoked', 'proof.bound'] });
    const byPlatform = await subscribe(app, { url: `${URL}&by=platform`, platform: 'minds' });
    const byAvatar = await subscribe(app, { url: `${URL}&by=avatar`, avatar: bob.toUpperCase().replace('0X', '0x') });

    await announce(app, { platform: 'minds' });
    await announce(app, { avatar: bob });
    await announce(app, {}, 'proof.revoked');
    await until(async () => (await unheardEvents(app)) === 0);

    const typesOf = async (id: string, count: number) =>
      (await deliveriesOf(app, id, count)).map(({ type, body }) => `${type} ${JSON.parse(body).data.platform}`);
    expect(await typesOf(all.subscription.id, 3)).toEqual([
      'kv.patched minds',
      'kv.patched github',
      'proof.revoked github',
    ]);
    expect(await typesOf(byType.subscription.id, 1)).toEqual(['proof.revoked github']);
    expect(await typesOf(byPlatform.subscription.id, 1)).toEqual(['kv.patched minds']);
    expect(await typesOf(byAvatar.subscription.id, 1)).toEqual(['kv.patched github']);
    for (const { subscription } of [all, byType, byPlatform, byAvatar]) await remove(subscription.id);
  });

  it('gets the event once it works, after five failures, with the same id and a valid signature', async () => {
    const { subscription, secret } = await subscribe(app, { url: URL });
    let failures = 0;
    receiver.handle(() => ((failures += 1) <= 5 ? { status: 500 } : { status: 200, text: 'thank you' }));

    await announce(app);
    const [delivery] = await deliveriesOf(app, subscription.id, 1);
    let state = await deliveryOnce(app, delivery!.id, ({ attempts }) => attempts === 1);
    while (state.status === 'pending') state = await attemptWhenDue(app, state.id);

    expect(state).toMatchObject({ status: 'delivered', attempts: 6, lastStatus: 200, lastError: '' });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery!.messageId]),
    );
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(receiver.requests).toHaveLength(6);
    expect(verified(receiver.requests[0]!, secret)).toEqual(JSON.parse(delivery!.body));
    await remove(subscription.id);
  });
});

async function remove(id: string): Promise<void> {
  const { WebhookSubscriptions } = await import('../../src/webhooks/webhook-subscriptions.js');
  await app.app.get(WebhookSubscriptions).remove(id);
}
