import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import { gistReply } from '../rechecks/due-proofs.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { type RateName, ROUTE_CLASSES } from '../../src/bounds/bounds.js';
import { chargeOf } from '../../src/http/server/served-as.js';
import { pointsOfBytes, quotasOf } from '../../src/operations/limits/rate-limits.js';
import { pageFiles } from '../../src/page/page-files.js';
import { chargeOfLookUp } from '../../src/proof/look-up/look-up-charge.js';
import { chargeOfKeyEvent, chargeOfState } from '../../src/keys/key-charge.js';
import { chargeOfResolve } from '../../src/resolve/resolve.dto.js';
import { keyPayload, signedKeyEvent } from '../keys/key-scenario.js';
import { anAvatar } from '../support/avatar.js';
import { slownessNow } from '../../packages/look/test/support/cpu-time.js';
import { classesOf, cpuMsOf, databaseCpuMs, routesOf, usedBetween, WITH_PROBES } from '../support/cpu-time.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { KEYRINGS, type LargeData, seedLargeData, seedLinks } from '../support/large-data.js';
import { openSse, type SseReader } from '../support/sse-client.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { sized } from '../support/tier.js';
import { until } from '../support/until.js';
import { TestLog } from '../witness/test-log.js';
import { hostilePosts, type HostileRequest, postOf } from './hostile-requests.js';
import {
  bodiesGoTo,
  CROWDED,
  NO_ROUTE,
  ROUTES,
  type Service,
  servicesOf,
  togetherGoTo,
  UNMEASURED,
  type World,
} from './route-requests.js';

/** The rule of docs/threat-model.md: what one request without a valid signature may cost, of service and database. */
const MAX_CPU_MS = 50;
/** Avatars that hold one name, which one client of the usual limits could bind in hours; `test:long` has a day's. */
const HOLDERS_OF_A_NAME = sized('COST_HOLDERS', { short: 20_000, long: 216_000 });
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/** A quarter of one core in the minute of a rate limit. */
const MAX_CPU_MS_A_MINUTE = 15_000;
/** Measurements of a request before it counts as too dear. */
const TRIES = 12;
/** Measurements of a stream, which takes seconds. */
const STREAM_TRIES = 3;
/** Requests that are sent at a time where only their sum is looked at. */
const TOGETHER = 8;
/** As many requests as usually stay below the limit in all, of those that are measured together. */
const MEASURED_TOGETHER = 32;
/** Events that a stream reads from the database at a time, and positions that it looks through for a filter. */
const PAGE_OF_EVENTS = 100;
const PAGE_OF_POSITIONS = 5000;
/** Links of the log of the second service: 1,000 of one Avatar and those of an identity of many, no whole bundles. */
const LOGGED = 2000;
const HOLDERS = 1000;

const avatar = anAvatar('cost');
const PATCH = { avatar: avatar.key.compressed, platform: 'self', identity: avatar.key.uncompressed };

/** What very many observers said of one link, with the longest identity. */
const MANY_STATEMENTS = `
  insert into seen_statement (link_hash, signer, avatar, platform, identity, uuid, is_seen, seen_at, line, feed_id)
  select '${'0'.repeat(64)}', n || '.example/seen', $1, 'github', repeat('x', 256), gen_random_uuid(), true, now(),
    '\u2014 ' || repeat('x', 250), n from generate_series(1, 20000) as n`;
/** What one observer said of each link of a name that very many Avatars hold. */
const CROWD_STATEMENTS = `
  insert into seen_statement (link_hash, signer, avatar, platform, identity, uuid, is_seen, seen_at, line, feed_id)
  select encode(sha256(n::text::bytea), 'hex'), 'eye.example/seen', '0x02' || encode(sha256(n::text::bytea), 'hex'), 'github',
    '${CROWDED}', gen_random_uuid(), true, now(), '\u2014 ' || repeat('x', 250), 20000 + n from generate_series(1, $1::int) as n`;
