import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { linkWriter, patchWriter } from '../kill/writers.js';
import { type AnsweredLink, problemsOfFeed } from '../../support/chain-checks.js';
import { WITH_JUMPING_CLOCK } from '../../support/jumping-clock.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import type { ServiceProcess } from '../../support/service-process.js';
import { openSse } from '../../support/sse-client.js';
import { until } from '../../support/until.js';
import { Fleet, keepWriting, PAUSE_MS, SERVERS } from './fleet.js';

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 120);
const WRITERS = 6;
const KILL_EVERY_MS = 5000;
/** When PostgreSQL is restarted, as parts of the whole time. */
const DATABASE_RESTARTS = [0.35, 0.7];
/** How long a server is stopped (SIGSTOP); a machine that is moved or swaps takes as long. */
const LONGEST_STOP_MS = Math.min(70_000, SECONDS * 500);

/** What may come on top: a server that is stopped goes on, others start, and all is read, on a busy machine. */
const AFTERWARDS_MS = 600_000;

/** Whether clients write, the rest is read, or nobody does anything any more. */
type Phase = 'writing' | 'reading' | 'over';

/** Follows the feed by `last_id`, each page from another server, until all is written and a page is empty. */
async function followFeed(fleet: Fleet, phase: () => Phase): Promise<AnsweredLink[]> {
  const links: AnsweredLink[] = [];
  for (let isAtEnd = false; !isAtEnd && phase() !== 'over';) {
    const isAllWritten = phase() === 'reading';
    const page = await fleet
      .any()
      ?.get(`/v1/proofchain/changes?last_id=${links.at(-1)?.id ?? 0}&count=100`)
      .catch(() => undefined);
    if (page?.status === 200) {
      links.push(...page.body.links);
      isAtEnd = isAllWritten && page.body.links.length === 0;
    }
    await delay(PAUSE_MS);
  }
  return links;
}

/** Follows the stream of events, resuming on another server whenever it ends, until `isOver` says so of the newest. */
async function followStream(fleet: Fleet, isOver: (newest: number) => boolean): Promise<number[]> {
  const positions: number[] = [];
  while (!isOver(positions.at(-1) ?? 0)) {
    const server = fleet.any();
    const reader =
      server &&
      (await openSse(server.baseUrl, '/v1/events', { lastEventId: positions.at(-1) ?? 0 }).catch(() => undefined));
    if (reader?.status === 200) {
      const isRead = () => isOver(reader.positions.at(-1) ?? 0);
      const end = until(isRead, SECONDS * 1000 + AFTERWARDS_MS).then(() => reader.close());
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
    'lose no acknowledged write, fork no chain, and tear neither feed nor stream',
    async () => {
      const random = new SeededRandom('chaos');
      // Each has a folder of its own for what it has seen signed: one that is stopped may hold the lock of it.
      const envOf = (member: number) => ({
        ...{ DATABASE_URL: postgres.url, DATA_DIR: path.join(folder, String(member)) },
        ...WITH_JUMPING_CLOCK,
      });
      const fleet = new Fleet(envOf, random);
      await fleet.start();
      const writers = Array.from({ length: WRITERS }, (_, index) => [
        linkWriter(`chaos link ${index}`, random),
        patchWriter(`chaos patch ${index}`, random),
      ]).flat();
      let isWritingOver = false;
      let phase: Phase = 'writing';
      let lastPosition = Infinity;
      const writing = Promise.all(writers.map((writer) => keepWriting(writer, fleet, () => isWritingOver)));
      const feed = followFeed(fleet, () => phase);
      const stream = followStream(fleet, (newest) => phase === 'over' || newest >= lastPosition);

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
          await withOperator(postgres.url, (operator) => fleet.stopOne(operator, LONGEST_STOP_MS));
          await fleet.killOne();
        }
        await fleet.allRun();
        isWritingOver = true;
        await writing;
        phase = 'reading';

        const calm = fleet.members.find((member) => member !== undefined)!;
        const problems = (await Promise.all(writers.map((writer) => writer.check(calm)))).flat();
        lastPosition = await lastEvent(calm);
        const [links, positions] = [await feed, await stream];
        const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged(), 0);
        process.stdout.write(
          `chaos: ${SECONDS} s, ${SERVERS} servers, ${fleet.kills} killed with -9, ${fleet.stops} stopped for a while, ${fleet.jumps} jumps of clocks, PostgreSQL restarted ${DATABASE_RESTARTS.length} times, ` +
            `${acknowledged} acknowledged writes, ${links.length} links in the feed, ${positions.length} events on the stream, ${problems.length} problems\n`,
        );
        expect(problems).toEqual([]);
        expect(problemsOfFeed(links)).toEqual([]);
        expect(gapsOf(positions)).toEqual([]);
        expect(positions.length).toBe(lastPosition);
        expect(fleet.errors()).toEqual([]);
      } catch (error) {
        process.stdout.write(`chaos: errors of the servers:\n${fleet.errors().join('\n')}\n`);
        throw error;
      } finally {
        isWritingOver = true;
        phase = 'over';
        await fleet.stop();
      }
    },
    SECONDS * 1000 + AFTERWARDS_MS,
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
  });
  return last;
}
