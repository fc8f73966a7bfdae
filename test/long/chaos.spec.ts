import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../crypto/seeded-random.js';
import { linkWriter, patchWriter, type Writer } from '../kill/writers.js';
import { type AnsweredLink, problemsOfFeed } from '../support/chain-checks.js';
import { startPostgres, type TestPostgres } from '../support/postgres.mjs';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { openSse } from '../support/sse-client.js';
import { until } from '../support/until.js';

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 120);
const SERVERS = 3;
const WRITERS = 6;
const KILL_EVERY_MS = 5000;
/** When PostgreSQL is restarted, as parts of the whole time. */
const DATABASE_RESTARTS = [0.35, 0.7];
const PAUSE_MS = 50;

/** Several servers over one database; the place of one that is away is empty. */
class Fleet {
  readonly members: (ServiceProcess | undefined)[] = [];
  readonly outputs: string[] = [];
  kills = 0;

  constructor(
    private readonly env: Record<string, string>,
    private readonly random: SeededRandom,
  ) {}

  async start(): Promise<void> {
    this.members.push(...(await Promise.all(Array.from({ length: SERVERS }, () => startService(this.env)))));
  }

  any(): ServiceProcess | undefined {
    return this.random.pick(this.members);
  }

  /** kill -9 for one of them, and a new one in its place. */
  async killOne(): Promise<void> {
    const place = this.random.below(SERVERS);
    const victim = this.members[place];
    this.members[place] = undefined;
    await victim?.kill9();
    this.kills += 1;
    this.outputs.push(victim?.output() ?? '');
    this.members[place] = await startService(this.env);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.flatMap((member) => (member ? [member.kill9()] : [])));
  }
}

/**
 * What a client may meet while servers die: a broken connection, or a head that moved by a write whose answer was lost.
 */
function isInOrder(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'TypeError' || /stale_chain|already_recorded/.test(message);
}

async function keepWriting(writer: Writer, fleet: Fleet, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const server = fleet.any();
    const isUp =
      server &&
      (await writer.write(server).catch((error: unknown) => isInOrder(error) || Promise.reject(error as Error)));
    if (!isUp) await delay(PAUSE_MS);
  }
}

/** Follows the feed by `last_id`, each page from another server. */
async function followFeed(fleet: Fleet, isOver: () => boolean): Promise<AnsweredLink[]> {
  const links: AnsweredLink[] = [];
  while (!isOver()) {
    const page = await fleet
      .any()
      ?.get(`/v1/proofchain/changes?last_id=${links.at(-1)?.id ?? 0}&count=100`)
      .catch(() => undefined);
    if (page?.status === 200) links.push(...page.body.links);
    await delay(PAUSE_MS);
  }
  return links;
}

/** Follows the stream of events, resuming on another server whenever it ends. */
async function followStream(fleet: Fleet, isOver: () => boolean): Promise<number[]> {
  const positions: number[] = [];
  while (!isOver()) {
    const server = fleet.any();
    const reader =
      server &&
      (await openSse(server.baseUrl, '/v1/events', { lastEventId: positions.at(-1) ?? 0 }).catch(() => undefined));
    if (reader?.status === 200) {
      const end = until(isOver, SECONDS * 2000).then(() => reader.close());
      await Promise.race([reader.ended, end]);
      positions.push(...reader.positions);
    }
    await delay(PAUSE_MS);
  }
  return positions;
}

const gapsOf = (positions: number[]) => positions.filter((position, index) => position !== index + 1).slice(0, 5);

describe('three servers on one PostgreSQL, killed and restarted under load', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
  });
  afterAll(() => postgres.stop());

  it(
    'lose no acknowledged write, fork no chain, and tear neither feed nor stream',
    async () => {
      const random = new SeededRandom('chaos');
      const fleet = new Fleet({ DATABASE_URL: postgres.url }, random);
      await fleet.start();
      const writers = Array.from({ length: WRITERS }, (_, index) => [
        linkWriter(`chaos link ${index}`, random),
        patchWriter(`chaos patch ${index}`, random),
      ]).flat();
      let isWritingOver = false;
      let isReadingOver = false;
      const writing = Promise.all(writers.map((writer) => keepWriting(writer, fleet, () => isWritingOver)));
      const feed = followFeed(fleet, () => isReadingOver);
      const stream = followStream(fleet, () => isReadingOver);

      try {
        const start = performance.now();
        const restarts = [...DATABASE_RESTARTS];
        for (let dueAt = KILL_EVERY_MS; dueAt < SECONDS * 1000; dueAt += KILL_EVERY_MS) {
          await Promise.race([delay(Math.max(0, start + dueAt - performance.now())), writing]);
          if (restarts[0] !== undefined && dueAt > restarts[0] * SECONDS * 1000) {
            restarts.shift();
            await postgres.restart();
          }
          await fleet.killOne();
        }
        isWritingOver = true;
        await writing;

        const calm = fleet.members.find((member) => member !== undefined)!;
        const problems = (await Promise.all(writers.map((writer) => writer.check(calm)))).flat();
        const last = await lastEvent(calm);
        await delay(2000);
        isReadingOver = true;
        const [links, positions] = [await feed, await stream];
        const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged(), 0);
        process.stdout.write(
          `chaos: ${SECONDS} s, ${SERVERS} servers, ${fleet.kills} killed with -9, PostgreSQL restarted ${DATABASE_RESTARTS.length} times, ` +
            `${acknowledged} acknowledged writes, ${links.length} links in the feed, ${positions.length} events on the stream, ${problems.length} problems\n`,
        );
        expect(problems).toEqual([]);
        expect(problemsOfFeed(links)).toEqual([]);
        expect(gapsOf(positions)).toEqual([]);
        expect(positions.length).toBe(last);
        expect(fleet.outputs.filter((output) => /"level":"(?:error|fatal)"/.test(output))).toEqual([]);
      } finally {
        isWritingOver = true;
        isReadingOver = true;
        await fleet.stop();
      }
    },
    SECONDS * 1000 + 180_000,
  );
});

/** Position of the newest event, once nothing is waiting for its number. */
async function lastEvent(server: ServiceProcess): Promise<number> {
  let last = 0;
  await until(async () => {
    const reader = await openSse(server.baseUrl);
    await reader.until(({ messages }) => messages.length > 0);
    const now = Number(reader.lastEventId);
    reader.close();
    const isSettled = now === last && now > 0;
    last = now;
    if (!isSettled) await delay(1500);
    return isSettled;
  }, 30_000);
  return last;
}