/** Links of Avatars that hold one name; the log and the map take them in without a look at their signatures. */
const CROWD = `
  insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload)
  select $1::int + n, '0x02' || encode(sha256(n::text::bytea), 'hex'), 1, 'create', 'github', '${CROWDED}', now(), gen_random_uuid(),
    'c2lnbmF0dXJl', '{}'
  from generate_series(1, $2::int) as n`;
const watched = new TestLog('watched.example/log', 5, ['one', 'two']);
/** The text that the gist of each name holds. */
const gists = new Map<string, string>();

/** One of the services, and a connection to its database for looking at what that works. */
interface Measured {
  service: ServiceProcess;
  database: pg.Client;
}
let measured: Record<Service, Measured>;
/** The first service: most of what is below is about it. */
let service: ServiceProcess;
let large: LargeData;
let worlds: Record<Service, World>;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const github = await startStandIn(({ path }) => {
    const name = path.split('/').at(-1)!;
    return gistReply(name, 7, avatar, gists.get(name) ?? '');
  });
  closing.push(() => github.close());
  large = await seedLargeData(first.url, HOLDERS_OF_A_NAME);
  await seedLinks(second.url, avatar.key.compressed, LOGGED - HOLDERS);
  await seedCrowd(second.url);
  const common = { ...WITH_PROBES, EVENT_HEARTBEAT_SECONDS: '1', ADMIN_TOKEN: 'a'.repeat(64) };
  measured = {
    large: await start(first, {
      ...common,
      ...{ LOG: 'off', PLATFORMS: 'ethereum,solana', PUBLIC_URL: 'https://id.alice.dev' },
    }),
    whole: await start(second, {
      ...common,
      ...{ DIALECT: 'nextid', WITNESS: 'on', WITNESS_LOGS: `log ${watched.verifierKey}` },
      LOOK_AT: 'http://127.0.0.1:9',
      ...{ GITHUB_API_BASE: github.baseUrl, GITHUB_TOKEN: 'token', REVALIDATION: 'off' },
    }),
  };
  service = measured.large.service;
  await until(async () => (await measured.whole.service.get('/v1/log')).body.size > LOGGED);
  await measured.whole.database.query(MANY_STATEMENTS, [avatar.key.compressed]);
  await measured.whole.database.query(CROWD_STATEMENTS, [HOLDERS_OF_A_NAME]);
  await measured.whole.database.query('vacuum analyze seen_statement');
  await send('whole', postOf('/witness/add-checkpoint', 'the first checkpoint', await watched.request(0)));
  worlds = { large: await worldOf('large'), whole: await worldOf('whole') };
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function seedCrowd(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(CROWD, [LOGGED - HOLDERS, HOLDERS]).finally(() => client.end());
}

async function start({ url, drop }: TestDatabase, env: Record<string, string>): Promise<Measured> {
  closing.push(drop);
  // With code that is compiled for speed, as operators have it.
  const started = await startService({ DATABASE_URL: url, ...env }, undefined, undefined, []);
  closing.push(() => started.kill9());
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  closing.push(() => database.end());
  return { service: started, database };
}

async function worldOf(which: Service): Promise<World> {
  const { service: asked } = measured[which];
  const { body } = await asked.get('/v1/proofchain/changes?last_id=0&count=10');
  const { body: about } = await asked.get('/v1/platforms');
  const [{ uuid, platform, identity }] = body.links as [World['link']];
  return {
    large,
    platforms: [about.service_name, ...about.platforms.map((one: { platform: string }) => one.platform)] as string[],
    link: { uuid, platform, identity },
    asset: largestAsset(),
    checkpoint: watched.checkpoint(),
    originHash: createHash('sha256').update(watched.origin).digest('hex'),
    posts: which === 'whole' ? await hostileSubmits(asked) : [],
    badlySigned: {
      // The second is the longest for which usual mistakes of signing are tried.
      [64 * 1024 - 1]: await badlySigned(asked, 64 * 1024 - 1),
      3585: await badlySigned(asked, 3585),
    },
    oneTooMany: which === 'large' ? await keyEventsTooMany(asked) : {},
  };
}

