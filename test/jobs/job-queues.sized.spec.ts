import { jest } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { ConfigModule } from '../../src/config/config.module.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { DeadLetters } from '../../src/jobs/dead-letters.js';
import { JobQueues } from '../../src/jobs/job-queues.js';
import { JobsModule } from '../../src/jobs/jobs.module.js';
import { LeasedRows, LeaseLostError } from '../../src/jobs/leased-rows.js';
import type { Leased, WorkTable } from '../../src/jobs/work-table.js';
import { stepClock } from '../support/clock.js';
import { ENGINES_OF_TIER, type OpenTestDatabase, openTestDatabase } from '../support/engines.js';
import { until } from '../support/until.js';

const LETTERS: WorkTable = {
  queue: 'letters',
  table: 'letter',
  dueAt: 'due_at',
  leaseMs: 20_000,
  mostMs: 3_600_000,
  dead: {
    failedAt: 'dead_at',
    data: "jsonb_build_object('text', content)",
    revive: 'tries = 0',
  },
};

const SCHEMA = `
  create table letter (id uuid primary key default gen_random_uuid(), content text not null, due_at timestamptz, leased_until timestamptz,
    unfinished_runs integer not null default 0, tries integer not null default 0, last_error text not null default '',
    dead_letter_id uuid, dead_at timestamptz)`;

type Work = (text: string, leased: Leased, rows: LeasedRows) => Promise<void>;

/** A server with workers of the queue `letters` over an open database. */
async function startServer({ database }: OpenTestDatabase, work: Work, concurrency = 1): Promise<TestingModule> {
  const server = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(loadEnvironment({})), DatabaseModule.forRoot(database), JobsModule],
  }).compile();
  server.useLogger(false);
  const dataSource = server.get(DataSource);
  const rows = server.get(JobQueues).register(LETTERS, {
    concurrency,
    run: async (leased) => {
      const [row]: { content: string }[] = await dataSource.query('select content from letter where id = $1', [
        leased.id,
      ]);
      await work(row!.content, leased, rows);
      await rows.finish(dataSource.manager, leased, null, 'tries = tries + 1', []);
    },
  });
  return server.init();
}

/** `inMs` from now. */
async function write(server: TestingModule, content: string, inMs = 0): Promise<void> {
  await server.get(DataSource).transaction(async (manager) => {
    const sql = `insert into letter (content, due_at) values ($1, now() + $2::float8 * interval '1 millisecond')`;
    await manager.query(sql, [content, inMs]);
    server.get(JobQueues).wakeAfterCommit(manager, 'letters');
  });
}

const depthOf = async (server: TestingModule) => (await server.get(JobQueues).depths())[0];
const NOTHING = { queue: 'letters', ready: 0, deferred: 0, running: 0, dead: 0 };

