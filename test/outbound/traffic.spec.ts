import { jest } from '@jest/globals';
import { type Bound, OUTBOUND_SLOTS } from '../../src/bounds/bounds.js';
import { RefusalCounter } from '../../src/bounds/refusal-counter.js';
import { ARCHIVE_RATES } from '../../src/archive/archive.module.js';
import { PlatformUnavailableError, RequestBudget, type WebRequest } from '@signet/look';
import { ProcessSlots, WEBHOOK_PLATFORM } from '../../src/outbound/pacing/process-slots.js';
import { type WebClient } from '../../src/outbound/web-client.js';
import { testAuthority } from '../../packages/look/test/support/certificates.js';
import {
  connectNames,
  hugeBody,
  jsonReply,
  type StandIn,
  type StandInReply,
  startStandIn,
} from '../../packages/look/test/support/stand-in-server.js';
import { aClient, aRequest, expectUnavailable, HOST, OTHER_HOST, SHORT_LIMITS } from './hostile.js';

let platform: StandIn;
let stranger: StandIn;
let web: WebClient;
/** The bounds that have refused a request of `web`, in order. */
let refusedBy: Bound[];

beforeAll(async () => {
  platform = await startStandIn(() => jsonReply({}));
  stranger = await startStandIn(() => jsonReply({}), { tls: true });
});
beforeEach(async () => {
  platform.handle(() => jsonReply({}));
  stranger.handle(() => jsonReply({}));
  platform.requests.length = 0;
  stranger.requests.length = 0;
  const names = await connectNames({ [HOST]: stranger, [OTHER_HOST]: stranger });
  const limits = { ...SHORT_LIMITS, connectMs: 5_000, headersMs: 5_000 };
  web = aClient({ ...names, limits }, {}, countingInto((refusedBy = [])));
  web.rates.declare('github', GITHUB_RATES);
});
afterEach(async () => {
  jest.useRealTimers();
  await web.stop();
});
afterAll(() => Promise.all([platform.close(), stranger.close()]));

/** A counter that adds the bound of each refusal to `list`. */
function countingInto(list: Bound[]): RefusalCounter {
  const refusals = new RefusalCounter();
  refusals.counted.subscribe(({ by }) => list.push(by));
  return refusals;
}

/** What GitHub publishes. */
const GITHUB_RATES = { plain: { requests: 60, seconds: 3600 }, withToken: { requests: 5000, seconds: 3600 } };

const toPlatform = (more: Partial<WebRequest> = {}): WebRequest => ({
  url: `${platform.baseUrl}/thing`,
  trust: 'operator',
  platform: 'github',
  ...more,
});

/** Stops the calendar, which the test then sets; timers and sockets keep running. */
function stopCalendar(): (seconds: number) => void {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const timers = [
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
  ] as const;
  jest.useFakeTimers({ now, doNotFake: [...timers, 'nextTick', 'queueMicrotask', 'performance', 'hrtime'] });
  return (seconds) => {
    now += seconds * 1000;
    jest.setSystemTime(now);
  };
}

/** Answers that wait until the test lets them go. */
function heldReplies() {
  const waiting: ((headers: Record<string, string>) => void)[] = [];
  const arrivals: (() => void)[] = [];
  return {
    handler: () =>
      new Promise<StandInReply>((resolve) => {
        waiting.push((headers) => resolve(jsonReply({}, 200, headers)));
        arrivals.shift()?.();
      }),
    arrived: async (count: number) => {
      while (waiting.length < count) await new Promise<void>((resolve) => arrivals.push(resolve));
    },
    waiting,
    releaseAll: (headers = {}) => waiting.splice(0).forEach((release) => release(headers)),
  };
}

const failTimes = async (times: number, request: WebRequest) => {
  for (let i = 0; i < times; i++) await web.send(request).catch(() => undefined);
};

