import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { adminOf } from '../../support/admin.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import { openSse } from '../../support/sse-client.js';
import { startStandIn, type StandIn } from '../../../packages/look/test/support/stand-in-server.js';
import { until } from '../../support/until.js';
import { Fleet, type Version } from './fleet.js';
import { Load } from './load.js';

const [version, tree] = [process.env.RELEASE_VERSION!, process.env.RELEASE_TREE!];
const ROUNDS = Number(process.env.UPGRADE_ROUNDS ?? 10);
const SERVERS = 3;
const TIMEOUT_MS = (ROUNDS + 1) * 300_000;
/** Acknowledged writes of everybody between two changes of the fleet. */
const WRITES_BETWEEN = 4;
const LONGEST_WAIT_MS = 500;

/** What one round was like. */
interface Round {
  acknowledged: number;
  /** Acknowledged writes that are not there, forks and gaps of chains and feed. */
  problems: string[];
  /** Doubles and gaps of the event stream, seen by one reader who connects again behind its cursor. */
  streamProblems: string[];
  /** Answers of 5xx but 503 with Retry-After. */
  failures: string[];
  /** Events of which the receiver of webhooks was not told. */
  untold: number;
  /** Webhooks that came more than once. */
  toldAgain: number;
  longestGapMs: number;
}

let postgres: TestPostgres;
let receiver: StandIn;
const told: string[] = [];

beforeAll(async () => {
  postgres = await startPostgres({ durable: true });
  receiver = await startStandIn(({ headers }) => {
    told.push(headers['webhook-id']!);
    return { status: 204 };
  });
}, TIMEOUT_MS);
afterAll(async () => {
  await receiver.close();
  await postgres.stop();
});

async function freshDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Three old servers become three new ones under load, one of which then becomes an old one again. */
async function oneRound(number: number, random: SeededRandom): Promise<Round> {
  const settings = {
    DATABASE_URL: await freshDatabase(`round_${number}`),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DATABASE_POOL_SIZE: '6',
  };
  const fleet = await Fleet.create(tree, settings, random);
  try {
    // The first makes the schema.
    await fleet.add('old');
    await Promise.all(Array.from({ length: SERVERS - 1 }, () => fleet.add('old')));
    const { status } = await adminOf({ baseUrl: fleet.anyUrl() }).post('/subscriptions', {
      url: `${receiver.baseUrl}/`,
    });
    expect(status).toBe(201);
    const load = new Load(fleet, `round ${number}`, random);
    const during = <Result>(work: Promise<Result>) => Promise.race([work, load.failed()]);
    const everybodyWritesMore = async () => {
      const before = load.acknowledged();
      await during(until(() => load.acknowledged().every((count, index) => count >= before[index]! + WRITES_BETWEEN)));
    };
    const change = async (from: Version, to: Version, signal: 'SIGTERM' | 'SIGKILL') => {
      await delay(random.below(LONGEST_WAIT_MS));
      await during(fleet.add(to));
      await everybodyWritesMore();
      await during(fleet.remove(from, signal));
      await everybodyWritesMore();
    };

    await everybodyWritesMore();
    const killed = random.below(SERVERS);
    for (let index = 0; index < SERVERS; index++) await change('old', 'new', index === killed ? 'SIGKILL' : 'SIGTERM');
    await change('new', 'old', 'SIGTERM');
    await load.stop();
    return await judge(fleet, load);
  } catch (error) {
    throw new Error(`The servers said: ${fleet.output()}`, { cause: error });
  } finally {
    await fleet.stop();
  }
}

async function judge(fleet: Fleet, load: Load): Promise<Round> {
  const links = await readFeed(fleet);
  const problems: string[] = [];
  // Each version must show the same; pages of one list are asked of one, because their sizes may differ.
  for (const client of fleet.oneOfEach()) {
    problems.push(...(await Promise.all(load.writers.map((writer) => writer.check(client)))).flat());
    problems.push(...problemsOfFeed(await readFeed(client)));
  }
  // The whole stream, by a reader of its own, is what the other one must have got piece by piece.
  const whole = await openSse(fleet.anyUrl(), '/v1/events', { lastEventId: 0 });
  const recorded = links.length + (await countOfPatches(load, fleet));
  await whole.until(({ events }) => events.length >= recorded);
  whole.close();
  const all = whole.events.map(({ data }) => data as { id: string; position: number });
  await until(() => all.every(({ id }) => told.includes(id))).catch(() => {});
  const streamProblems = [
    ...problemsOfPositions(
      all.map(({ position }) => position),
      'the stream',
    ),
    ...problemsOfPositions(
      load.events.map(({ position }) => position),
      'the reader',
    ),
    ...(new Set(all.map(({ id }) => id)).size === all.length ? [] : ['an event has two positions']),
    ...(all.length === recorded ? [] : [`${recorded} writes are recorded, and ${all.length} events`]),
  ];
  const times = fleet.acknowledgedAt;
  const ids = new Set(all.map(({ id }) => id));
  const mine = told.filter((id) => ids.has(id));
  return {
    acknowledged: load.acknowledged().reduce((sum, count) => sum + count),
    problems,
    streamProblems,
    failures: fleet.failures,
    untold: all.filter(({ id }) => !mine.includes(id)).length,
    toldAgain: mine.length - new Set(mine).size,
    longestGapMs: Math.max(...times.slice(1).map((time, index) => time - times[index]!)),
  };
}

async function countOfPatches(load: Load, fleet: Fleet): Promise<number> {
  const counts = await Promise.all(load.patchAvatars.map((avatar) => fleet.get(`/v1/kv/chain?avatar=${avatar}`)));
  return counts.reduce((sum, { body }) => sum + (body.pagination.total as number), 0);
}

/** Positions go up one by one. */
function problemsOfPositions(positions: number[], who: string): string[] {
  return positions.flatMap((position, index) =>
    position === index + 1 ? [] : [`${who} got position ${position} as number ${index + 1}`],
  );
}

it(
  `servers of ${version} are replaced one by one under load, and back, without loss and without a failure`,
  async () => {
    const random = new SeededRandom('rolling upgrade');
    const rounds: Round[] = [];

    for (let number = 1; number <= ROUNDS; number++) {
      rounds.push(await oneRound(number, random));
      process.stdout.write(`${summaryOf(rounds)}\n`);
    }

    const faults = ({ problems, streamProblems, failures, untold }: Round) => ({
      problems,
      streamProblems,
      failures,
      untold,
    });
    const none = { problems: [], streamProblems: [], failures: [], untold: 0 };
    expect(rounds.map(faults)).toEqual(rounds.map(() => none));
  },
  TIMEOUT_MS,
);

function summaryOf(rounds: Round[]): string {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const gap = Math.max(...rounds.map(({ longestGapMs }) => longestGapMs)) / 1000;
  return (
    `upgrade from ${version}: ${rounds.length} rounds, in each ${SERVERS} servers replaced one by one, one of them killed ` +
    `with -9, and one taken back; ${sum(({ acknowledged }) => acknowledged)} acknowledged writes; ` +
    `lost writes, forks and gaps: ${sum(({ problems }) => problems.length)}; ` +
    `gaps and double events for one cursor: ${sum(({ streamProblems }) => streamProblems.length)}; ` +
    `answers of 5xx but 503 with Retry-After: ${sum(({ failures }) => failures.length)}; ` +
    `events without a webhook: ${sum(({ untold }) => untold)}, webhooks sent again: ${sum(({ toldAgain }) => toldAgain)}; ` +
    `longest time without a 201: ${gap.toFixed(2)} s`
  );
}
