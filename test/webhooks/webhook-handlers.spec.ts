/** The handlers of @signet/sdk/webhook in three frameworks, in front of deliveries of the real service. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import {
  type EventFact,
  expressHandler,
  type FactHandler,
  fetchHandler,
  MemoryWebhookStore,
  nodeHandler,
  Webhook,
} from '@signet/sdk/webhook';
import { webhookSignature } from '@signet/verify';
import { WebhookSender } from '../../src/webhooks/webhook.sender.js';
import { WebhookSubscriptions } from '../../src/webhooks/webhook-subscriptions.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { attemptWhenDue, deliveriesOf, deliveryOnce, subscribe } from './receiver.js';

/** The frameworks: each makes a listener of Node of the handler under test. */
const FRAMEWORKS: Record<string, (webhook: Webhook, onFact: FactHandler) => RequestListener> = {
  Node: (webhook, onFact) => nodeHandler(webhook, onFact, { onError: () => {} }),
  Express: (webhook, onFact) => {
    const app = express();
    app.post('/hook', expressHandler(webhook, onFact));
    app.use(express.json());
    // As in an app: the default prints the stack.
    app.use(((error, _request, response, next) => {
      response.status(500).end();
      void [error, next];
    }) as express.ErrorRequestHandler);
    return app as never;
  },
  fetch: (webhook, onFact) => throughFetch(fetchHandler(webhook, onFact)),
};

/** What a framework of fetch does: a Request of what came, and 500 for what its handler throws. */
function throughFetch(handler: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    const { method = 'GET', headers } = incoming;
    const body = method === 'POST' ? { body: Readable.toWeb(incoming), duplex: 'half' } : {};
    const request = new Request('http://app.example/hook', { method, headers, ...body } as RequestInit);
    handler(request).then(
      async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        outgoing.end(await response.text());
      },
      () => outgoing.writeHead(500).end(),
    );
  };
}

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
});
afterAll(() => app?.close());

const remove = (id: string) => app.app.get(WebhookSubscriptions).remove(id);