describe('a server that asks for peace', () => {
  it('is left alone for as long as it asked, and callers are told how long', async () => {
    const pass = stopCalendar();
    platform.handle(() => jsonReply({}, 429, { 'retry-after': '120' }));
    const first = await expectUnavailable(web.sendJson(toPlatform()));
    platform.handle(() => jsonReply({ back: true }));

    pass(100);
    const second = await expectUnavailable(web.sendJson(toPlatform()));
    pass(20);
    const { json } = await web.sendJson(toPlatform());

    expect([first.retryAfterSeconds, second.retryAfterSeconds, json]).toEqual([120, 20, { back: true }]);
    expect(platform.requests.length).toBe(2);
  });

  it('is left alone when its window is used up, though it answered', async () => {
    const pass = stopCalendar();
    const reset = String(Date.now() / 1000 + 600);
    platform.handle(() => jsonReply({}, 200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }));
    await web.sendJson(toPlatform());

    const error = await expectUnavailable(web.sendJson(toPlatform()));
    pass(600);
    await web.sendJson(toPlatform());

    expect(error.retryAfterSeconds).toBe(600);
  });

  it('is not asked sooner because an earlier answer arrives later', async () => {
    const pass = stopCalendar();
    const held = heldReplies();
    platform.handle(held.handler);
    const early = web.send(toPlatform());
    await held.arrived(1);
    platform.handle(() => jsonReply({}, 429, { 'retry-after': '100' }));
    await web.send(toPlatform());

    held.releaseAll({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '10' });
    await early;
    pass(20);

    expect((await expectUnavailable(web.send(toPlatform()))).retryAfterSeconds).toBe(80);
  });

  it('speaks for itself only', async () => {
    stranger.handle(() => jsonReply({}, 429, { 'retry-after': '120' }));
    await web.send(aRequest());
    stranger.handle(() => jsonReply({ fine: true }));

    await expectUnavailable(web.send(aRequest()));
    const { json } = await web.sendJson(aRequest({ url: `https://${OTHER_HOST}/` }));

    expect(json).toEqual({ fine: true });
  });

  it('is waited for when it is a moment only', async () => {
    const patient = aClient({ limits: { waitMs: 2_000 } });
    platform.handle(() => jsonReply({}, 429, { 'retry-after': '1' }));
    await patient.send(toPlatform());
    platform.handle(() => jsonReply({ back: true }));

    const { json } = await patient.sendJson(toPlatform());

    expect(json).toEqual({ back: true });
    await patient.stop();
  });
});

describe('a clock that was ahead, and was put back by hours', () => {
  const BACK = -3 * 3600;

  it('leaves no pause that a server had asked for', async () => {
    const pass = stopCalendar();
    platform.handle(() => jsonReply({}, 429, { 'retry-after': '120' }));
    await expectUnavailable(web.sendJson(toPlatform()));
    platform.handle(() => jsonReply({ back: true }));

    pass(BACK);

    expect((await web.sendJson(toPlatform())).json).toEqual({ back: true });
  });

  it('leaves no circuit open', async () => {
    const pass = stopCalendar();
    platform.handle(() => jsonReply({}, 500));
    await failTimes(10, toPlatform());
    const [open] = web.circuits();
    platform.handle(() => jsonReply({ back: true }));

    pass(BACK);

    expect(open).toMatchObject({ state: 'open' });
    expect((await web.sendJson(toPlatform())).json).toEqual({ back: true });
    expect(web.circuits()[0]).toMatchObject({ state: 'closed', failures: 0 });
  });
});