/** The address of the largest script of the page, whose name changes with its content. */
function largestAsset(): string {
  const files = [...pageFiles()!].filter(([, { isHashed }]) => isHashed);
  return files.toSorted(([, one], [, other]) => other.content.identity.length - one.content.identity.length)[0]![0];
}

/** A submit that fails for nothing but its signature, made by another key over a text that is as long as may be. */
async function badlySigned(asked: ServiceProcess, patchBytes: number): Promise<string> {
  const begun = { ...PATCH, patch: { text: '"'.repeat((patchBytes - 11) / 2) } };
  const { body: payload } = await asked.post('/v1/kv/payload', begun);
  const signature = anAvatar('somebody else').sign(payload.sign_payload);
  return JSON.stringify({ ...begun, uuid: payload.uuid, created_at: payload.created_at, signature });
}

/** Key events of Avatars that have as many as one may have; a server learns that from all of them. */
async function keyEventsTooMany(asked: ServiceProcess): Promise<World['oneTooMany']> {
  const recovery = [`key:${'1'.repeat(64)}`];
  const said = [{ action: 'key.commit', fields: { recovery } } as const, { action: 'key.succeed' } as const];
  const bodies: World['oneTooMany'] = {};
  for (const [kind, owner] of Object.entries(KEYRINGS)) {
    for (const { action, ...rest } of said) {
      const fields = action === 'key.succeed' ? { successor: avatar.key.compressed } : rest.fields;
      const { body: payload } = await keyPayload(asked, owner, action, fields);
      const signers = action === 'key.succeed' ? { successor: avatar } : {};
      const body = signedKeyEvent(payload, owner, action, signers);
      const answer = await asked.post('/v1/keys', body);
      if (answer.body.code !== 'too_many_key_events') throw new Error(JSON.stringify(answer.body));
      bodies[`a ${action} behind as many ${kind} as may be`] = JSON.stringify(body);
    }
  }
  return bodies;
}

/** Submits that need no signature in themselves: of gists whose text is made to cost time. */
async function hostileSubmits(asked: ServiceProcess): Promise<HostileRequest[]> {
  const requests: HostileRequest[] = [];
  for (const [what, text] of hostilePosts(64 * 1024 - 8)) {
    const identity = what.replaceAll(' ', '-').slice(0, 39);
    gists.set(identity, text);
    const link = { action: 'create', platform: 'github', identity, public_key: avatar.key.compressed };
    const { body: payload } = await asked.post('/v1/proof/payload', link);
    const { uuid, created_at } = payload;
    const body = { ...link, uuid, created_at, proof_location: identity };
    requests.push(postOf('/v1/proof', `a gist of ${what}`, JSON.stringify(body)));
  }
  return requests;
}

interface Cost {
  cpuMs: number;
  databaseMs: number;
  bytes: number;
  status: number;
}

const isCheap = ({ cpuMs, databaseMs }: Pick<Cost, 'cpuMs' | 'databaseMs'>) => cpuMs + databaseMs < MAX_CPU_MS;

/** Milliseconds of the processor for one point of each rate limit: that of the dearest request so far. */
const dearest = new Map<RateName, { ms: number; what: string }>();

/** Requests of these routes count for more than one, by what they ask. */
const CHARGES: Record<string, typeof chargeOfLookUp> = {
  'GET /v1/keys': chargeOfState,
  'POST /v1/keys': chargeOfKeyEvent,
  'GET /v1/proof': chargeOfLookUp,
  'GET /v1/resolve': chargeOfResolve,
};
/** A part of a route, such as `:id`, perhaps with the form that it has: `:file(^.+\\.atom$)`. */
const PARAMETER = /:\w+(?:\(\^(.*?)\$\))?/g;

