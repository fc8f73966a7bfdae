import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SeededRandom } from '../crypto/seeded-random.js';
import { linkWriter, patchWriter, type Writer } from '../kill/writers.js';
import { anAvatar } from '../support/avatar.js';
import { type AnsweredLink, problemsOfFeed } from '../support/chain-checks.js';
import { WITH_JUMPING_CLOCK } from '../support/jumping-clock.js';
import { atLock, locksOfWriters } from '../support/locks.js';
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
/** How long a server is stopped (SIGSTOP); a machine that is moved or swaps takes as long. */
const SHORTEST_STOP_MS = 1000;
const LONGEST_STOP_MS = 70_000;
/** Several servers over one database; the entry of one that is away is empty. */
class Fleet {
  readonly members: (ServiceProcess | undefined)[] = [];
  readonly outputs: string[] = [];
  kills = 0;
  stops = 0;
  jumps = 0;
  private stopped: Promise<void> = Promise.resolve();

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
    const memberIndex = this.random.pick([...this.members.keys()].filter((index) => this.members[index] !== undefined));
    const victim = this.members[memberIndex];
    this.members[memberIndex] = undefined;
    await victim?.kill9();
    this.kills += 1;
    this.outputs.push(victim?.output() ?? '');
    this.members[memberIndex] = await startService(this.env);
  }

  /**
   * SIGSTOP for one of them, in the middle of whatever it does or at the moment at which somebody gets a lock, and
   * SIGCONT a while later; until then nobody asks it. Does nothing while another one is stopped.
   */
  async stopOne(operator: pg.Client): Promise<void> {
    const memberIndex = this.random.below(SERVERS);
    const victim = this.members[memberIndex];
    if (!victim || this.members.includes(undefined)) return;
    if (this.random.below(2) === 0) return;
    const lock = this.random.pick([undefined, ...locksOfWriters(anAvatar(`chaos patch 0`))]);
    const stop = (): void => victim.signal('SIGSTOP');
    await (lock === undefined ? stop() : atLock(operator, lock, stop));
    this.members[memberIndex] = undefined;
    this.stops += 1;
    const longest = Math.min(LONGEST_STOP_MS, SECONDS * 500);
    this.stopped = delay(SHORTEST_STOP_MS + this.random.below(longest)).then(() => {
      victim.signal('SIGCONT');
      this.members[memberIndex] = victim;
    });
  }

  jumpOne(): void {
    this.any()?.signal('SIGUSR2');
    this.jumps += 1;
  }

  /** Resolves when nobody is stopped any more. */
  async allRun(): Promise<void> {
    await this.stopped;
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.flatMap((member) => (member ? [member.kill9()] : [])));
  }
}

/**
 * What a client may meet while servers die, stand still and jump in time: a broken connection, a head that moved by a
 * write whose answer was lost, a lock that is not given up at once, a payload whose time is over.
 */
function isInOrder(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'TypeError' || /stale_chain|already_recorded|payload_expired|database_slow|overloaded/.test(message);
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

describe('three servers on one PostgreSQL, killed, stopped and restarted under load while their clocks jump', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
  });
  afterAll(() => postgres.stop());

  it(
    'lose no acknowledged write, fork no chain, and tear neither feed nor stream',
    async () => {
      const random = new SeededRandom('chaos');
      const fleet = new Fleet({ DATABASE_URL: postgres.url, ...WITH_JUMPING_CLOCK }, random);
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
          fleet.jumpOne();
          await withOperator(postgres.url, (operator) => fleet.stopOne(operator));
          await fleet.killOne();
        }
        await fleet.allRun();
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
          `chaos: ${SECONDS} s, ${SERVERS} servers, ${fleet.kills} killed with -9, ${fleet.stops} stopped for a while, ${fleet.jumps} jumps of clocks, PostgreSQL restarted ${DATABASE_RESTARTS.length} times, ` +
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

/** A connection of its own for each time, because PostgreSQL is restarted in between. */
async function withOperator(url: string, work: (operator: pg.Client) => Promise<void>): Promise<void> {
  const operator = new pg.Client({ connectionString: url });
  operator.on('error', () => {});
  await operator.connect();
  await work(operator).finally(() => operator.end());
}

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
