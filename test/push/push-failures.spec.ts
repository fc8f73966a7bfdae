import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { endlessBody, slowDrip, type StandInReply } from '../../packages/look/test/support/stand-in-server.js';
import { JobQueues } from '../../src/jobs/job-queues.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { PushSubscriptions } from '../../src/push/push-subscriptions.js';
import { PushUpkeep } from '../../src/push/push-upkeep.js';
import { ADMIN_TOKEN, type AdminClient, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { until } from '../support/until.js';
import { announce } from '../webhooks/receiver.js';
import { PUSH_HOST, type PushService, startPushService, type SubscribedBrowser } from './push-service.js';

const DAY_MS = 86_400_000;

interface Row {
  id: string;
  status: string;
  attempts: number;
  turn: number;
  last_error: string;
  last_status: number | null;
  dead_letter_id: string | null;
}

let service: PushService;
let app: RunningApp;
let admin: AdminClient;
let count = 0;

beforeAll(async () => {
  service = await startPushService([PUSH_HOST, 'push.bob.dev']);
  app = await startApp({
    env: { PUBLIC_URL: 'https://id.alice.dev', LOG: 'off', ADMIN_TOKEN },
    transport: service.transport,
  });
  admin = adminOf(app);
});
beforeEach(() => {
  service.answer();
  service.requests.length = 0;
});
afterEach(async () => {
  await query('delete from push_subscription');
  for (const { key } of app.app.get(WebClient).circuits()) app.app.get(WebClient).resetCircuit(key);
});
afterAll(async () => {
  await app?.close();
  await service?.close();
});

const query = <Found>(sql: string, ...values: unknown[]) => app.app.get(DataSource).query<Found[]>(sql, values);
const deliveries = () => query<Row>('select * from push_delivery order by created_at');
const subscriptions = () => query<{ id: string }>('select id from push_subscription');

/** A browser that follows an Avatar of its own. */
async function follower(host = PUSH_HOST): Promise<{ browser: SubscribedBrowser; avatar: string; id: string }> {
  const avatar = anAvatar(`follower ${(count += 1)}`).key.compressed;
  const browser = service.browser(host);
  const { endpoint, keys } = browser;
  const { status, body } = await app.post('/v1/push/subscriptions', { avatar, endpoint, keys });
  expect(status).toBe(201);
  return { browser, avatar, id: body.id };
}

/** Announces an event of the Avatar, and answers its delivery after the first attempt. */
async function firstAttempt(avatar: string): Promise<Row> {
  await announce(app, { avatar }, 'proof.restored');
  await until(async () => (await deliveries()).some(({ turn }) => turn > 0));
  return (await deliveries())[0]!;
}

/** Lets the time pass until the next attempt, and answers the delivery after it; undefined if it is gone. */
async function attemptWhenDue({ id, turn }: Row): Promise<Row | undefined> {
  await query(
    `update push_delivery set next_attempt_at = now(), round_started_at = round_started_at - (next_attempt_at - now())
     where id = $1 and turn = $2`,
    ...[id, turn],
  );
  app.app.get(JobQueues).wake('push');
  const find = async () => (await deliveries()).find((row) => row.id === id);
  await until(async () => (await find())?.turn !== turn);
  return find();
}

describe('a push service', () => {
  const failures: [string, StandInReply, string, number | null][] = [
    ['answers 500', { status: 500 }, 'bad_status', 500],
    ['answers 429', { status: 429 }, 'bad_status', 429],
    ['answers 403', { status: 403 }, 'bad_status', 403],
    ['redirects', { status: 307, headers: { location: 'https://push.bob.dev/send/1' } }, 'redirected', 307],
    ['closes the connection', 'cut', 'unusable', null],
    ['answers without end', endlessBody(), 'too_large', null],
  ];

  it.each(failures)(
    'that %s gets it again after five seconds, and it is told once',
    async (_what, reply, error, status) => {
      const { avatar, browser } = await follower();
      service.answer(reply);

      const first = await firstAttempt(avatar);
      expect(first).toMatchObject({ status: 'pending', attempts: 1, last_error: error, last_status: status });
      expect(new Set(service.requests.map(({ path }) => path)).size).toBe(1);
      service.answer();
      expect(await attemptWhenDue(first)).toBeUndefined();

      expect(browser.told()).toHaveLength(2);
      const topics = service.requests.slice(1).map(({ headers }) => headers['topic']);
      expect(new Set(topics).size).toBe(1);
      expect(browser.told()[1]!.tag.replaceAll('-', '')).toBe(topics[0]);
      expect(await subscriptions()).toHaveLength(1);
    },
  );

  it.each([404, 410])('that answers %d has ended the subscription, which goes with all that waits', async (status) => {
    const { avatar, id } = await follower();
    service.answer({ status: 500 });
    const waiting = await firstAttempt(avatar);
    service.answer({ status });
    await announce(app, { avatar }, 'proof.restored');

    await until(async () => (await subscriptions()).length === 0);
    expect(await deliveries()).toEqual([]);
    expect(waiting.status).toBe('pending');
    expect((await app.get(`/v1/push/subscriptions/${id}`)).status).toBe(404);
  });

  it('that fails for three days leaves a dead letter, which an operator can replay, and is forgotten after a week', async () => {
    const { avatar, browser, id } = await follower();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    service.answer({ status: 503 });
    let row: Row | undefined = await firstAttempt(avatar);
    while (row?.status === 'pending') row = await attemptWhenDue(row);
    await until(() => warn.mock.calls.length > 0);
    const said = warn.mock.calls.map(([text]) => String(text)).join();
    warn.mockRestore();

    expect(row).toMatchObject({ status: 'dead', attempts: 10, last_status: 503 });
    expect(said).toContain(`Delivery ${row!.id} is given up: bad_status 503`);
    // Who knows these may end the subscription, or send to the browser.
    for (const secret of [id, browser.endpoint, browser.keys.auth]) expect(said).not.toContain(secret);
    const letters = (await admin.get('/dead-letters?queue=push')).body.dead_letters;
    expect(letters).toMatchObject([{ id: row!.dead_letter_id, data: { delivery: row!.id }, error: 'bad_status' }]);
    expect((await admin.get('/jobs')).body.queues).toContainEqual({ queue: 'push', waiting: 0, running: 0, dead: 1 });
    expect(await query('select from push_subscription where failing_since is not null')).toHaveLength(1);

    service.answer();
    for (const { key } of app.app.get(WebClient).circuits()) app.app.get(WebClient).resetCircuit(key);
    await admin.post(`/dead-letters/${row!.dead_letter_id}/replay`);
    await until(() => browser.told().length === 2);
    await until(
      async () => (await query('select from push_subscription where failing_since is not null')).length === 0,
    );

    service.answer({ status: 503 });
    row = await firstAttempt(avatar);
    while (row?.status === 'pending') row = await attemptWhenDue(row);
    expect(await app.app.get(PushUpkeep).prune()).toBe(0);
    await query("update push_delivery set dead_at = dead_at - interval '8 days'");
    expect(await app.app.get(PushUpkeep).prune(new Date(Date.now() - 2 * DAY_MS))).toBe(0);
    expect(await app.app.get(PushUpkeep).prune()).toBe(1);
  });

  it('at which nothing has arrived for a month loses the subscription', async () => {
    const { avatar } = await follower();
    await query("update push_subscription set failing_since = now() - interval '31 days'");
    const [{ id }] = (await query('select id from push_subscription where failing_since is not null')) as [Row];
    const { manager } = app.app.get(DataSource);
    const serverNow = new Date(Date.now() - 2 * DAY_MS);
    expect(await app.app.get(PushSubscriptions).noteFailure(manager, id, serverNow)).toBe(false);
    service.answer({ status: 503 });

    let row: Row | undefined = await firstAttempt(avatar);
    while (row?.status === 'pending') row = await attemptWhenDue(row);

    expect(row).toBeUndefined();
    expect(await subscriptions()).toEqual([]);
  });

  it('is counted in the metrics', async () => {
    await follower();

    const text = await (await fetch(`${app.baseUrl}/metrics`)).text();

    expect(text).toMatch(/^signet_push_turns_total\{outcome="delivered"\} [1-9]/m);
    expect(text).toMatch(/^signet_push_turns_total\{outcome="failed"\} [1-9]/m);
    expect(text).toMatch(/^signet_push_subscriptions \d+$/m);
  });

  // The last one: what hangs holds slots of its host for ten seconds.
  it('that hangs, or answers drop by drop, has failed in ten seconds, and holds up no other', async () => {
    const [slow, other] = [await follower(), await follower('push.bob.dev')];
    const more = [await follower(), await follower(), await follower(), await follower(), await follower()];
    service.decide(({ headers, path }) => {
      if (headers['host'] !== PUSH_HOST) return undefined;
      return path.length % 2 === 0 ? 'hang' : slowDrip(500);
    });

    for (const { avatar } of [slow, ...more]) await announce(app, { avatar }, 'proof.restored');
    await announce(app, { avatar: other.avatar }, 'proof.restored');
    await until(() => other.browser.told().length === 2);
    // Two of the six at a time are asked: behind all of them it would have been half a minute.
    expect((await deliveries()).filter(({ last_error }) => last_error === 'slow').length).toBeLessThan(6);
    expect(slow.browser.told()).toHaveLength(1);
    await until(async () => (await deliveries()).some(({ last_error }) => last_error === 'slow'));
  });
});
