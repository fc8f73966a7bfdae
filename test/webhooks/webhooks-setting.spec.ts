import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { InvalidEnvironmentError, loadEnvironment } from '../../src/config/environment.js';
import { WriteTransactions } from '../../src/database/write-transactions.js';
import { ConfiguredWebhooks } from '../../src/webhooks/configured-webhooks.js';
import { WebhookRules } from '../../src/webhooks/webhook-rules.js';
import { WebhookSubscriptions } from '../../src/webhooks/webhook-subscriptions.js';
import { ADMIN_TOKEN, adminOf } from '../support/admin.js';
import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectRefusal } from '../support/refusals.js';
import { connectTo, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { announce, subscribe, verified } from './receiver.js';

const HOST = 'hooks.alice.dev';
const URL = `https://${HOST}/signet`;
const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

let receiver: StandIn;
let database: TestDatabase;
const running: RunningApp[] = [];

beforeEach(async () => {
  receiver = await startStandIn(() => ({ status: 204 }), { tls: true });
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
  await receiver.close();
  await database.drop();
});

/** Starts a server over the one database of the test, with the setting WEBHOOKS. */
async function start(webhooks?: unknown, env: Record<string, string> = {}): Promise<RunningApp> {
  const setting = typeof webhooks === 'string' ? webhooks : JSON.stringify(webhooks);
  const app = await startApp({
    env: { ADMIN_TOKEN, ...(webhooks !== undefined && { WEBHOOKS: setting }), ...env },
    databaseUrl: database.url,
    transport: await connectTo(receiver, [HOST]),
  });
  running.push(app);
  return app;
}

async function restart(webhooks?: unknown): Promise<RunningApp> {
  await running.pop()!.close();
  return start(webhooks);
}

async function listed(app: RunningApp) {
  return (await adminOf(app).get('/subscriptions')).body.subscriptions;
}

describe('a subscription from the setting', () => {
  it('works from the start, without a call', async () => {
    const app = await start([{ url: URL, secret: secretOf(1), types: ['kv.patched'], platform: 'github' }]);

    await announce(app);
    await announce(app, {}, 'proof.revoked');
    await announce(app, { platform: 'minds' });
    await until(() => receiver.requests.length === 1);

    expect(verified(receiver.requests[0]!, secretOf(1)).type).toBe('kv.patched');
    expect(await listed(app)).toMatchObject([
      { url: URL, types: ['kv.patched'], platform: 'github', configured: true, enabled: true },
    ]);
  });

  it('may stand in a file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    const file = path.join(folder, 'webhooks.json');
    await writeFile(file, JSON.stringify([{ url: URL, secret: secretOf(1) }]));

    const app = await start(file);

    expect(await listed(app)).toMatchObject([{ url: URL, configured: true }]);
    await rm(folder, { recursive: true });
  });

  it('is one and the same after a restart, and after two servers started at once', async () => {
    const setting = [{ url: URL, secret: secretOf(1) }];
    const [first] = await Promise.all([start(setting), start(setting)]);
    const [before] = await listed(first);

    const after = await listed(await restart([{ url: URL, secret: secretOf(1), avatar: '', types: ['kv.patched'] }]));

    expect(after).toEqual([{ ...before, types: ['kv.patched'] }]);
  });

  it('is signed with both secrets for a while when the setting names a new one', async () => {
    await start([{ url: URL, secret: secretOf(1) }]);
    const app = await restart([{ url: URL, secret: secretOf(2) }]);

    await announce(app);
    await until(() => receiver.requests.length === 1);

    for (const byte of [1, 2]) expect(verified(receiver.requests[0]!, secretOf(byte)).type).toBe('kv.patched');
    expect(() => verified(receiver.requests[0]!, secretOf(3))).toThrow('No matching signature');
  });

  it('is disabled when the setting no longer names it, and enabled when it does again', async () => {
    await start([{ url: URL, secret: secretOf(1) }]);

    const without = await restart();
    expect(await listed(without)).toMatchObject([
      { enabled: false, disabled_reason: 'no longer in the setting WEBHOOKS' },
    ]);

    const again = await restart([{ url: URL, secret: secretOf(1) }]);
    expect(await listed(again)).toMatchObject([{ enabled: true, disabled_reason: '' }]);
  });

  it('is enabled by a restart after a 410, but not if an operator disabled it', async () => {
    const setting = [{ url: URL, secret: secretOf(1) }];
    let app = await start(setting);
    receiver.handle(() => ({ status: 410 }));
    await announce(app);
    await until(async () => (await listed(app))[0].enabled === false);

    app = await restart(setting);
    const [{ id, enabled }] = await listed(app);
    expect(enabled).toBe(true);

    await adminOf(app).patch(`/subscriptions/${id}`, { enabled: false });
    expect(await listed(await restart(setting))).toMatchObject([{ enabled: false }]);
  });

  it('can be enabled and disabled by a call, and not changed, rotated or removed', async () => {
    const app = await start([{ url: URL, secret: secretOf(1) }]);
    const admin = adminOf(app);
    const [{ id }] = await listed(app);
    const refusal = { code: 'configured_subscription', message: 'setting WEBHOOKS' };

    expectRefusal(await admin.patch(`/subscriptions/${id}`, { types: ['kv.patched'] }), refusal);
    expectRefusal(await admin.post(`/subscriptions/${id}/rotate`), refusal);
    expectRefusal(await admin.delete(`/subscriptions/${id}`), refusal);
    expect((await admin.patch(`/subscriptions/${id}`, { enabled: false })).status).toBe(200);
  });

  it('does not hear of what happened before it was there', async () => {
    const before = await start();
    await announce(before, { patch_id: 1 });

    const app = await restart([{ url: URL, secret: secretOf(1) }]);
    await announce(app, { patch_id: 2 });
    await until(() => receiver.requests.length === 1);

    expect(verified(receiver.requests[0]!, secretOf(1)).data).toMatchObject({ patch_id: 2, position: 2 });
  });
});

