import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { testAuthority } from '../../packages/look/test/support/certificates.js';
import { SeededRandom } from '../crypto/seeded-random.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { signedSubmit, walletPayload } from '../support/scenario.js';
import { until } from '../support/until.js';
import { startRelease, type ReleaseServer } from '../upgrade/releases/make/release-server.js';
import { PUSH_HOST, type PushService, startPushService, type SubscribedBrowser } from './push-service.js';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 100);
const ROUND_TIMEOUT_MS = 60_000; // a few seconds, unless the machine is busy
const FOLLOWERS = 3;
/** Bindings of each follower in a round. */
const BOUND_IN_A_ROUND = 2;
/**
 * News that wait for all followers before a round begins. A killed server keeps what it was sending for the rest of a
 * lease of 20 seconds, and of more than 50 that wait for one follower the others would be left out.
 */
const MOST_WAITING = 30;
/** Milliseconds before a kill; how many is up to chance. */
const LONGEST_LIFE_MS = 600;
/** Milliseconds for which a push service thinks, so that kills fall between its answer and the record of that. */
const LONGEST_ANSWER_MS = 60;
const TREE = fileURLToPath(new URL('../../', import.meta.url));

interface Follower {
  avatar: TestAvatar;
  browser: SubscribedBrowser;
  /** Wallets whose bind was sent, and those that were acknowledged. */
  sent: Set<string>;
  acknowledged: Set<string>;
}

let database: TestDatabase;
let service: PushService;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startPushService();
});
afterAll(async () => {
  await service?.close();
  await database?.drop();
});

async function start(): Promise<ReleaseServer> {
  const world = {
    hosts: { [PUSH_HOST]: service.port },
    certificateAuthority: async () => (await testAuthority()).root,
  };
  const settings = { DATABASE_URL: database.url, PUBLIC_URL: 'https://id.alice.dev', LOG: 'off' };
  return startRelease(TREE, settings, world, 0);
}

/** Binds a few wallets, unless the service is gone before. */
async function bindSome(server: ReleaseServer, { avatar, sent, acknowledged }: Follower): Promise<void> {
  try {
    for (let number = 0; number < BOUND_IN_A_ROUND; number += 1) {
      const wallet = aWallet(`bound ${(count += 1)}`);
      const { body: payload } = await walletPayload(server, avatar, wallet);
      sent.add(wallet.address);
      const { status } = await server.post('/v1/proof', signedSubmit(payload, avatar, wallet));
      expect(status).toBe(201);
      acknowledged.add(wallet.address);
    }
  } catch (error) {
    // What `fetch` throws when the connection breaks; jest has a TypeError of its own.
    if ((error as Error).name !== 'TypeError') throw error;
  }
}

async function follow(server: ReleaseServer, name: string): Promise<Follower> {
  const [avatar, browser] = [anAvatar(name), service.browser()];
  const { endpoint, keys } = browser;
  const { status } = await server.post('/v1/push/subscriptions', { avatar: avatar.key.compressed, endpoint, keys });
  expect(status).toBe(201);
  return { avatar, browser, sent: new Set(), acknowledged: new Set() };
}

const WAITING = `select (select count(*) from push_delivery)::int
  + (select count(*) from domain_event where position is null
    or position > coalesce((select position from event_handler where name = 'push'), 0))::int as waiting`;

it(
  'kills of the server between all steps: each news is told, and told once',
  async () => {
    const random = new SeededRandom('pushes and kill -9');
    const client = new pg.Client(database.url);
    await client.connect();
    let server = await start();
    const followers: Follower[] = [];
    for (let number = 1; number <= FOLLOWERS; number += 1) followers.push(await follow(server, `follower ${number}`));
    // Not before: who subscribes is told so at once, and is refused where that does not arrive.
    service.decide(async () => {
      await delay(random.below(LONGEST_ANSWER_MS));
      return random.below(20) === 0 ? { status: 503 } : undefined;
    });
    const waiting = async () => (await client.query<{ waiting: number }>(WAITING)).rows[0]!.waiting;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await until(async () => (await waiting()) <= MOST_WAITING);
      const before = followers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
      const writing = Promise.all(followers.map((follower) => bindSome(server, follower)));
      await until(() => followers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0) > before);
      await delay(random.below(LONGEST_LIFE_MS));
      await server.kill9();
      await writing;
      server = await start();
    }
    await until(async () => (await waiting()) === 0);
    await server.stop();
    await client.end();

    const told = followers.reduce((sum, { browser }) => sum + browser.told().length - 1, 0);
    const topics = new Set(service.requests.map(({ headers, path }) => `${path} ${headers['topic']}`));
    const acknowledged = followers.reduce((sum, one) => sum + one.acknowledged.size, 0);
    process.stdout.write(
      `pushes and kill -9: ${ROUNDS} rounds, ${acknowledged} bindings acknowledged, ${told} told, ` +
        `${service.requests.length} requests for ${topics.size} messages\n`,
    );
    for (const { browser, acknowledged: bound, sent } of followers) {
      const names = browser
        .told()
        .slice(1)
        .map(({ body }) => body.split(' ')[0]!);
      expect([...bound].filter((name) => !names.includes(name))).toEqual([]);
      expect(names.filter((name) => !sent.has(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      expect(new Set(browser.told().map(({ tag }) => tag)).size).toBe(browser.told().length);
    }
  },
  (ROUNDS + 5) * ROUND_TIMEOUT_MS,
);
