import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, RunningApp } from '../../support/app.js';
import { type AdminClient, adminOf } from '../../support/admin.js';
import { openSse } from '../../support/sse-client.js';
import type { RecordedAnswer, RecordedEvent } from './release-data.js';

type Reader = Pick<RunningApp, 'get' | 'baseUrl'>;
type Body = Answer['body'];

/** Texts that find many bindings, few, and none. */
const TERMS = ['person', 'demo-instance', '0x', '_3', 'é', 'a%', 'nobody-has-this'];
const UNKNOWN_KEY = '0x02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9';
const REFUSED = [
  '/v1/proof',
  '/v1/proof?identity=a&platform=facebook',
  '/v1/proof?identity=person&page=-1',
  '/v1/proof?identity=person&page=99',
  `/v1/proof/exists?platform=github&identity=nobody&public_key=${UNKNOWN_KEY}`,
  `/v1/proof/evidence?platform=github&identity=nobody&public_key=${UNKNOWN_KEY}`,
  '/v1/proof/exists?platform=github&identity=person-0',
  '/v1/proofchain',
  '/v1/proofchain?public_key=0x00',
  `/v1/proofchain?public_key=${UNKNOWN_KEY}`,
  '/v1/proofchain/changes',
  '/v1/proofchain/changes?last_id=0&count=9',
  '/v1/proofchain/changes?last_id=999999',
  `/v1/kv?avatar=${UNKNOWN_KEY}`,
  '/v1/kv',
  '/v1/kv/by_identity?platform=github',
  '/v1/nothing',
];

/**
 * Asks a server every GET endpoint that there is in version 0.1.0 about everything that it holds, as a client would
 * that follows its answers; pages to their end. With `hasLog` also what came with the log in 0.2.0.
 */
export async function askEverything(server: Reader, hasLog: boolean): Promise<RecordedAnswer[]> {
  const asked = new AskedAnswers(server, adminOf(server));
  // Deliveries first: an attempt that is held up goes on after a minute.
  await askAdmin(asked);
  for (const path of ['/healthz', '/livez', '/readyz', '/v1/platforms', ...REFUSED]) await asked.get(path);
  const links = await askFeed(asked);
  const avatars = [...new Set(links.map(({ avatar }) => avatar as string))];
  for (const avatar of avatars) await askAvatar(asked, avatar);
  const bindings = new Map(links.map((link) => [`${link.avatar} ${link.platform} ${link.identity}`, link]));
  for (const { avatar, platform, identity } of bindings.values()) {
    const query = `platform=${platform}&identity=${encodeURIComponent(identity)}&public_key=${avatar}`;
    await asked.get(`/v1/proof/exists?${query}`);
    await asked.get(`/v1/proof/evidence?${query}`);
    await asked.pages(`/v1/proof/history?${query}`);
  }
  const places = new Map(links.map((link) => [`${link.platform} ${link.identity}`, link]));
  for (const { platform, identity } of places.values()) {
    const query = `platform=${platform}&identity=${encodeURIComponent(identity)}`;
    await asked.get(`/v1/proof?${query}&exact=true`);
    await asked.pages(`/v1/kv/by_identity?${query}`);
  }
  for (const platform of new Set(links.map((link) => link.platform as string)))
    await asked.pages(`/v1/proof?platform=${platform}&identity=1`);
  for (const term of TERMS) await asked.pages(`/v1/proof?identity=${encodeURIComponent(term)}`);
  await asked.pages('/v1/proof?identity=person_1,person-2,person3.bit&exact=true');
  if (hasLog) await askLog(asked, links, avatars);
  return asked.answers;
}

/** Asks everything again and again until two rounds of answers are equal: nothing is under way any more. */
export async function askUntilStill(server: Reader, hasLog: boolean): Promise<RecordedAnswer[]> {
  for (let before = '', tries = 0; tries < 100; tries++) {
    const answers = await askEverything(server, hasLog);
    const now = JSON.stringify(answers);
    if (now === before) return answers;
    before = now;
    await delay(1_000);
  }
  throw new Error('The answers do not come to rest.');
}

/** The newest position of the event stream. */
export async function lastPosition(server: Reader): Promise<number> {
  const reader = await openSse(server.baseUrl);
  const { messages } = await reader.until((read) => read.messages.length > 0);
  reader.close();
  return (messages[0]!.data as { position: number }).position;
}

