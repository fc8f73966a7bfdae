import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../crypto/seeded-random.js';
import { problemsOfLog } from '../../transparency-log/log-checks.js';
import type { Answer } from '../../support/app.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import { launchService, type ServiceProcess, startService } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { linkWriter, patchWriter, type Writer } from './writers.js';

/** Several on each side, so that appends are always under way. */
const WRITERS = 4;
/** Milliseconds of full speed before the end; how many is up to chance. */
const LONGEST_LIFE_MS = 700;
/** Milliseconds into a start at which it may be cut short as well. */
const LONGEST_START_MS = 1500;
const PAUSE_WHILE_AWAY_MS = 50;

/** Rounds of one test. */
export const ROUNDS = Number(process.env.KILL_ROUNDS ?? 20);
const ROUND_TIMEOUT_MS = 120_000; // a few seconds, unless the machine is busy
/** Milliseconds that so many rounds may take, with what is started before them. */
export const timeoutOf = (rounds: number): number => (rounds + 1) * ROUND_TIMEOUT_MS;

/** A PostgreSQL that keeps what it has acknowledged when it is killed: another one for each test of the suite. */
export function onDurablePostgres(): () => TestPostgres {
  let postgres: TestPostgres;
  beforeEach(async () => {
    postgres = await startPostgres({ durable: true });
  });
  afterEach(() => postgres.stop());
  return () => postgres;
}

/** What is killed, in which way, and how it is brought back. */
export interface Scene {
  /** For the summary. */
  name: string;
  env: Record<string, string>;
  /** Kills; answers whether the service is to be started again. */
  kill(service: ServiceProcess): Promise<boolean>;
  /** Brings back what `kill` took besides the service. */
  restore(): Promise<void>;
  /** Codes of refusals that are in order here, beside those that are everywhere. */
  mayAnswer?: RegExp;
}

/**
 * Rounds of writing at full speed, killing, starting again and checking everything.
 * @returns what was found wrong; empty if nothing was.
 */
export async function killRounds(scene: Scene, rounds: number, random: SeededRandom): Promise<string[]> {
  const writers = Array.from({ length: WRITERS }, (_, index) => [
    linkWriter(`link writer ${index}`, random),
    patchWriter(`patch writer ${index}`, random),
  ]).flat();
  const problems: string[] = [];
  let service = await startService(scene.env);
  try {
    for (let round = 1; round <= rounds; round++) {
      const isGone = await writeAndKill(scene, service, writers, random);
      await scene.restore();
      if (isGone) service = await startAgain(scene, random);
      await until(async () => (await service.get('/v1/proofchain/changes?last_id=0')).status === 200);
      problems.push(...(await check(service, writers)).map((problem) => `round ${round}: ${problem}`));
    }
    const uuids = writers.flatMap((writer) => writer.uuids());
    problems.push(...(await problemsOfLog(service, uuids)).map((problem) => `the log: ${problem}`));
    process.stdout.write(await summary(scene, rounds, service, writers, problems));
  } catch (error) {
    // The answer itself first: behind what a service says it may be cut.
    throw new Error(`${(error as Error).message}\nThe service said: ${service.output().slice(-4000)}`, {
      cause: error,
    });
  } finally {
    await service.kill9();
  }
  return problems;
}

/** Answers whether the service is gone. */
async function writeAndKill(
  scene: Scene,
  service: ServiceProcess,
  writers: Writer[],
  random: SeededRandom,
): Promise<boolean> {
  const before = writers.map((writer) => writer.acknowledged());
  let isOver = false;
  const work = writers.map(async (writer) => {
    while (!isOver) {
      const isUp = await writer.write(service).catch((error: unknown) => {
        if (scene.mayAnswer?.test((error as Error).message)) return true;
        if (!isBrokenConnection(error)) throw error;
        isOver = true;
        return false;
      });
      if (!isUp) await delay(PAUSE_WHILE_AWAY_MS);
    }
  });
  const allWork = Promise.all(work);
  const everybodyWrote = () => writers.every((writer, index) => writer.acknowledged() > before[index]!);
  await Promise.race([allWork, until(everybodyWrote)]);
  await delay(random.below(LONGEST_LIFE_MS));
  const isGone = await scene.kill(service);
  isOver = true;
  await allWork;
  return isGone;
}

/** What `fetch` throws; jest has a `TypeError` of its own, so `instanceof` does not know it. */
function isBrokenConnection(error: unknown): boolean {
  return (error as Error).name === 'TypeError';
}

/** Every third time the first start after a kill is cut short too. */
async function startAgain({ env }: Scene, random: SeededRandom): Promise<ServiceProcess> {
  if (random.below(3) === 0) {
    const hasty = launchService(env);
    await delay(random.below(LONGEST_START_MS));
    await hasty.kill9();
  }
  return startService(env);
}

async function check(service: ServiceProcess, writers: Writer[]): Promise<string[]> {
  const reader = { ...service, get: (path: string) => readAgain(service, path) };
  const problems = await Promise.all(writers.map((writer) => writer.check(reader)));
  return [...problems.flat(), ...problemsOfFeed(await readFeed(reader))];
}

/** As a client does: a 503 says that a busy database, or one that was away, may be asked again. */
async function readAgain(service: ServiceProcess, path: string): Promise<Answer> {
  let answer: Answer | undefined;
  await until(async () => (answer = await service.get(path)).status !== 503);
  return answer!;
}

async function summary(
  { name }: Scene,
  rounds: number,
  service: ServiceProcess,
  writers: Writer[],
  problems: string[],
): Promise<string> {
  const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged(), 0);
  const links = (await readFeed(service)).length;
  return (
    `${name}: ${rounds} rounds, ${acknowledged} acknowledged links and patches of ${writers.length} writers, ` +
    `${links} links in the feed, ${problems.length} problems\n`
  );
}