describe('the circuit of a platform', () => {
  it('opens after ten failures in a row, lets one through after 30 seconds, and closes when that succeeds', async () => {
    const pass = stopCalendar();
    platform.handle(() => jsonReply({}, 500));
    await failTimes(10, toPlatform());
    const [open] = web.circuits();

    const error = await expectUnavailable(web.send(toPlatform()));
    const whileOpen = [platform.requests.length, web.isPlatformAvailable('github')];
    pass(30);
    platform.handle(() => jsonReply({}));
    const [due] = web.circuits();
    await web.send(toPlatform());
    const [closed] = web.circuits();

    const key = `github@127.0.0.1:${platform.port}`;
    expect(open).toEqual({ key, state: 'open', failures: 10, open_until: '1772366430' });
    expect(error.retryAfterSeconds).toBe(30);
    expect(whileOpen).toEqual([10, false]);
    expect(due?.state).toBe('half_open');
    expect(closed).toEqual({ key, state: 'closed', failures: 0, open_until: '' });
    expect(web.isPlatformAvailable('github')).toBe(true);
  });

  it('opens again when the trial fails, and lets only one through for it', async () => {
    const pass = stopCalendar();
    platform.handle(() => 'cut');
    await failTimes(10, toPlatform());
    pass(30);
    const held = heldReplies();
    platform.handle(held.handler);

    const trial = web.send(toPlatform());
    await held.arrived(1);
    await expectUnavailable(web.send(toPlatform()));
    held.releaseAll();
    await trial;

    expect(platform.requests.length).toBe(11);
    platform.handle(() => jsonReply({}, 503));
    await failTimes(10, toPlatform());
    pass(30);
    await failTimes(1, toPlatform());
    await expectUnavailable(web.send(toPlatform()));
    expect(platform.requests.length).toBe(22);
  });

  it('stays closed while failures alternate with answers, and for answers that are only no', async () => {
    let count = 0;
    platform.handle(() => jsonReply({}, count++ % 10 === 9 ? 404 : 502));

    await failTimes(30, toPlatform());

    expect(web.circuits()[0]?.state).toBe('closed');
    platform.handle(() => jsonReply({}, 403));
    await failTimes(12, toPlatform());
    expect(web.circuits()[0]).toMatchObject({ state: 'closed', failures: 0 });
  });

  it('is not opened by what somebody posted, however large', async () => {
    platform.handle(() => hugeBody(100_000));
    await failTimes(12, toPlatform({ maxBytes: 1_000 }));

    expect(platform.requests.length).toBe(12);
    expect(web.circuits()[0]).toMatchObject({ state: 'closed', failures: 0 });
  });

  it('is one per server, so that a platform with a second one stays available', async () => {
    const second = await startStandIn(() => jsonReply({}));
    const toSecond = toPlatform({ url: second.baseUrl });
    await web.send(toSecond);
    platform.handle(() => jsonReply({}, 500));

    await failTimes(10, toPlatform());
    await web.send(toSecond);

    expect(
      web
        .circuits()
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['closed', 'open']);
    expect(web.isPlatformAvailable('github')).toBe(true);
    await second.close();
  });

  it('is not opened by hosts that users choose', async () => {
    stranger.handle(() => jsonReply({}, 500));
    await failTimes(12, aRequest());

    await expectUnavailable(web.send(aRequest()));
    stranger.handle(() => jsonReply({}));
    const { status } = await web.send(aRequest({ url: `https://${OTHER_HOST}/` }));

    expect(status).toBe(200);
    expect(stranger.requests.length).toBe(11);
    expect(web.isPlatformAvailable('activitypub')).toBe(true);
    expect(web.circuits().map(({ key, state }) => [key, state])).toEqual([
      [`activitypub@${HOST}`, 'open'],
      [`activitypub@${OTHER_HOST}`, 'closed'],
    ]);
  });

  it('can be closed by hand', async () => {
    platform.handle(() => jsonReply({}, 500));
    await failTimes(10, toPlatform());
    platform.handle(() => jsonReply({}));

    const found = [web.resetCircuit(`github@127.0.0.1:${platform.port}`), web.resetCircuit('github@nowhere')];

    expect(found).toEqual([true, false]);
    expect((await web.send(toPlatform())).status).toBe(200);
  });

  it('of a platform that was never asked counts as available', () => {
    expect(web.isPlatformAvailable('minds')).toBe(true);
  });
});

describe('a host that could not be reached', () => {
  it('is not tried again for a minute', async () => {
    const pass = stopCalendar();
    const lookups: string[] = [];
    const lookup = async (name: string) => {
      lookups.push(name);
      throw new Error('no such name');
    };
    const client = aClient({ lookup, limits: SHORT_LIMITS });

    await expectUnavailable(client.send(aRequest()));
    pass(59);
    await expectUnavailable(client.send(aRequest()));
    await expectUnavailable(client.send(aRequest({ url: `https://${OTHER_HOST}/` })));
    pass(1);
    await expectUnavailable(client.send(aRequest()));

    expect(lookups).toEqual([HOST, OTHER_HOST, HOST]);
    await client.stop();
  });

  it('is tried again at once if it is one of the operator', async () => {
    const dead = await startStandIn(() => jsonReply({}));
    await dead.close();

    await expectUnavailable(web.send(toPlatform({ url: dead.baseUrl })));
    await expectUnavailable(web.send(toPlatform({ url: dead.baseUrl })));

    expect(web.circuits()[0]?.failures).toBe(2);
  });
});

