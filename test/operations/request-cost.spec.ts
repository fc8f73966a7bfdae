import { loadEnvironment } from '../../src/config/environment.js';
import { chargeOf, pointsOfBytes, quotasOf, type RouteClass } from '../../src/operations/rate-limit-classes.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { cpuMsOf, slowness, WITH_CPU_PROBE } from '../support/cpu-time.js';
import { createTestDatabase } from '../support/database.js';
import { type LargeData, seedLargeData } from '../support/large-data.js';
import { openSse, type SseReader } from '../support/sse-client.js';
import { type ServiceProcess, startService } from '../support/service-process.js';

/** The rule of docs/threat-model.md: what one request without a valid signature may cost. */
const MAX_CPU_MS = 50;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/** A quarter of one core in the minute of a rate limit. */
const MAX_CPU_MS_A_MINUTE = 15_000;
const BODY_BYTES = 1024 * 1024;
/** The first request of a kind also pays for what is compiled and read once. */
const REQUESTS = 4;
/** Measurements of a request before it counts as too dear. */
const TRIES = 5;
/** Events that a stream reads from the database at a time, and positions that it looks through for a filter. */
const PAGE_OF_EVENTS = 100;
const PAGE_OF_POSITIONS = 5000;

const avatar = anAvatar('cost');
const wallet = aWallet('cost');
const LINK = { action: 'create', platform: 'ethereum', identity: wallet.address, public_key: avatar.key.compressed };
const SUBMIT = { ...LINK, uuid: '909353ef-a9bb-4b4b-be79-a1e4eb82bd57', created_at: '1763700000' };
const PATCH = { avatar: avatar.key.compressed, platform: 'self', identity: avatar.key.uncompressed };
const KV_SUBMIT = {
  ...PATCH,
  uuid: SUBMIT.uuid,
  created_at: 1763700000,
  signature: Buffer.alloc(65).toString('base64'),
};

let service: ServiceProcess;
let drop: () => Promise<void>;
let large: LargeData;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  large = await seedLargeData(database.url);
  service = await startService({
    DATABASE_URL: database.url,
    LOG: 'off',
    PLATFORMS: 'ethereum,solana',
    ...WITH_CPU_PROBE,
    EVENT_HEARTBEAT_SECONDS: '1',
  });
  for (let round = 0; round < 20; round += 1) {
    await service.post('/v1/proof/payload', LINK);
    await service.get(`/v1/proof?identity=${wallet.address}`);
  }
}, 120_000);
afterAll(async () => {
  await service?.kill9();
  await drop?.();
});

/** As many items as fit into a body beside its other members. */
const filled = (item: (index: number) => string, size = BODY_BYTES - 1024): string => {
  const items: string[] = [];
  for (let bytes = 0; bytes < size; bytes += items.at(-1)!.length + 1) items.push(item(items.length));
  items.pop();
  return items.join();
};
/** About 120,000 in a whole body, which is more than a body may hold. */
const members = (size?: number): string => filled((index) => `"m${index}":0`, size);
/** As many as a body may hold. */
const longMembers = (): string => filled((index) => `"unknown member ${index}${' '.repeat(70)}":0`);
const openObject = (value: object): string => JSON.stringify(value).slice(0, -1);