/** What the server knows of the route of a path; of several that match the one with the most words. */
function routeOf(method = 'GET', pathname: string): Pick<FastifyRequest, 'routeOptions'> {
  const matches = Object.entries(classesOf(service))
    .filter(([route]) =>
      new RegExp(`^${route.replace(PARAMETER, (_, form) => form ?? '[^/]+').replace('*', '.*')}$`).test(
        `${method} ${pathname}`,
      ),
    )
    .sort(([one], [other]) => other.replace(/:\w+|\*/g, '').length - one.replace(/:\w+|\*/g, '').length);
  const [route, name] = matches[0] ?? [];
  const config = { class: name, ...(route && CHARGES[route] && { chargeOf: CHARGES[route] }) };
  return { routeOptions: { config } } as unknown as Pick<FastifyRequest, 'routeOptions'>;
}

/** What a point of the request's limit costs, where that is more than all before it; otherwise null. */
function newDearest(
  path: string,
  init: Partial<NonNullable<HostileRequest['init']>>,
  { cpuMs, bytes }: Pick<Cost, 'cpuMs' | 'bytes'>,
) {
  const { pathname, searchParams } = new URL(path, service.baseUrl);
  const query = Object.fromEntries(searchParams);
  const { name, points } = chargeOf({ method: init.method ?? 'GET', query, ...routeOf(init.method, pathname) }, 'self');
  const { rate } = ROUTE_CLASSES[name];
  if (rate === null) return null;
  const ofBytes = pointsOfBytes(String((init.body ?? '').length), false, bytes);
  const ms = cpuMs / (points + ofBytes);
  return ms > (dearest.get(rate)?.ms ?? 0) ? { name: rate, ms } : null;
}

const addressOf = ({ path }: HostileRequest) => (typeof path === 'function' ? path() : path);

/** Status and length of the answer; of a stream, which has no end, nothing is read. */
async function send(which: Service, request: HostileRequest): Promise<{ status: number; bytes: number }> {
  const answer = await fetch(`${measured[which].service.baseUrl}${addressOf(request)}`, request.init ?? {});
  const { status } = answer;
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    await answer.body!.cancel();
    return { status, bytes: 0 };
  }
  return { status, bytes: (await answer.arrayBuffer()).byteLength };
}

/** What the service and its database work while `work` is done, in milliseconds of a machine that is not busy. */
async function workOf(which: Service, work: () => Promise<unknown>): Promise<{ cpuMs: number; databaseMs: number }> {
  const { service: asked, database } = measured[which];
  const [databaseBefore, before] = [await databaseCpuMs(database), await cpuMsOf(asked)];
  await work();
  const cpuMs = (await cpuMsOf(asked)) - before;
  const databaseMs = usedBetween(databaseBefore, await databaseCpuMs(database));
  return { cpuMs: cpuMs / slownessNow(), databaseMs: databaseMs / slownessNow() };
}

/**
 * What one request of this kind costs, behind one that also pays for what is compiled and read once. What else runs on
 * the machine can only make a measurement larger, never smaller, so one above the limit, or above all others of its
 * limit of requests, is taken again, and the smallest counts.
 */
async function costOf(which: Service, request: HostileRequest, isCounted = which === 'large'): Promise<Cost> {
  let last = await send(which, request);
  let least = { cpuMs: Infinity, databaseMs: Infinity };
  const address = addressOf(request);
  const ofClass = () => (isCounted ? newDearest(address, request.init ?? {}, { ...last, ...least }) : null);
  const isDear = () => !isCheap(least) || ofClass() !== null;
  for (let again = 0; again < TRIES && isDear(); again += 1) {
    const { cpuMs, databaseMs } = await workOf(which, async () => {
      last = await send(which, request);
    });
    least = { cpuMs: Math.min(least.cpuMs, cpuMs), databaseMs: Math.min(least.databaseMs, databaseMs) };
  }
  const name = `${request.init?.method ?? 'GET'} ${address.slice(0, 40)} with ${request.what}`;
  const cost = { ...last, ...least };
  process.stdout.write(
    `request cost: ${name}: ${cost.cpuMs.toFixed(1)} ms, database ${cost.databaseMs.toFixed(1)} ms, ${cost.bytes} bytes, status ${cost.status}\n`,
  );
  const found = ofClass();
  if (found) dearest.set(found.name, { ms: found.ms, what: name });
  return cost;
}