describe.each(Object.keys(FRAMEWORKS))('a receiver in %s', (name) => {
  let server: Server;
  let url: string;
  let secret: string;
  let subscription: string;
  let facts: EventFact[];
  /** What the app does with a fact. */
  let onFact: FactHandler;
  let listener: RequestListener | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => listener?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  beforeEach(async () => {
    facts = [];
    onFact = (fact) => void facts.push(fact);
    const made = await subscribe(app, { url });
    [secret, subscription] = [made.secret, made.subscription.id];
    listener = FRAMEWORKS[name]!(new Webhook(secret), (fact) => onFact(fact));
  });
  afterEach(() => remove(subscription));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const post = async (body: string, headers: Record<string, string>, method = 'POST') => {
    const answer = await fetch(url, { method, headers, ...(method === 'POST' ? { body } : {}) });
    return { status: answer.status, body: await answer.text() };
  };
  /** Posts an event as the service would, at this position. */
  const send = (
    position: number,
    data: object,
    { type = 'proof.bound', at = Date.now(), id = `id-${position}` } = {},
  ) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: { ...data, position } });
    const signature = webhookSignature({ id, timestamp, body }, [secret]);
    return post(body, { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature });
  };
  const binding = { avatar: anAvatar(name).key.compressed, platform: 'github', identity: `of-${name}` };
  const handled = () => facts.map(({ type, data }) => `${type} ${data.position}`);

  it('hears of a binding and its revoke, typed, and each delivery counts as made', async () => {
    const [alice, wallet] = [anAvatar(`alice ${name}`), aWallet(name)];

    expect((await linkWallet(app, alice, wallet)).status).toBe(201);
    await until(() => facts.length === 1);
    expect((await linkWallet(app, alice, wallet, { action: 'delete' })).status).toBe(201);
    await until(() => facts.length === 2);

    const { compressed: avatar } = alice.key;
    expect(facts).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'proof.bound',
        timestamp: expect.stringMatching(/Z$/),
        data: expect.objectContaining({ avatar, platform: 'ethereum', identity: wallet.address }),
      },
      expect.objectContaining({ type: 'proof.revoked', data: expect.objectContaining({ avatar }) }),
    ]);
    for (const { id } of await deliveriesOf(app, subscription, 2))
      await deliveryOnce(app, id, ({ status }) => status === 'delivered');
  });

  it('fails a delivery that the app could not handle, which comes again and is handled then', async () => {
    let isBroken = true;
    onFact = (fact) => {
      if (isBroken) throw new Error('The database of the app is down.');
      facts.push(fact);
    };
    await linkWallet(app, anAvatar(`bob ${name}`), aWallet(`bob ${name}`));
    const [delivery] = await deliveriesOf(app, subscription, 1);
    const failed = await deliveryOnce(app, delivery!.id, ({ lastStatus }) => lastStatus !== null);
    isBroken = false;

    const after = await attemptWhenDue(app, delivery!.id);

    expect([failed.lastStatus, after.status, after.lastStatus]).toEqual([500, 'delivered', 204]);
    expect(facts).toHaveLength(1);
  });

  it('refuses what was not signed with its secret, or long ago, or is no POST, and handles none of it', async () => {
    const body = JSON.stringify({ type: 'proof.revoked', timestamp: new Date().toISOString(), data: binding });
    const now = Math.floor(Date.now() / 1000);
    const headersOf = (text: string, timestamp: number, by: string) => ({
      'webhook-id': 'forged',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature({ id: 'forged', timestamp: String(timestamp), body: text }, [by]),
    });
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

    const answers = [
      await post(body, {}),
      await post(body, headersOf(body, now, other)),
      await post(`${body} `, headersOf(body, now, secret)),
      await post(body, headersOf(body, now - 3600, secret)),
      await post('no event', headersOf('no event', now, secret)),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(answers.map((answer) => JSON.parse(answer.body).code)).toEqual(Array(5).fill('verification_failed'));
    expect((await post('', {}, 'GET')).status).toBe(name === 'Express' ? 404 : 405);
    expect(facts).toEqual([]);
  });

  it('reads no body that is longer than its bound, whatever its length says', async () => {
    const long = 'x'.repeat(70_000);
    const headers = {
      'webhook-id': 'long',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,x',
    };
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(120));
      },
    });

    expect(await post(long, headers)).toMatchObject({ status: 413, body: expect.stringContaining('65536 bytes') });
    const ended = await fetch(url, { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit).then(
      ({ status }) => status,
      () => 413,
    );
    expect(ended).toBe(413);
    // What fits into the buffers of a connection.
    expect(pulled).toBeLessThan(32 << 20);
  });

  it('handles a repeat once, and nothing that was overtaken', async () => {
    expect((await send(20, binding)).status).toBe(204);
    expect((await send(20, binding)).status).toBe(204);
    expect((await send(19, binding, { type: 'proof.revoked' })).status).toBe(204);
    expect((await send(18, { ...binding, identity: 'another' })).status).toBe(204);
    expect((await send(17, { ...binding, patch_id: 1 }, { type: 'kv.patched' })).status).toBe(204);
    for (const [position, uuid] of [[16, 'a'] as const, [15, 'b'] as const, [16, 'a'] as const])
      expect((await send(position, { ...binding, uuid }, { type: 'link.archived' })).status).toBe(204);
    expect((await send(21, binding, { type: 'proof.revoked' })).status).toBe(204);

    expect(handled()).toEqual([
      'proof.bound 20',
      'proof.bound 18',
      'kv.patched 17',
      'link.archived 16',
      'link.archived 15',
      'proof.revoked 21',
    ]);
  });

  it('handles one fact of a binding at a time, in the order of their positions', async () => {
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const log: string[] = [];
    onFact = async ({ data }) => {
      log.push(`begins ${data.position}`);
      if (data.position === 30) await waiting;
      log.push(`ends ${data.position}`);
    };
    const first = send(30, binding);
    await until(() => log.length === 1);
    const others = [send(31, binding), send(30, binding), send(29, binding)];
    await send(28, { ...binding, identity: 'another' });
    goOn();

    expect((await Promise.all([first, ...others])).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(log).toEqual(['begins 30', 'begins 28', 'ends 28', 'ends 30', 'begins 31', 'ends 31']);
  });

  it('begins anew where the positions of the server do, as behind a restored database', async () => {
    const later = Date.now() + 3_600_000;

    await send(40, binding);
    await send(3, binding, { at: later, type: 'proof.revoked' });
    await send(4, binding, { at: later });

    expect(handled()).toEqual(['proof.bound 40', 'proof.revoked 3', 'proof.bound 4']);
  });

  it('answers a test of the console, and a type of a later version, and handles neither', async () => {
    expect((await app.app.get(WebhookSender).sendTest(subscription)).status).toBe('delivered');
    expect((await send(50, binding, { type: 'proof.renewed' })).status).toBe(204);
    expect(facts).toEqual([]);
  });
});