const BODIES: [string, object, string][] = [
  ['unknown members', LINK, members()],
  ['as many unknown members as are read', LINK, longMembers()],
  ['the same member again and again', LINK, filled(() => '"m":0')],
  ['members that look like indexes of a list', LINK, filled((index) => `"${index * 7919}":0`)],
  ['one list of numbers', LINK, `"list":[${filled(() => '0')}]`],
  ['one list of objects', LINK, `"list":[${filled(() => '{}')}]`],
  ['a text with an escape for each character', LINK, `"text":"${'\\u0061'.repeat(BODY_BYTES / 6 - 100)}"`],
  ['a text of the whole size', LINK, `"text":"${'x'.repeat(BODY_BYTES - 1024)}"`],
  ['white space', LINK, `"text":0${' '.repeat(BODY_BYTES - 1024)}`],
  ['structures as deep as they come', LINK, `"deep":${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  [
    'many structures of the depth that is allowed',
    LINK,
    filled((index) => `"d${index}":${'['.repeat(590)}${']'.repeat(590)}`),
  ],
  ['a declared text that is an object', LINK, `"identity":{${longMembers()}}`],
  ['a declared text that is a list', LINK, `"identity":[${filled(() => '"one of very many texts"')}]`],
  ['a declared text of the whole size', LINK, `"identity":"${'x'.repeat(BODY_BYTES - 1024)}"`],
  ['a key of the whole size', LINK, `"public_key":"0x${'a'.repeat(BODY_BYTES - 1024)}"`],
];
const SUBMIT_BODIES: typeof BODIES = [
  ['unknown members', SUBMIT, members()],
  ['extra with unknown members', SUBMIT, `"extra":{${longMembers()}}`],
  ['extra as a list', SUBMIT, `"extra":[${filled(() => `{"signature":"one of very many texts${' '.repeat(55)}"}`)}]`],
  ['signatures of the whole size', SUBMIT, `"extra":{"signature":"${'A'.repeat(BODY_BYTES - 1024)}"}`],
  ['a location of the whole size', SUBMIT, `"proof_location":"${'%2'.repeat(BODY_BYTES / 2 - 600)}"`],
];
const KV_BODIES = (start: object): typeof BODIES => [
  ['unknown members', { ...start, patch: {} }, members()],
  ['a patch of members', start, `"patch":{${longMembers()}}`],
  ['a patch of members that just pass', start, `"patch":{${members(64_000)}}`],
  [
    'a patch of objects',
    start,
    `"patch":{"list":[${filled(() => `{"one of":"very many objects in a list${' '.repeat(55)}"}`)}]}`,
  ],
  ['a patch of numbers', start, `"patch":{"list":[${filled(() => '1.234567890123456e+300')}]}`],
  ['a patch of escapes', start, `"patch":{"text":"${'\\u0061'.repeat(BODY_BYTES / 6 - 200)}"}`],
  ['a patch of one text', start, `"patch":{"text":"${'x'.repeat(BODY_BYTES - 1024)}"}`],
  ['a deep patch', start, `"patch":${'{"a":'.repeat(500)}0${'}'.repeat(500)}`],
];
const POSTS = [
  ...BODIES.map(([what, ...body]) => ['/v1/proof/payload', what, ...body] as const),
  ...SUBMIT_BODIES.map(([what, ...body]) => ['/v1/proof', what, ...body] as const),
  ...KV_BODIES(PATCH).map(([what, ...body]) => ['/v1/kv/payload', what, ...body] as const),
  ...KV_BODIES(KV_SUBMIT).map(([what, ...body]) => ['/v1/kv', what, ...body] as const),
];

const LONG = 15_000;
const GETS = [
  ['many parameters', `/v1/proof?identity=x&${filled((index) => `p${index}=`, LONG).replaceAll(',', '&')}`],
  ['a parameter again and again', `/v1/proof?${'identity=x&'.repeat(LONG / 11)}`],
  ['parameters without names', `/v1/proof?identity=x${'&'.repeat(LONG)}`],
  ['a text of percent signs', `/v1/proof?identity=${'%25'.repeat(LONG / 3)}`],
  ['a text that cannot be decoded', `/v1/proof?identity=${'%ff'.repeat(LONG / 3)}`],
  [
    'fifty short terms',
    `/v1/proof?identity=${Array.from({ length: 50 }, (_, n) => String.fromCharCode(97 + (n % 26)) + (n > 25 ? 'x' : '')).join()}`,
  ],
  ['more terms than are allowed', `/v1/proof?identity=${'a,'.repeat(LONG / 2)}`],
  ['a far page', `/v1/proof?identity=a&page=100000000`],
  ['a long key', `/v1/kv?avatar=0x${'a'.repeat(LONG)}`],
  ['the feed', `/v1/proofchain/changes?last_id=0&count=100`],
  ['a long path', `/${'a/'.repeat(LONG / 2)}`],
  ['the description', '/openapi.json'],
  ['the metrics', '/metrics'],
  ['the API page', '/docs'],
  ['its largest file', '/docs/swagger-ui-bundle.js'],
  ['the page', '/'],
  ['a view of the page', `/p/github/${'a'.repeat(LONG)}`],
  ['the platforms', '/v1/platforms'],
  ['the health check', '/healthz'],
] as const;

/** Of what is as large as it may be stored. */
const LARGE_GETS: [string, (data: LargeData) => string][] = [
  ['an Avatar of 1,000 bindings', ({ collectors }) => `/v1/proof?platform=self&identity=${collectors[0]}`],
  ['twenty Avatars of 1,000 bindings', ({ collectors }) => `/v1/proof?platform=self&identity=${collectors.join()}`],
  ['an identity that many hold', ({ identity }) => `/v1/proof?platform=ethereum&identity=${identity}&exact=true`],
  ['a part of identities that many hold', () => '/v1/proof?identity=0x'],
  ['a part of identities that is rare', ({ identity }) => `/v1/proof?identity=${identity.slice(9, 14)}`],
  ['a page of a long chain', ({ collectors }) => `/v1/proofchain?public_key=${collectors[0]}&page=25`],
  ['a page of large links', ({ contract }) => `/v1/proofchain?public_key=${contract}`],
  ['a feed of large links', (data) => `/v1/proofchain/changes?last_id=${data.beforeContract}&count=100`],
  ['a page of large patches', ({ hoarder }) => `/v1/kv/chain?avatar=${hoarder}&page=100`],
  ['large content of many', ({ crowded }) => `/v1/kv/by_identity?platform=ethereum&identity=${crowded}`],
];

interface Cost {
  cpuMs: number;
  bytes: number;
  status: number;
}

/** Milliseconds of the processor for one point of each rate limit: that of the dearest request so far. */
const dearest = new Map<RouteClass, { ms: number; what: string }>();

/** Notes what a point of the request's limit costs. */
function note(what: string, path: string, init: RequestInit, { cpuMs, bytes }: Cost): void {
  const { pathname, searchParams } = new URL(path, service.baseUrl);
  const query = Object.fromEntries(searchParams);
  const charge = chargeOf({ method: init.method ?? 'GET', route: pathname, query }, 'self');
  if (!charge) return;
  const ofBytes = pointsOfBytes(String(String(init.body ?? '').length), false, bytes);
  const ms = cpuMs / (charge.points + ofBytes);
  if (ms > (dearest.get(charge.name)?.ms ?? 0)) dearest.set(charge.name, { ms, what });
}

/** The address of a request, or what makes another one of the same kind each time. */
type Path = string | (() => string);
const addressOf = (path: Path) => (typeof path === 'function' ? path() : path);

/** The mean of some requests of the same kind, in milliseconds of the machine on which the limit was chosen. */
async function measure(path: Path, init: RequestInit): Promise<Cost> {
  const ask = async () => {
    const answer = await fetch(`${service.baseUrl}${addressOf(path)}`, init);
    return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
  };
  let last = await ask();
  const before = await cpuMsOf(service);
  for (let count = 0; count < REQUESTS; count += 1) last = await ask();
  const cpuMs = ((await cpuMsOf(service)) - before) / REQUESTS;
  return { ...last, cpuMs: cpuMs / machine() };
}

/** How much slower this machine is now; looked at every ten seconds, since the look costs more than most requests. */
function machine(): number {
  if (performance.now() - lookedAt > 10_000) {
    factor = slowness();
    lookedAt = performance.now();
  }
  return factor;
}
let factor = 1;
let lookedAt = -Infinity;

/**
 * What a request of this kind costs. What else runs on the machine can only make a measurement larger, never smaller,
 * so one above the limit is taken again, and the smallest counts.
 */
async function costOf(what: string, path: Path, init: RequestInit = {}): Promise<Cost> {
  let cost = await measure(path, init);
  for (let again = 1; again < TRIES && cost.cpuMs >= MAX_CPU_MS; again += 1) {
    const next = await measure(path, init);
    if (next.cpuMs < cost.cpuMs) cost = next;
  }
  process.stdout.write(
    `request cost: ${what}: ${cost.cpuMs.toFixed(1)} ms, ${cost.bytes} bytes, status ${cost.status}\n`,
  );
  note(what, addressOf(path), init, cost);
  return cost;
}

async function expectCheap(what: string, path: Path, init: RequestInit = {}): Promise<Cost> {
  const cost = await costOf(what, path, init);
  expect(cost.status).toBeLessThan(500);
  expect(cost.bytes).toBeLessThan(MAX_ANSWER_BYTES);
  expect(cost.cpuMs).toBeLessThan(MAX_CPU_MS);
  return cost;
}

/** A submit that fails for nothing but its signature, made by another key over a text that is as long as may be. */
async function badlySigned(patchBytes: number): Promise<string> {
  const start = { ...PATCH, patch: { text: '"'.repeat((patchBytes - 11) / 2) } };
  const { body: payload } = await service.post('/v1/kv/payload', start);
  const signature = anAvatar('somebody else').sign(payload.sign_payload);
  return JSON.stringify({ ...start, uuid: payload.uuid, created_at: payload.created_at, signature });
}

describe('a request without a valid signature costs a bounded time of the processor', () => {
  it.each(POSTS)('as POST %s with %s', async (path, what, start, rest) => {
    const body = `${openObject(start)},${rest}}`;
    expect(body.length).toBeLessThanOrEqual(BODY_BYTES);

    await expectCheap(`POST ${path} with ${what}`, path, { method: 'POST', body });
  });

  it.each(GETS)('as GET with %s', async (what, path) => {
    await expectCheap(`GET ${path.slice(0, 24)} with ${what}`, path);
  });

  it.each(LARGE_GETS)('as GET of %s', async (what, pathOf) => {
    const path = pathOf(large);

    const { status, bytes } = await expectCheap(`GET ${path.slice(0, 24)} of ${what}`, path);

    expect(status).toBe(200);
    expect(bytes).toBeGreaterThan(1000);
  });

  it('as GET of the picture of a seal, of another key each time', async () => {
    let number = 0;
    const path = () => `/seal/${anAvatar(`seal ${(number += 1)}`).key.compressed}.png`;

    const { status, bytes } = await expectCheap('GET /seal', path);

    expect(status).toBe(200);
    expect(bytes).toBeGreaterThan(5000);
  });

  it.each([
    // The second is the longest for which usual mistakes of signing are tried.
    ['of 64 KiB', 64 * 1024 - 1],
    ['of 3.5 KiB', 3585],
  ])('as POST /v1/kv with a patch %s that another key signed', async (what, bytes) => {
    const body = await badlySigned(bytes);

    const { status } = await expectCheap(`POST /v1/kv badly signed, a patch ${what}`, '/v1/kv', {
      method: 'POST',
      body,
    });

    expect(status).toBe(400);
  });

  it('as POST /v1/kv with an invented uuid, for an Avatar of 1,000 patches', async () => {
    const text = '"'.repeat(32_000);
    const start = { ...KV_SUBMIT, avatar: large.hoarder, identity: large.hoarder, created_at: 0, patch: { text } };

    const { status } = await expectCheap('POST /v1/kv on a long chain', '/v1/kv', {
      method: 'POST',
      body: JSON.stringify(start),
    });

    expect(status).toBe(400);
  });

  it('even as GET /v1/kv of the 4 MiB that one Avatar may have, the one answer above 2 MB', async () => {
    const path = `/v1/kv?avatar=${large.hoarder}`;

    const cost = await costOf('GET /v1/kv of 4 MiB', path);

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
    for (let time = 0; time < TRIES; time += 1) {
      const slownessBefore = slowness();
      const before = await cpuMsOf(service);
      await work();
      figures.push(((await cpuMsOf(service)) - before) / Math.max(slownessBefore, slowness()));
    }
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
  const CLASSES: RouteClass[] = ['reads', 'searches', 'documents', 'payloads', 'streams'];

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