async function expectCheap(which: Service, request: HostileRequest, isCounted?: boolean): Promise<void> {
  const { status, bytes, cpuMs, databaseMs } = await costOf(which, request, isCounted);
  problems.push(...problemsOf(request, { status, bytes }));
  if (isCheap({ cpuMs, databaseMs })) return;
  problems.push(`${request.what}: ${cpuMs.toFixed(1)} ms, ${databaseMs.toFixed(1)} ms of the database`);
}

/** What is wrong with the answers to the requests of one test. */
const problems: string[] = [];

function problemsOf({ what }: HostileRequest, { status, bytes }: { status: number; bytes: number }): string[] {
  if (status >= 500) return [`${what}: status ${status}`];
  return bytes >= MAX_ANSWER_BYTES ? [`${what}: ${bytes} bytes`] : [];
}

/** Sends all, a few at a time. */
async function sendAll(which: Service, requests: HostileRequest[]): Promise<void> {
  for (let begin = 0; begin < requests.length; begin += TOGETHER) {
    const some = requests.slice(begin, begin + TOGETHER);
    const answers = await Promise.all(some.map((request) => send(which, request)));
    problems.push(...some.flatMap((request, index) => problemsOf(request, answers[index]!)));
  }
}

/** Where all together stay below the limit, each of them does; where they do not, each half is looked at. */
async function expectCheapTogether(which: Service, requests: HostileRequest[]): Promise<void> {
  const [only, other] = requests;
  if (!other) return only && expectCheap(which, only);
  const { cpuMs, databaseMs } = await workOf(which, () => sendAll(which, requests));
  if (isCheap({ cpuMs, databaseMs })) return;
  const half = Math.ceil(requests.length / 2);
  await expectCheapTogether(which, requests.slice(0, half));
  await expectCheapTogether(which, requests.slice(half));
}

it('is known what every route costs: each has its requests in route-requests.ts, or a reason why it has none', () => {
  const registered = new Set([...routesOf(measured.large.service), ...routesOf(measured.whole.service)]);
  const isMeasured = (route: string) => !UNMEASURED.some(([routes]) => routes.test(route));

  expect([...registered].filter(isMeasured).sort()).toEqual(Object.keys(ROUTES).sort());
});

describe('a request without a valid signature costs a bounded time of the processor', () => {
  const cases = Object.entries({ ...ROUTES, 'GET of a path that no route serves': NO_ROUTE }).flatMap(
    ([route, requests]) => servicesOf(requests).map((which) => [route, which, requests] as const),
  );
  it.each(cases)('as %s of the %s service', async (route, which, requests) => {
    problems.length = 0;
    const { bodies, each, together } = requests;
    for (const request of each?.(worlds[which]) ?? []) await expectCheap(which, request);
    const sentBodies = (bodiesGoTo(route, requests).includes(which) && bodies?.()) || [];
    const isCounted = servicesOf(requests).includes('large');
    for (const request of sentBodies) await expectCheap(which, request, isCounted);
    const many = (togetherGoTo(route, requests).includes(which) && together?.(worlds[which])) || [];
    await sendAll(which, many.slice(0, 2 * TOGETHER));
    for (let begin = 0; begin < many.length; begin += MEASURED_TOGETHER) {
      await expectCheapTogether(which, many.slice(begin, begin + MEASURED_TOGETHER));
    }

    expect(problems).toEqual([]);
  });

  it('even as GET /v1/kv of the 4 MiB that one Avatar may have, the one answer above 2 MB', async () => {
    const path = `/v1/kv?avatar=${large.hoarder}`;

    const cost = await costOf('large', { what: '4 MiB', path });

    expect(cost).toMatchObject({ status: 200 });
    expect(cost.bytes).toBeGreaterThan(4_000_000);
    expect(cost.cpuMs).toBeLessThan(MAX_CPU_MS);
  });
});

