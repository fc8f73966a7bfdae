import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { ConfigModule } from '../../src/config/config.module.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { DeadLetters } from '../../src/jobs/dead-letters.js';
import type { JobQueue } from '../../src/jobs/job-queue.js';
import { JobQueues } from '../../src/jobs/job-queues.js';
import { JobsModule } from '../../src/jobs/jobs.module.js';
import { ENGINES, type OpenTestDatabase, openTestDatabase } from '../support/engines.js';
import { until } from '../support/until.js';

interface Letter {
  text: string;
}

const LETTERS: JobQueue<Letter> = {
  name: 'letters',
  retries: 1,
  retryDelaySeconds: 1,
  longestDelaySeconds: 1,
  expireSeconds: 30,
};

type Work = (data: Letter, id: string) => Promise<void>;

/** A server with workers of the queue `letters` over an open database. */
async function startServer({ database }: OpenTestDatabase, work: Work, concurrency = 1): Promise<TestingModule> {
  const server = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(loadEnvironment({})), DatabaseModule.forRoot(database, []), JobsModule],
  }).compile();
  server.useLogger(false);
  server.get(JobQueues).register(LETTERS, work, concurrency);
  return server.init();
}

function send(server: TestingModule, text: string, startAfter?: Date): Promise<string> {
  return server
    .get(DataSource)
    .transaction((manager) => server.get(JobQueues).send(manager, LETTERS, { text }, startAfter ? { startAfter } : {}));
}

describe.each(ENGINES)('jobs on %s', (engine) => {
  let opened: OpenTestDatabase;
  let server: TestingModule;
  let heard: string[];
  let work: Work;

  beforeAll(async () => {
    opened = await openTestDatabase(engine);
    server = await startServer(opened, (data, id) => work(data, id), 3);
  });

  beforeEach(() => {
    heard = [];
    work = async ({ text }) => void heard.push(text);
  });

  afterAll(async () => {
    await server?.close();
    await opened?.drop();
  });

  it('run once their transaction is committed, well before the next look for work', async () => {
    const startedAt = Date.now();

    for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) await send(server, text);
    await until(() => heard.length === 6);

    expect([...heard].sort()).toEqual(['five', 'four', 'one', 'six', 'three', 'two']);
    // Without being woken, one worker looks once a second.
    expect(Date.now() - startedAt).toBeLessThan(4000);
  });

  it('never exist if the transaction is rolled back', async () => {
    const refused = server.get(DataSource).transaction(async (manager) => {
      await server.get(JobQueues).send(manager, LETTERS, { text: 'never' });
      throw new Error('rolled back');
    });

    await expect(refused).rejects.toThrow('rolled back');
    await send(server, 'after');
    await until(() => heard.includes('after'));
    expect(heard).toEqual(['after']);
    expect(await waiting(server)).toBe(0);
  });

  it('are refused outside of a transaction', async () => {
    const manager = server.get(DataSource).createQueryRunner().manager;

    await expect(server.get(JobQueues).send(manager, LETTERS, { text: 'loose' })).rejects.toThrow('in a transaction');
  });

  it('wait until the time they are sent for', async () => {
    const startAfter = new Date(Date.now() + 1500);
    let ranAt = 0;
    work = async () => void (ranAt = Date.now());

    await send(server, 'later', startAfter);
    await send(server, 'now');
    await until(() => ranAt > startAfter.getTime() - 200);

    expect(ranAt).toBeGreaterThanOrEqual(startAfter.getTime() - 200);
  });

  it('are tried again after a failure, and then become dead letters that an operator can list and replay', async () => {
    let tries = 0;
    work = async () => {
      tries += 1;
      throw new Error('the pen is broken');
    };

    await send(server, 'fragile');
    await until(async () => (await server.get(DeadLetters).list('letters', 1)).total === 1);

    expect(tries).toBe(2);
    const { items } = await server.get(DeadLetters).list(undefined, 1);
    expect(items).toMatchObject([{ queue: 'letters', data: { text: 'fragile' }, error: 'the pen is broken' }]);
    expect(await server.get(JobQueues).depths()).toEqual([{ queue: 'letters', waiting: 0, running: 0, dead: 1 }]);

    work = async ({ text }) => void heard.push(text);
    await server.get(DeadLetters).replay(items[0]!.id);
    await until(() => heard.length === 1);

    expect(heard).toEqual(['fragile']);
    expect((await server.get(DeadLetters).list('letters', 1)).total).toBe(0);
  });

  it('can be given up by the room itself, replayed all at once, or dropped', async () => {
    const queues = server.get(JobQueues);
    const letters = server.get(DeadLetters);
    const bury = (text: string) =>
      server.get(DataSource).transaction((manager) => queues.bury(manager, LETTERS, { text }, `${text} is hopeless`));

    await bury('first');
    await bury('second');
    const third = await bury('third');
    expect((await letters.list('letters', 1)).items.map(({ error }) => error)).toContain('third is hopeless');
    await letters.drop(third);
    const moved = await letters.replayAll('letters');
    await until(() => heard.length === 2);

    expect(moved).toBe(2);
    expect([...heard].sort()).toEqual(['first', 'second']);
    expect(await letters.replayAll()).toBe(0);
  });

  it('says so when a dead letter does not exist', async () => {
    const letters = server.get(DeadLetters);

    for (const id of ['no-uuid', '7f7f9d5e-3f0a-4f0e-9d7d-3a0f6c1d2e4f']) {
      await expect(letters.replay(id)).rejects.toMatchObject({ code: 'dead_letter_not_found' });
      await expect(letters.drop(id)).rejects.toMatchObject({ code: 'dead_letter_not_found' });
    }
    expect(await letters.list('no such queue', 1)).toEqual({ items: [], total: 0, current: 1 });
  });
});

