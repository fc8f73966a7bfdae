import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../crypto/seeded-random.js';
import { linkWriter, patchWriter, type Writer } from '../kill/writers.js';
import type { Answer } from '../../support/app.js';
import { problemsOfFeed, readFeed } from '../../support/chain-checks.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.mjs';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const RESTARTS = 3;
/** Acknowledged writes of everybody before the next restart. */
const WRITES_BETWEEN = 5;

/** Writes until `isOver`; counts how often the database was away. */
async function keepWriting(writer: Writer, service: ServiceProcess, isOver: () => boolean): Promise<number> {
  let away = 0;
  while (!isOver()) {
    if (await writer.write(service)) continue;
    away += 1;
    await delay(20);
  }
  return away;
}

/** Reads until `isOver`; every status that was answered. */
async function keepReading(service: ServiceProcess, isOver: () => boolean): Promise<Map<number, Answer>> {
  const answers = new Map<number, Answer>();
  while (!isOver()) {
    const answer = await service.get('/v1/proofchain/changes?last_id=0');
    answers.set(answer.status, answer);
    expect((await service.get('/healthz')).status).toBe(200);
    await delay(20);
  }
  return answers;
}

describe('a database that is restarted under load', () => {
  let postgres: TestPostgres;
  let service: ServiceProcess;

  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    service = await startService({ DATABASE_URL: postgres.url, DATABASE_POOL_SIZE: '4' });
  });
  afterAll(async () => {
    await service?.kill9();
    await postgres?.stop();
  });

  it('costs 503s meanwhile and nothing else: no write that was acknowledged, no process, no gap in the feed', async () => {
    const random = new SeededRandom('database restart');
    const writers = [
      ...['a', 'b', 'c'].map((name) => linkWriter(`links ${name}`, random)),
      ...['d', 'e'].map((name) => patchWriter(`patches ${name}`, random)),
    ];
    let isOver = false;
    const writing = Promise.all(writers.map((writer) => keepWriting(writer, service, () => isOver)));
    const reading = keepReading(service, () => isOver);
    const allWroteMore = async () => {
      const before = writers.map((writer) => writer.acknowledged());
      const isAhead = () =>
        writers.every((writer, number) => writer.acknowledged() >= before[number]! + WRITES_BETWEEN);
      await Promise.race([until(isAhead), writing]);
    };

    await allWroteMore();
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await postgres.restart();
      // The service reconnects by itself, without an operator.
      await allWroteMore();
    }
    isOver = true;
    const away = await writing;
    const answers = await reading;

    expect([...answers.keys()].sort()).toEqual([200, 503]);
    expect(answers.get(503)!.body.code).toBe('database_unavailable');
    expect(answers.get(503)!.headers.get('Retry-After')).toBe('5');
    expect(away.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    expect((await Promise.all(writers.map((writer) => writer.check(service)))).flat()).toEqual([]);
    expect(problemsOfFeed(await readFeed(service))).toEqual([]);
    expect(service.output()).not.toContain('StrayErrors');
  });
});