/** Milliseconds of the processor for one page of old events that a stream reads from the database. */
let replayMs = NaN;

describe('an event stream from the beginning', () => {
  const open = async (query: string, isEnough: (reader: SseReader) => boolean): Promise<SseReader> => {
    const reader = await openSse(service.baseUrl, `/v1/events?after=0${query}`);
    await reader.until(isEnough);
    reader.close();
    await reader.ended;
    return reader;
  };
  const isAt = (position: number) => (reader: SseReader) => Number(reader.lastEventId) >= position;
  const isOpen = (reader: SseReader) => reader.messages.length > 0;
  /** The smallest of some measurements, as for requests. */
  const cpuMsOfWork = async (work: () => Promise<unknown>): Promise<number> => {
    await work();
    const figures: number[] = [];
    for (let time = 0; time < STREAM_TRIES; time += 1) figures.push((await workOf('large', work)).cpuMs);
    return Math.min(...figures);
  };

  it('costs little to open', async () => {
    const cpuMs = await cpuMsOfWork(() => open(`&avatar=${avatar.key.compressed}`, isOpen));
    process.stdout.write(`request cost: opening a stream: ${cpuMs.toFixed(1)} ms\n`);
    dearest.set('streams', { ms: cpuMs, what: 'opening a stream' });

    expect(cpuMs).toBeLessThan(MAX_CPU_MS);
  });

  it.each([
    ['all events', '', PAGE_OF_EVENTS],
    ['the events of one Avatar, which are few', () => `&avatar=${large.hoarder}`, PAGE_OF_POSITIONS],
  ])('costs a bounded time for each page of %s', async (what, query, positionsOfPage) => {
    const cpuMs = await cpuMsOfWork(() => open(typeof query === 'string' ? query : query(), isAt(large.events)));
    const pageMs = cpuMs / (large.events / positionsOfPage);
    process.stdout.write(
      `request cost: ${large.events} events, of which are asked ${what}: ${cpuMs.toFixed(0)} ms, a page ${pageMs.toFixed(2)} ms\n`,
    );
    replayMs = Math.max(pageMs, Number.isNaN(replayMs) ? 0 : replayMs);

    expect(pageMs).toBeLessThan(MAX_CPU_MS);
  });
});

describe('what one address may ask in a minute', () => {
  /** Admin calls need the token; submits are counted as payloads too; what streams replay is counted by itself. */
  const CLASSES: RateName[] = ['reads', 'searches', 'documents', 'payloads', 'streams'];

  it('costs a quarter of one core at most in all, even where all of it are the dearest requests above', () => {
    const quotas = new Map(quotasOf(loadEnvironment({})).map(({ name, limit }) => [name, limit]));

    const minutes = CLASSES.map((name) => {
      const { ms, what } = dearest.get(name) ?? { ms: NaN, what: 'nothing' };
      return { name: name as string, what, cpuMs: Math.round(ms * quotas.get(name)!) };
    });
    const { RATE_LIMIT_REPLAYS } = loadEnvironment({});
    minutes.push({ name: 'replays', what: 'pages of streams', cpuMs: Math.round(replayMs * RATE_LIMIT_REPLAYS) });

    for (const { name, what, cpuMs } of minutes) {
      process.stdout.write(`request cost of a minute: ${name}: ${cpuMs} ms by ${what}\n`);
    }
    expect(minutes.reduce((sum, { cpuMs }) => sum + cpuMs, 0)).toBeLessThan(MAX_CPU_MS_A_MINUTE);
  });
});
