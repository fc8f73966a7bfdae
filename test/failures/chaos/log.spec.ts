import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Policy, verifyMapAnswer } from '@signet/verify/log';
import pg from 'pg';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { linkWriter, patchWriter } from '../kill/writers.js';
import { anAvatar } from '../../support/avatar.js';
import { getRaw, policyOf } from '../../transparency-log/log-client.js';
import { problemsOfLog } from '../../transparency-log/log-checks.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import { until } from '../../support/until.js';
import { Fleet, keepWriting, PAUSE_MS, SERVERS } from './fleet.js';

const ROUNDS = Number(process.env.LOG_KILL_ROUNDS ?? 100);
const WRITERS = 4;
const KILL_EVERY_MS = 2000;
const LEAST_WRITES = 8;
/** PostgreSQL is restarted, without a checkpoint of its own, in every so many rounds. */
const DATABASE_RESTART_EVERY = 10;
const PATIENCE_MS = 120_000;

/** Asks all servers what the map says of an Avatar, and returns what is wrong with an answer. */
async function followMap(
  fleet: Fleet,
  policy: Policy,
  avatar: string,
  isOver: () => boolean,
): Promise<{ problems: string[]; answers: number }> {
  const problems: string[] = [];
  let answers = 0;
  while (!isOver()) {
    for (const server of fleet.members) {
      const answer = server && (await server.get(`/v1/log/map?avatar=${avatar}`).catch(() => undefined));
      if (answer?.status !== 200) continue;
      const { steps } = verifyMapAnswer(answer.body, { avatar }, { policy });
      problems.push(...steps.filter(({ state }) => state === 'failed').map(({ detail }) => detail));
      answers += 1;
    }
    await delay(PAUSE_MS);
  }
  return { problems, answers };
}

/** Collects every checkpoint that any of the servers shows. */
async function followCheckpoints(fleet: Fleet, notes: Set<string>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const server of fleet.members) {
      const answer = server && (await getRaw(server, '/log/checkpoint').catch(() => undefined));
      if (answer?.status === 200) notes.add(answer.text);
    }
    await delay(PAUSE_MS);
  }
}

/** All that were signed, whether anybody was shown them or not; the newest thousand are kept. */
async function storedNotes(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ note: string }>('select note from log_checkpoint')).rows.map(({ note }) => note);
  } finally {
    await client.end();
  }
}

describe('the log of three servers on one PostgreSQL, of which one is killed every two seconds under load', () => {
  let postgres: TestPostgres;
  let folder: string;
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  }, PATIENCE_MS);
  afterAll(async () => {
    await postgres?.stop();
    await rm(folder, { recursive: true });
  });

  it(
    'has every acknowledged link and patch exactly once, in the order of their feeds, and never contradicts itself',
    async () => {
      const random = new SeededRandom('log');
      // Each has a folder of its own for what it has seen signed, as servers on machines of their own have.
      const envOf = (member: number) => ({ DATABASE_URL: postgres.url, DATA_DIR: path.join(folder, String(member)) });
      const fleet = new Fleet(envOf, random);
      await fleet.start();
      const writers = Array.from({ length: WRITERS }, (_, index) => [
        linkWriter(`log link ${index}`, random),
        patchWriter(`log patch ${index}`, random),
      ]).flat();
      const acknowledged = () => writers.flatMap((writer) => writer.uuids());
      const notes = new Set<string>();
      let isOver = false;
      let restarts = 0;
      const writing = Promise.all(writers.map((writer) => keepWriting(writer, fleet, () => isOver)));
      const following = followCheckpoints(fleet, notes, () => isOver);
      const policy = await policyOf(fleet.members.find((member) => member !== undefined)!);
      const asking = followMap(fleet, policy, anAvatar('log link 0').key.compressed, () => isOver);

      try {
        const replaced: Promise<void>[] = [];
        for (let round = 1; round <= ROUNDS; round++) {
          // Something has to be written in each round, on a busy machine too.
          const before = acknowledged().length;
          await Promise.race([delay(KILL_EVERY_MS), writing]);
          await until(() => acknowledged().length >= before + LEAST_WRITES, PATIENCE_MS);
          if (round % DATABASE_RESTART_EVERY === 0) {
            await postgres.restart();
            restarts += 1;
          }
          await until(() => fleet.members.some((member) => member !== undefined), PATIENCE_MS);
          replaced.push(fleet.killOne());
        }
        await Promise.all(replaced);
        isOver = true;
        await Promise.all([writing, following]);
        const asked = await asking;

        const calm = fleet.members[0]!;
        for (const note of await storedNotes(postgres.url)) notes.add(note);
        const problems = [...asked.problems, ...(await problemsOfLog(calm, acknowledged(), notes))];
        const { size } = (await calm.get('/v1/log')).body as { size: number };
        process.stdout.write(
          `log: ${ROUNDS} rounds, ${SERVERS} servers, ${fleet.kills} killed with -9, PostgreSQL restarted ${restarts} times, ` +
            `${acknowledged().length} acknowledged links and patches, ${size} entries, ${notes.size} checkpoints, ${asked.answers} answers of the map, ${problems.length} problems\n`,
        );
        expect(problems).toEqual([]);
        expect(fleet.kills).toBe(ROUNDS);
        expect(notes.size).toBeGreaterThan(1);
        expect(asked.answers).toBeGreaterThan(ROUNDS);
        // A server that starts while PostgreSQL does says so as an error.
        expect(fleet.outputs.filter((output) => /"level":"(?:error|fatal)".*"context":"Log"/.test(output))).toEqual([]);
      } finally {
        isOver = true;
        await fleet.stop();
      }
    },
    ROUNDS * 60_000 + 180_000,
  );
});