describe('a setting that cannot be used', () => {
  const good = { url: URL, secret: secretOf(1) };

  it('stops the start, and everything that is wrong is said', async () => {
    const webhooks = [
      { url: 'https://127.0.0.1/hook', secret: secretOf(1) },
      { url: URL, secret: 'whsec_aHVudGVyMg==' },
    ];

    const failure = await start(webhooks).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(InvalidEnvironmentError);
    expect((failure as InvalidEnvironmentError).problems).toEqual([
      expect.stringContaining('WEBHOOKS, entry 1: The URL cannot be used for webhooks'),
      'WEBHOOKS, entry 2: secret must be whsec_ and the Base64 of 24 to 64 bytes',
    ]);
  });

  it('is refused with one sentence for each problem, without the value', async () => {
    const { app } = await start();
    const cases: [string, unknown, string][] = [
      ['no JSON', '[{', 'does not hold a JSON array'],
      ['a path that leads nowhere', '/no/such/file.json', 'path of a file'],
      ['an entry that is not an object', ['x'], 'entry 1: it must be an object'],
      ['no URL', [good, { secret: secretOf(1) }], 'entry 2: url is missing'],
      ['a private URL', [{ ...good, url: 'http://127.0.0.1/hook' }], 'entry 1: The URL cannot be used'],
      ['no secret', [{ url: URL }], 'entry 1: secret must be whsec_'],
      ['a short secret', [{ url: URL, secret: 'whsec_aHVudGVyMg==' }], 'entry 1: secret must be whsec_'],
      ['an unknown event type', [{ ...good, types: ['proof.lost'] }], 'entry 1: There is no event type "proof.lost"'],
      ['types that are not a list', [{ ...good, types: 'kv.patched' }], 'entry 1: types must be a list'],
      ['an unknown platform', [{ ...good, platform: 'myspace' }], 'entry 1: There is no platform "myspace"'],
      ['a broken key', [{ ...good, avatar: '0x02' }], 'entry 1: Not an Avatar public key'],
      ['one URL twice', [good, good], 'names one URL more than once'],
    ];

    for (const [what, webhooks, problem] of cases) {
      const setting = typeof webhooks === 'string' ? webhooks : JSON.stringify(webhooks);
      const environment = loadEnvironment({ WEBHOOKS: setting });
      const configured = new ConfiguredWebhooks(environment, app.get(WriteTransactions), app.get(WebhookRules));
      const failure = await configured.onModuleInit().catch((error: unknown) => error);

      expect({ what, failure }).toEqual({ what, failure: expect.any(InvalidEnvironmentError) });
      expect((failure as Error).message).toContain(problem);
      expect((failure as Error).message).not.toMatch(/whsec_\w{8}|hunter|127\.0\.0\.1/);
    }
  });
});

describe('the log of the service', () => {
  it('holds no secret, no admin token, and no URL of a receiver', async () => {
    const written: string[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation((chunk: unknown) => {
        written.push(String(chunk));
        return true;
      }),
    );
    try {
      const app = await start([{ url: `${URL}?token=of-the-receiver`, secret: secretOf(1) }], { LOG_LEVEL: 'debug' });
      const { subscription, secret } = await subscribe(app, { url: `${URL}?token=another` });
      receiver.handle(() => ({ status: 410 }));
      await announce(app);
      await until(async () => (await listed(app)).every(({ enabled }: { enabled: boolean }) => !enabled));
      await adminOf(app, `${ADMIN_TOKEN}-wrong`).get('/jobs');
      await app.app.get(WebhookSubscriptions).rotate(subscription.id);

      const log = written.join('');
      expect(log).toContain(`to subscription ${subscription.id} is given up: gone 410`);
      for (const word of [secret, secretOf(1), ADMIN_TOKEN, 'of-the-receiver', 'another', '?token']) {
        expect(log).not.toContain(word);
      }
    } finally {
      for (const each of spies) each.mockRestore();
    }
  });
});

describe('on the embedded database', () => {
  it('webhooks are sent and tried again in the same way', async () => {
    const app = await startApp({
      engine: 'embedded',
      env: { ADMIN_TOKEN, WEBHOOKS: JSON.stringify([{ url: URL, secret: secretOf(1) }]) },
      transport: await connectTo(receiver, [HOST]),
    });
    running.push(app);
    let failures = 0;
    receiver.handle(() => ((failures += 1) === 1 ? { status: 500 } : { status: 204 }));

    await announce(app);
    await until(async () => (await adminOf(app).get('/deliveries?status=delivered')).body.pagination.total === 1);

    expect(receiver.requests).toHaveLength(2);
    expect(verified(receiver.requests[1]!, secretOf(1)).type).toBe('kv.patched');
  });
});