describe('Webhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const body = JSON.stringify({ type: 'proof.bound', timestamp: '2026-11-27T00:00:00.000Z', data: { position: 1 } });
  const signed = (text = body) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = webhookSignature({ id: 'one', timestamp, body: text }, [secret]);
    return { 'webhook-id': 'one', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  };

  it('takes headers and the raw body too, in the forms in which frameworks have them', async () => {
    const webhook = new Webhook(secret);
    const fact = { id: 'one', type: 'proof.bound', timestamp: '2026-11-27T00:00:00.000Z', data: { position: 1 } };

    for (const headers of [signed(), new Headers(signed())])
      for (const given of [body, Buffer.from(body)])
        expect(await webhook.verify({ headers, body: given })).toEqual(fact);
    expect(await webhook.verify(new Request('http://app', { method: 'POST', headers: signed(), body }))).toEqual(fact);
  });

  it('reads CloudEvents as the facts that they are', async () => {
    const { subscription, secret: own } = await subscribe(app, { url: 'http://127.0.0.1:9/', format: 'cloudevents' });
    await linkWallet(app, anAvatar('cloud'), aWallet('cloud'));
    const [delivery] = await deliveriesOf(app, subscription.id, 1);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const message = { id: delivery!.messageId, timestamp, body: delivery!.body };
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': webhookSignature(message, [own]),
    };

    expect(await new Webhook(own).verify({ headers, body: message.body })).toEqual({
      id: message.id,
      type: 'proof.bound',
      timestamp: expect.stringMatching(/Z$/),
      data: expect.objectContaining({ avatar: anAvatar('cloud').key.compressed, position: expect.any(Number) }),
    });
    await remove(subscription.id);
  });

  it.each([undefined, '', 'secret', 'whsec_', `whsec_${Buffer.alloc(20).toString('base64')}`])(
    'refuses the secret %p, which it does not repeat',
    (given) => {
      expect(() => new Webhook(given)).toThrow(expect.objectContaining({ code: 'wrong_usage' }));
      expect(() => new Webhook(given)).toThrow('secret has to be that of the subscription');
    },
  );

  it('says what to do where the body was parsed before', async () => {
    const request = new Request('http://app', { method: 'POST', headers: signed(), body });
    await request.text();

    await expect(new Webhook(secret).verify(request)).rejects.toThrow('before anything parses it');
  });

  it('says so in Express too, and reads what express.raw has left', async () => {
    const failures: unknown[] = [];
    const facts: EventFact[] = [];
    const routes = express();
    const handler = expressHandler(new Webhook(secret), (fact) => void facts.push(fact));
    routes.post('/raw', express.raw({ type: '*/*' }), handler);
    routes.post('/parsed', express.json(), handler);
    routes.use(((error, _request, response, next) => {
      failures.push(error);
      response.status(500).end();
      void next;
    }) as express.ErrorRequestHandler);
    const server = createServer(routes as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const post = async (place: string) => {
      const headers = { ...signed(), 'content-type': 'application/json' };
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${place}`;
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    try {
      expect([await post('raw'), await post('parsed')]).toEqual([204, 500]);
    } finally {
      server.closeAllConnections();
      server.close();
    }

    expect(facts).toHaveLength(1);
    expect(failures).toEqual([expect.objectContaining({ code: 'wrong_usage' })]);
  });

  it('remembers no more subjects than it was told to', () => {
    const store = new MemoryWebhookStore(2);
    for (const [place, subject] of ['a', 'b', 'a', 'c'].entries())
      store.set(subject, { position: place, recordedAt: 0 });

    expect(['a', 'b', 'c'].map((subject) => store.get(subject)?.position)).toEqual([2, undefined, 3]);
  });
});