describe('jobs of two servers', () => {
  const servers: TestingModule[] = [];
  let opened: OpenTestDatabase;

  beforeEach(async () => {
    opened = await openTestDatabase('postgres');
  });

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await opened.drop();
  });

  it('run once each, whichever server takes them', async () => {
    const heard: string[] = [];
    const work: Work = async ({ text }) => void heard.push(text);
    servers.push(...(await Promise.all([startServer(opened, work, 2), startServer(opened, work, 2)])));

    const texts = Array.from({ length: 40 }, (_, index) => `job ${index}`);
    await Promise.all(texts.map((text, index) => send(servers[index % 2]!, text)));
    await until(() => heard.length >= 40);

    expect([...heard].sort()).toEqual([...texts].sort());
  });

  it('are finished before their server stops', async () => {
    let isRunning = false;
    let isDone = false;
    let finish = () => {};
    const server = await startServer(opened, async () => {
      isRunning = true;
      await new Promise<void>((resolve) => (finish = resolve));
      isDone = true;
    });
    await send(server, 'slow');
    await until(() => isRunning);

    const stopped = server.close();
    finish();
    await stopped;

    expect(isDone).toBe(true);
    const other = await startServer(opened, async () => {});
    servers.push(other);
    expect(await other.get(JobQueues).depths()).toEqual([{ queue: 'letters', waiting: 0, running: 0, dead: 0 }]);
  });

  it('are tried by another server when theirs died over them', async () => {
    const heard: string[] = [];
    const server = await startServer(opened, async ({ text }) => void heard.push(text));
    servers.push(server);
    // What a server that was killed leaves behind: a job that runs for longer than it may, and nobody who works on it.
    await send(server, 'orphan', new Date(Date.now() + 3600_000));
    await server
      .get(DataSource)
      .query(`update pgboss.job set state = 'active', started_on = now() - interval '1 hour' where name = 'letters'`);

    await until(() => heard.length === 1, 30_000);

    expect(heard).toEqual(['orphan']);
  }, 35_000);
});

async function waiting(server: TestingModule): Promise<number> {
  const depths = await server.get(JobQueues).depths();
  return depths[0]!.waiting;
}