/** What the event stream tells behind `lastEventId`, up to the position `last`. */
export async function readEvents(server: Reader, lastEventId: string, last: number): Promise<RecordedEvent[]> {
  const reader = await openSse(server.baseUrl, '/v1/events', { lastEventId });
  await reader.until(({ positions }) => positions.at(-1)! >= last);
  reader.close();
  return reader.events.map(({ id, event, data }) => ({ id, event, data: data as unknown }));
}

class AskedAnswers {
  readonly answers: RecordedAnswer[] = [];

  constructor(
    private readonly server: Reader,
    private readonly admin: AdminClient,
  ) {}

  async get(path: string): Promise<Body> {
    const { status, body } = await this.server.get(path);
    this.answers.push({ path, status, body: body as unknown });
    return body;
  }

  /** Where a record stands in the log: what its proof says before the hashes, which change as the log grows. */
  async place(uuid: string): Promise<void> {
    const path = `/v1/log/proof?uuid=${uuid}`;
    const response = await fetch(`${this.server.baseUrl}${path}`);
    const lines = (await response.text()).split('\n');
    this.answers.push({ path, status: response.status, body: lines.filter((line) => /^(extra|index) /.test(line)) });
  }

  async ofAdmin(path: string): Promise<Body> {
    const { status, body } = await this.admin.get(path);
    this.answers.push({ path, admin: true, status, body: body as unknown });
    return body;
  }

  /** All pages; answers the first. */
  async pages(path: string, ask = (page: string) => this.get(page)): Promise<Body[]> {
    const bodies = [];
    for (let page = 1; page;) {
      const body = await ask(`${path}${path.includes('?') ? '&' : '?'}page=${page}`);
      bodies.push(body);
      page = body.pagination?.next ?? 0;
    }
    return bodies;
  }
}

async function askFeed(asked: AskedAnswers): Promise<Body[]> {
  for (let last = 0; ;) {
    const { links } = await asked.get(`/v1/proofchain/changes?last_id=${last}&count=100`);
    if (links.length === 0) break;
    last = links.at(-1).id;
  }
  const links: Body[] = [];
  for (;;) {
    const body = await asked.get(`/v1/proofchain/changes?last_id=${links.at(-1)?.id ?? 0}`);
    if (body.links.length === 0) return links;
    links.push(...body.links);
  }
}

async function askAvatar(asked: AskedAnswers, avatar: string): Promise<void> {
  await asked.pages(`/v1/proofchain?public_key=${avatar}`);
  await asked.get(`/v1/proof?platform=self&identity=${avatar}`);
  await asked.get(`/v1/kv?avatar=${avatar}`);
  await asked.pages(`/v1/kv/chain?avatar=${avatar}`);
  await asked.get(`/v1/kv/by_identity?platform=self&identity=${avatar}`);
}

/** The feed of patches, and the proofs of every link and of every Avatar under the newest tree head. */
async function askLog(asked: AskedAnswers, links: Body[], avatars: string[]): Promise<void> {
  for (let last = 0; ;) {
    const { patches } = await asked.get(`/v1/kv/changes?last_id=${last}&count=100`);
    if (patches.length === 0) break;
    last = patches.at(-1).id;
  }
  await asked.get('/v1/log');
  for (const { uuid } of links) await asked.place(uuid);
  for (const avatar of avatars) await asked.get(`/v1/log/map?avatar=${avatar}`);
}

async function askAdmin(asked: AskedAnswers): Promise<void> {
  const admin = (path: string) => asked.ofAdmin(path);
  for (const path of ['/archive', '/jobs', '/revalidation']) await admin(path);
  for (const list of ['/parked-events', '/dead-letters', '/dead-letters?queue=webhook']) await asked.pages(list, admin);
  const [{ subscriptions }] = await asked.pages('/subscriptions', admin);
  for (const { id } of subscriptions) {
    await admin(`/subscriptions/${id}`);
    await asked.pages(`/subscriptions/${id}/deliveries`, admin);
  }
  for (const status of ['pending', 'delivered', 'dead']) {
    const [{ deliveries }] = await asked.pages(`/deliveries?status=${status}`, admin);
    for (const { id } of deliveries.slice(0, 3)) await admin(`/deliveries/${id}`);
  }
}
