import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type MapQuestion, type Policy, verifyMapAnswer } from '@signet/verify/log';
import pg from 'pg';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { linkWriter, patchWriter } from '../kill/writers.js';
import { anAvatar, aWallet } from '../../support/avatar.js';
import { getRaw, policyOf } from '../../transparency-log/log-client.js';
import { problemsOfLog } from '../../transparency-log/log-checks.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import { linkWallet } from '../../support/scenario.js';
import { until } from '../../support/until.js';
import { Fleet, keepWriting, PAUSE_MS, SERVERS } from './fleet.js';

const ROUNDS = Number(process.env.LOG_KILL_ROUNDS ?? 100);
const WRITERS = 4;
const KILL_EVERY_MS = 2000;
const LEAST_WRITES = 8;
/** Avatars that hold one identity. */
const HOLDERS = 20;
/** PostgreSQL is restarted, without a checkpoint of its own, in every so many rounds. */
const DATABASE_RESTART_EVERY = 10;

/** What a server answers that cannot reach its database, which is restarted, or is asked for too much at once. */
const TROUBLES = ['database_unavailable', 'database_slow', 'overloaded'];

/** Asks all servers these questions of the map, counts the answers, and returns what is wrong with one. */
async function followMap(
  fleet: Fleet,
  policy: Policy,
  questions: MapQuestion[],
  answers: number[],
  isOver: () => boolean,
): Promise<string[]> {
  const problems: string[] = [];
  while (!isOver()) {
    for (const server of fleet.members) {
      for (const [index, question] of questions.entries()) {
        // The connection ends where the server is killed.
        const path = `/v1/log/map?${new URLSearchParams(question as Record<string, string>).toString()}`;
        const answer = server && (await server.get(path).catch(() => undefined));
        if (!answer || (answer.status === 503 && TROUBLES.includes(answer.body.code as string))) continue;
        if (answer.status !== 200) {
          problems.push(`${path} was answered with ${answer.status}: ${answer.body.code} ${answer.body.message}`);
          continue;
        }
        const { steps, value } = verifyMapAnswer(answer.body, question, { policy });
        problems.push(...steps.filter(({ state }) => state === 'failed').map(({ detail }) => detail));
        if (value) answers[index]! += 1;
      }
    }
    await delay(PAUSE_MS);
  }
  return problems;
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
  });
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
      const [first] = fleet.members;
      const policy = await policyOf(first!);
      const ofWriter = { avatar: anAvatar('log link 0').key.compressed };
      const holders = Array.from({ length: HOLDERS }, (_, index) => anAvatar(`log holder ${index}`));
      for (const holder of holders) expect((await linkWallet(first!, holder, aWallet('log held'))).status).toBe(201);
      const held = { platform: 'ethereum', identity: aWallet('log held').address.toLowerCase() };
      const { compressed: avatar } = holders[0]!.key;
      await until(async () => (await first!.get(`/v1/log/map?avatar=${avatar}`)).body.value);
      const answers = [0, 0, 0];
      const asking = followMap(fleet, policy, [ofWriter, held, { ...held, avatar }], answers, () => isOver);

      try {
        const replaced: Promise<void>[] = [];
        for (let round = 1; round <= ROUNDS; round++) {
          // Something has to be written and answered in each round, on a busy machine too.
          const before = acknowledged().length;
          await Promise.race([delay(KILL_EVERY_MS), writing]);
          await until(() => acknowledged().length >= before + LEAST_WRITES);
          await until(() => answers.every((count) => count >= round));
          if (round % DATABASE_RESTART_EVERY === 0) {
            await postgres.restart();
            restarts += 1;
          }
          await until(() => fleet.members.some((member) => member !== undefined));
          replaced.push(fleet.killOne());
        }
        await Promise.all(replaced);
        isOver = true;
        await Promise.all([writing, following]);
        const wrong = await asking;

        const calm = fleet.members[0]!;
        for (const note of await storedNotes(postgres.url)) notes.add(note);
        const problems = [...wrong, ...(await problemsOfLog(calm, acknowledged(), notes))];
        const { size } = (await calm.get('/v1/log')).body as { size: number };
        process.stdout.write(
          `log: ${ROUNDS} rounds, ${SERVERS} servers, ${fleet.kills} killed with -9, PostgreSQL restarted ${restarts} times, ` +
            `${acknowledged().length} acknowledged links and patches, ${size} entries, ${notes.size} checkpoints, ${answers.join(' + ')} answers of the map, ${problems.length} problems\n`,
        );
        expect(problems).toEqual([]);
        expect(fleet.kills).toBe(ROUNDS);
        expect(notes.size).toBeGreaterThan(1);
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