describe('the rate budget', () => {
  it('of GitHub without a token ends after 60 requests in an hour, and with one it does not', async () => {
    const pass = stopCalendar();
    await Promise.all(
      Array.from({ length: 60 }, () => web.send(toPlatform({ timeoutMs: 10_000 })).catch(() => undefined)),
    );
    await failTimes(60, toPlatform());
    const sent = platform.requests.length;

    const error = await expectUnavailable(web.send(toPlatform()));
    const withToken = await web.send(toPlatform({ headers: { Authorization: 'Bearer abc' } }));
    pass(3600);
    const later = await web.send(toPlatform());

    expect(sent).toBe(60);
    expect(error.retryAfterSeconds).toBe(3600);
    expect([withToken.status, later.status]).toEqual([200, 200]);
  });

  it('is what the operator says, where it is said', async () => {
    const byBounds: Bound[] = [];
    const settings = { RATE_BUDGETS: 'github=2/60' };
    const agreed = aClient({ limits: SHORT_LIMITS }, settings, countingInto(byBounds));
    const ask = () => agreed.send(toPlatform({ headers: { Authorization: 'Bearer abc' } }));

    await ask();
    await ask();
    await expectUnavailable(ask());
    await agreed.stop();

    expect(platform.requests.length).toBe(2);
    expect(byBounds).toEqual(['outbound_rate']);
  });

  it('of the archive lets a backlog of a hundred links through at once', async () => {
    web.rates.declare('arweave-upload', ARCHIVE_RATES);
    stopCalendar();
    const upload = () => web.send(toPlatform({ platform: 'arweave-upload' }));
    for (let sent = 0; sent < 100; sent += 4) await Promise.all(Array.from({ length: 4 }, upload));

    expect(platform.requests.length).toBe(100);
  });

  it('of a verification ends after its number of requests', async () => {
    const budget = new RequestBudget(2, 10_000);

    await web.send(toPlatform({ budget }));
    await web.send(toPlatform({ budget }));
    await expectUnavailable(web.send(toPlatform({ budget })));

    expect(platform.requests.length).toBe(2);
  });

  it('of a verification ends after its time, in the middle of a request if need be', async () => {
    const budget = new RequestBudget(8, 150);
    platform.handle(() => 'hang');

    await expectUnavailable(web.send(toPlatform({ budget })), 150);
    await expectUnavailable(web.send(toPlatform({ budget })), 0);

    expect(platform.requests.length).toBe(1);
  });

  it('of a verification counts the hops of a redirect', async () => {
    const budget = new RequestBudget(2, 10_000);
    stranger.handle(({ path }) => ({ status: 302, headers: { location: path } }));

    await expectUnavailable(web.sendFollowing(aRequest({ budget })));

    expect(stranger.requests.length).toBe(2);
  });
});