describe.each(ENGINES_OF_TIER)('work on %s', (engine) => {
  let opened: OpenTestDatabase;
  let server: TestingModule;
  let done: string[];
  let work: Work;

  beforeAll(async () => {
    opened = await openTestDatabase(engine);
    server = await startServer(opened, (text, leased, rows) => work(text, leased, rows), 3);
    await server.get(DataSource).query(SCHEMA);
  });

  beforeEach(() => {
    done = [];
    work = async (text) => void done.push(text);
  });

  afterAll(async () => {
    await server?.close();
    await opened?.drop();
  });

  it('is done once its transaction is committed', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) await write(server, text);
    await until(() => done.length === 6);

    expect([...done].sort()).toEqual(['five', 'four', 'one', 'six', 'three', 'two']);
    await until(async () => (await depthOf(server))!.running === 0);
    expect(await depthOf(server)).toEqual(NOTHING);
  });

  it('never exists if the transaction is rolled back', async () => {
    const refused = server.get(DataSource).transaction(async (manager) => {
      await manager.query(`insert into letter (content, due_at) values ('never', now())`);
      server.get(JobQueues).wakeAfterCommit(manager, 'letters');
      throw new Error('rolled back');
    });

    await expect(refused).rejects.toThrow('rolled back');
    await write(server, 'after');
    await until(() => done.includes('after'));
    expect(done).toEqual(['after']);
  });

  it('waits until its time by the clock of the database', async () => {
    const isEarly = `select due_at > clock_timestamp() as early from letter where content = 'later'`;
    let wasEarly: unknown;
    work = async (text) => {
      if (text === 'later') [wasEarly] = await server.get(DataSource).query(isEarly);
      done.push(text);
    };

    await write(server, 'later', 1500);
    await write(server, 'now');
    await until(() => done.length === 2);

    expect(done).toEqual(['now', 'later']);
    expect(wasEarly).toEqual({ early: false });
  });

  it('waits for no time further ahead than any is put off, which a clock has set that was put back', async () => {
    await write(server, 'years ahead', 12 * 365 * 86_400_000);
    await write(server, 'as long as any', 3_600_000);

    await server.get(JobQueues).pullBack();

    await until(() => done.length === 1);
    expect(done).toEqual(['years ahead']);
    expect(await depthOf(server)).toMatchObject({ deferred: 1 });
    await server.get(DataSource).query('delete from letter');
  });

  it.each([
    ['ahead of it', 1],
    ['behind it', -1],
  ])('is leased by the clock of the database, though that of the server is an hour %s', async (_where, hours) => {
    const left = `select extract(epoch from leased_until - clock_timestamp())::float8 as seconds from letter where id = $1`;
    const seconds: number[] = [];
    work = async (text, leased, rows) => {
      const look = async () => {
        const [row]: { seconds: number }[] = await server.get(DataSource).query(left, [leased.id]);
        seconds.push(row!.seconds);
      };
      await look();
      await rows.renew(leased);
      await look();
      done.push(text);
    };
    stepClock(hours * 3_600_000);

    try {
      await write(server, 'leased');
      await until(() => done.length === 1);
    } finally {
      jest.useRealTimers();
    }

    for (const one of seconds) {
      expect(one).toBeGreaterThan(0);
      expect(one).toBeLessThanOrEqual(LETTERS.leaseMs / 1000);
    }
  });

  it('is put off after an error, longer after each', async () => {
    work = async () => {
      throw new Error('the pen is broken');
    };

    await write(server, 'fragile');
    const read = `select unfinished_runs as runs, extract(epoch from due_at - now())::float8 as seconds, leased_until as lease from letter
      where content = 'fragile'`;
    const state = async () =>
      (await server.get(DataSource).query<{ runs: number; seconds: number; lease: Date | null }[]>(read))[0]!;
    await until(async () => (await state()).runs === 3 && (await state()).lease === null);
    expect((await state()).seconds).toBeGreaterThan(2);

    work = async (text) => void done.push(text);
    await server.get(DataSource).query(`update letter set due_at = now() where due_at is not null`);
    await until(() => done.length === 1);
    await until(async () => (await state()).runs === 0);
  });

  it('that failed for good is listed, replayed, and dropped by an operator', async () => {
    const letters = server.get(DeadLetters);
    const bury = `insert into letter (content, last_error, dead_letter_id, dead_at) values ($1, $1 || ' is hopeless', gen_random_uuid(), now())`;
    for (const text of ['first', 'second', 'third', 'fourth']) await server.get(DataSource).query(bury, [text]);

    const { items, total } = await letters.list('letters', 1);
    expect(total).toBe(4);
    expect(items.find(({ error }) => error === 'third is hopeless')).toMatchObject({
      queue: 'letters',
      data: { text: 'third' },
      failed_at: expect.stringMatching(/^\d+$/),
    });
    expect(await depthOf(server)).toMatchObject({ dead: 4 });
    const idOf = (text: string) => items.find(({ error }) => error.startsWith(text))!.id;
    await letters.drop(idOf('third'));
    await letters.replay(idOf('fourth'));
    await until(() => done.length === 1);

    expect(await letters.replayAll('letters')).toBe(2);
    await until(() => done.length === 3);
    expect([...done].sort()).toEqual(['first', 'fourth', 'second']);
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

  it('belongs to nobody any more who lost the lease', async () => {
    work = async (_text, leased, rows) => {
      const before = { ...leased };
      await rows.renew(leased);
      await expect(rows.renew(before)).rejects.toThrow(LeaseLostError);
      await expect(rows.write(before, 'tries = 9', [])).rejects.toThrow(LeaseLostError);
      await rows.putOff(before, 3_600_000);
      done.push('renewed');
    };

    await write(server, 'renewing');
    await until(() => done.length === 1);
    const read = `select tries, due_at from letter where content = 'renewing'`;
    await until(async () => (await server.get(DataSource).query<{ tries: number }[]>(read))[0]!.tries > 0);

    expect(await server.get(DataSource).query(read)).toEqual([{ tries: 1, due_at: null }]);
  });
});

describe('work of two servers', () => {
  const servers: TestingModule[] = [];
  let opened: OpenTestDatabase;

  beforeEach(async () => {
    opened = await openTestDatabase('postgres');
  });

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await opened.drop();
  });

  it('is done once each, whichever server takes it', async () => {
    const done: string[] = [];
    const work: Work = async (text) => void done.push(text);
    servers.push(await startServer(opened, work, 2));
    await servers[0]!.get(DataSource).query(SCHEMA);
    servers.push(await startServer(opened, work, 2));

    const texts = Array.from({ length: 40 }, (_, index) => `job ${index}`);
    await Promise.all(texts.map((text, index) => write(servers[index % 2]!, text)));
    await until(() => done.length >= 40);

    expect([...done].sort()).toEqual([...texts].sort());
  });

  it('is finished before its server stops', async () => {
    let isRunning = false;
    let isDone = false;
    let finish = () => {};
    const server = await startServer(opened, async () => {
      isRunning = true;
      await new Promise<void>((resolve) => (finish = resolve));
      isDone = true;
    });
    await server.get(DataSource).query(SCHEMA);
    await write(server, 'slow');
    await until(() => isRunning);

    const stopped = server.close();
    finish();
    await stopped;

    expect(isDone).toBe(true);
    const other = await startServer(opened, async () => {});
    servers.push(other);
    expect(await depthOf(other)).toEqual(NOTHING);
  });

  it('is taken up by another server when the lease of one that died is over, and no sooner', async () => {
    const done: string[] = [];
    const server = await startServer(opened, async (text) => void done.push(text));
    servers.push(server);
    await server.get(DataSource).query(SCHEMA);
    // What a server that was killed leaves behind.
    const leave = `insert into letter (content, due_at, leased_until) values ($1, now() - interval '1 hour', now() + $2 * interval '1 second')`;
    await server.get(DataSource).query(leave, ['held', 3600]);
    await server.get(DataSource).query(leave, ['orphan', -1]);

    await until(() => done.length === 1);
    await write(server, 'next');
    await until(() => done.length === 2);

    expect(done).toEqual(['orphan', 'next']);
    // The server is done with its own two, and leaves the held one alone.
    await until(async () => (await depthOf(server))?.running === 1);
  });
});
