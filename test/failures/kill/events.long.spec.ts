import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { aWallet, anAvatar } from '../../support/avatar.js';
import { readFeed } from '../../support/chain-checks.js';
import { createTestDatabase } from '../../support/database.js';
import { signedSubmit, walletPayload } from '../../support/scenario.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { openSse, type SseReader } from '../../support/sse-client.js';
import { until } from '../../support/until.js';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 20);
const ROUND_TIMEOUT_MS = 120_000; // a few seconds, unless the machine is busy
const WRITERS = 4;
/** Milliseconds of full speed before the end; how many is up to chance. */
const LONGEST_LIFE_MS = 600;

/** Uuids of the links that were sent, and of those whose 201 came back. */
interface SentLinks {
  sent: Set<string>;
  acknowledged: Set<string>;
}

/** Binds wallets one after the other until the service is gone. */
async function bindUntilGone(service: ServiceProcess, writer: string, links: SentLinks): Promise<void> {
  const avatar = anAvatar(writer);
  const wallet = aWallet(writer);
  try {
    for (;;) {
      const { body: payload } = await walletPayload(service, avatar, wallet);
      links.sent.add(payload.uuid);
      const { status } = await service.post('/v1/proof', signedSubmit(payload, avatar, wallet));
      expect(status).toBe(201);
      links.acknowledged.add(payload.uuid);
    }
  } catch (error) {
    // What `fetch` throws when the connection breaks; jest has a TypeError of its own, so `instanceof` does not know
    // it.
    if ((error as Error).name !== 'TypeError') throw error;
  }
}

/**
 * Lets writers work, and kills either after a while or at the moment at which a 201 came back and its event may not be
 * out.
 */
async function writeAndKill(service: ServiceProcess, links: SentLinks, random: SeededRandom): Promise<void> {
  const before = links.acknowledged.size;
  const writing = Promise.all(
    Array.from({ length: WRITERS }, (_, index) => bindUntilGone(service, `writer ${index}`, links)),
  );
  const soMany = before + 1 + random.below(40);
  // A writer that fails ends the wait at once, and so does a service that goes without being killed.
  const goneTooEarly = writing.then(() => Promise.reject(new Error('The service went by itself.')));
  await Promise.race([goneTooEarly, until(() => links.acknowledged.size >= soMany)]);
  goneTooEarly.catch(() => {});
  if (random.below(2) === 0) await delay(random.below(LONGEST_LIFE_MS));
  await service.kill9();
  await writing;
}

/**
 * One reader over all rounds: connects again behind its last id after each start. Answers what it got, and what is in
 * the feed of links at the end.
 */
async function followThroughKills(env: Record<string, string>, rounds: number, random: SeededRandom) {
  const links: SentLinks = { sent: new Set(), acknowledged: new Set() };
  const events: SseReader['events'] = [];
  let lastEventId = '0';
  let feed: string[] = [];
  let late = 0;
  for (let round = 1; round <= rounds + 1; round += 1) {
    const service = await startService(env);
    try {
      const reader = await openSse(service.baseUrl, '/v1/events', { lastEventId });
      feed = (await readFeed(service)).map(({ uuid }) => uuid);
      late += feed.length - events.length;
      await until(() => {
        const seen = new Set([...events, ...reader.events].map(({ data }) => data.uuid as string));
        return feed.every((uuid) => seen.has(uuid));
      });
      if (round <= rounds) await writeAndKill(service, links, random);
      else reader.close();
      await reader.ended;
      events.push(...reader.events);
      lastEventId = reader.lastEventId;
    } catch (error) {
      throw new Error(`The service said: ${service.output().slice(-4000)}`, { cause: error });
    } finally {
      await service.kill9();
    }
  }
  return { links, events, feed, late };
}

async function expectEachOnce(env: Record<string, string>, rounds: number, name: string): Promise<void> {
  const random = new SeededRandom(`events and kill -9, ${name}`);

  const { links, events, feed, late } = await followThroughKills(env, rounds, random);

  process.stdout.write(
    `events and kill -9, ${name}: ${rounds} rounds, ${links.acknowledged.size} links acknowledged, ` +
      `${events.length} events read, ${late} of them after the kill that came between\n`,
  );
  const uuids = events.map(({ data }) => data.uuid as string);
  expect(events.map(({ data }) => data.position as number)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map(({ data }) => data.id as string)).size).toBe(events.length);
  expect([...uuids].sort()).toEqual([...feed].sort());
  expect([...links.acknowledged].filter((uuid) => !uuids.includes(uuid))).toEqual([]);
  expect(uuids.filter((uuid) => !links.sent.has(uuid))).toEqual([]);
}

describe('kill -9 of the service between a commit and its event loses no event and repeats none', () => {
  it(
    'on PostgreSQL',
    async () => {
      const { url, drop } = await createTestDatabase();

      await expectEachOnce({ DATABASE_URL: url }, ROUNDS, 'PostgreSQL').finally(drop);
    },
    (ROUNDS + 1) * ROUND_TIMEOUT_MS,
  );

  it(
    'on the embedded database, which dies with it',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));

      await expectEachOnce({ DATA_DIR: path.join(folder, 'data') }, ROUNDS, 'embedded').finally(() =>
        // The system may still be closing files of a process that it has reported dead.
        rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }),
      );
    },
    (ROUNDS + 1) * ROUND_TIMEOUT_MS,
  );
});