describe('requests at the same time', () => {
  it('are at most two for a host that a user chose, and the next ones wait', async () => {
    const held = heldReplies();
    stranger.handle(held.handler);
    const patient = aClient({ ...(await connectNames({ [HOST]: stranger })), limits: { waitMs: 10_000 } });

    const all = Promise.all(Array.from({ length: 5 }, () => patient.send(aRequest())));
    const most: number[] = [];
    for (let served = 0; served < 5; served += most.at(-1)!) {
      await held.arrived(Math.min(2, 5 - served));
      most.push(held.waiting.length);
      held.releaseAll();
    }

    expect((await all).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(most).toEqual([2, 2, 1]);
    await patient.stop();
  });

  it('are at most six for a platform', async () => {
    const held = heldReplies();
    platform.handle(held.handler);

    const all = Array.from({ length: 8 }, () => web.send(toPlatform()));
    await held.arrived(6);
    const refused = await Promise.allSettled(all.slice(6));
    held.releaseAll();
    await Promise.all(all.slice(0, 6));

    expect(
      refused.map((result) => result.status === 'rejected' && result.reason instanceof PlatformUnavailableError),
    ).toEqual([true, true]);
    expect(platform.requests.length).toBe(6);
    expect(refusedBy).toEqual(['outbound_host', 'outbound_host']);
  });

  it('of strangers hold up neither a platform nor a webhook, however many hang', async () => {
    const held = heldReplies();
    const hosts = Array.from({ length: 40 }, (_, i) => `social.fedi-${i}.org`);
    const receiver = 'hooks.alice.dev';
    const certificate = await (await testAuthority()).issue([...hosts, receiver]);
    const strangers = await startStandIn(held.handler, { tls: certificate });
    const hook = await startStandIn(() => ({ status: 204 }), { tls: certificate });
    const names = await connectNames({
      ...Object.fromEntries(hosts.map((host) => [host, strangers])),
      [receiver]: hook,
    });
    // Everything but the wait for a slot takes as long as a busy machine may need.
    const limits = { connectMs: 20_000, headersMs: 20_000, waitMs: 100 };
    const byBounds: Bound[] = [];
    const client = aClient({ ...names, limits }, { OUTBOUND_TIMEOUT_MS: '25000' }, countingInto(byBounds));

    const all = hosts.map((host) =>
      client.send(aRequest({ url: `https://${host}/` })).catch((error: unknown) => error),
    );
    await held.arrived(32);
    const { status } = await client.send(toPlatform());
    const told = await client.send(aRequest({ url: `https://${receiver}/`, method: 'POST', platform: 'webhook' }));
    const tooMany = await Promise.all(all.slice(32));
    held.releaseAll();
    await Promise.all(all);

    expect([status, told.status]).toEqual([200, 204]);
    expect(tooMany.every((outcome) => outcome instanceof PlatformUnavailableError)).toBe(true);
    expect(strangers.requests.length).toBe(32);
    expect(byBounds).toEqual(Array(8).fill('outbound_users'));
    await client.stop();
    await strangers.close();
    await hook.close();
  });

  it('of one domain leave slots for strangers of another, however many names it makes up', async () => {
    const held = heldReplies();
    const hosts = Array.from({ length: 40 }, (_, i) => `h${i}.fedi-one.org`);
    const certificate = await (await testAuthority()).issue(['*.fedi-one.org', OTHER_HOST]);
    const hanging = await startStandIn(held.handler, { tls: certificate });
    const other = await startStandIn(() => jsonReply({}), { tls: certificate });
    const names = await connectNames({
      ...Object.fromEntries(hosts.map((host) => [host, hanging])),
      [OTHER_HOST]: other,
    });
    const limits = { connectMs: 20_000, headersMs: 20_000, waitMs: 5_000 };
    const client = aClient({ ...names, limits }, { OUTBOUND_TIMEOUT_MS: '25000' });

    const all = hosts.map((host) =>
      client.send(aRequest({ url: `https://${host}/` })).catch((error: unknown) => error),
    );
    await held.arrived(8);
    const { status } = await client.send(aRequest({ url: `https://${OTHER_HOST}/` }));

    expect(status).toBe(200);
    expect(hanging.requests.length).toBe(8);
    const freeing = setInterval(() => held.releaseAll(), 20);
    await Promise.all(all);
    clearInterval(freeing);
    await client.stop();
    await hanging.close();
    await other.close();
  });

  it.each([
    ['outbound_operator', { platform: 'github', host: 'api.example', trust: 'operator' }],
    ['outbound_webhooks', { platform: WEBHOOK_PLATFORM, host: 'hooks.example', trust: 'user' }],
  ] as const)('are counted by the bound that refuses one more: %s', async (by, asked) => {
    const byBounds: Bound[] = [];
    const slots = new ProcessSlots(countingInto(byBounds));
    const { running } = OUTBOUND_SLOTS[by === 'outbound_webhooks' ? 'webhooks' : 'operator'];
    await Promise.all(Array.from({ length: running }, () => slots.acquire(asked, 10_000)));
    expect(byBounds).toEqual([]);

    await expect(slots.acquire(asked, 1)).rejects.toMatchObject({ kind: 'busy' });
    expect(byBounds).toEqual([by]);
  });

  it('free their slots when they fail', async () => {
    stranger.handle(() => 'cut');
    await Promise.all(Array.from({ length: 4 }, () => web.send(aRequest()).catch(() => undefined)));
    stranger.handle(() => jsonReply({}));

    expect((await web.send(aRequest())).status).toBe(200);
  });
});
