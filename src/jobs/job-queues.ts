import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';

/** A kind of job: its name, what it carries, and how stubborn it is. Times in seconds. */
export interface JobQueue<Data extends object> {
  name: string;
  /** Tries after the first one, before the job becomes a dead letter. */
  retries: number;
  /** First delay between tries; doubles each time, with jitter, up to the longest. */
  retryDelaySeconds: number;
  longestDelaySeconds: number;
  /** A run that takes longer counts as failed, also when its server died. */
  expireSeconds: number;
  /** Carries the type of the data; never set. */
  data?: Data;
}

export interface SendOptions {
  /** Not before this time. */
  startAfter?: Date;
}

/** A job that failed for good. */
export interface DeadLetter {
  id: string;
  /** The queue it came from. */
  queue: string;
  data: object;
  failedAt: Date;
}

type Worker<Data extends object> = (data: Data, id: string) => Promise<void>;

interface Registration {
  queue: JobQueue<object>;
  worker: Worker<object>;
  concurrency: number;
}

/** Seconds between looks for work that another server sent; this server wakes its own workers at once. */
const POLL_SECONDS = 1;
const STOP_TIMEOUT_MS = 10_000;
const MAX_LISTED = 100;

/**
 * The job queue: the one pg-boss instance, in the same PostgreSQL as everything else, so that a job is sent in the transaction of the row it
 * serves. Retries with back-off and jitter, then a dead letter that an operator can list and replay.
 */
@Injectable()
export class JobQueues implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('JobQueues');
  private readonly registrations: Registration[] = [];
  private readonly workerIds = new Map<string, string[]>();
  private readonly boss: PgBoss;
  private isStarted = false;

  constructor(private readonly dataSource: DataSource) {
    this.boss = new PgBoss({
      db: { executeSql: (text, values) => this.executeOnPool(text, values) },
      schedule: false,
      persistWarnings: false,
    });
    this.boss.on('error', (error: Error) => this.logger.warn(`jobs wait: ${error.message}`));
  }

  /** Names the worker of a queue; to be called while the modules are initialised, before the application starts. */
  register<Data extends object>(queue: JobQueue<Data>, worker: Worker<Data>, concurrency = 1): void {
    this.registrations.push({ queue, worker: worker as Worker<object>, concurrency });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.registrations.length === 0) return;
    await this.boss.start();
    this.isStarted = true;
    for (const { queue } of this.registrations) await this.create(queue);
    for (const registration of this.registrations) await this.startWorkers(registration);
  }

  /** Lets running jobs finish; those that do not are tried again elsewhere. */
  async onApplicationShutdown(): Promise<void> {
    if (this.isStarted) await this.boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS, close: false });
  }

  /** Sends a job in the transaction of `manager`: it exists if and only if that commits. Answers its id. */
  async send<Data extends object>(
    manager: EntityManager,
    queue: JobQueue<Data>,
    data: Data,
    options: SendOptions = {},
  ): Promise<string> {
    const id = await this.boss.send(queue.name, data, {
      ...options,
      db: { executeSql: (text, values) => execute(manager.queryRunner!, text, values) },
    });
    if (id === null) throw new Error(`The queue ${queue.name} took no job.`);
    return id;
  }

  /** Lets this server's workers of `queue` look for work now. */
  wake(queue: JobQueue<object>): void {
    for (const id of this.workerIds.get(queue.name) ?? []) this.boss.notifyWorker(id);
  }

  /** Jobs of each queue by state, for metrics and the admin page. */
  async depths(): Promise<{ queue: string; waiting: number; running: number; dead: number }[]> {
    if (!this.isStarted) return [];
    const names = this.registrations.map(({ queue }) => queue.name);
    const rows: { name: string; waiting: string; running: string }[] = await this.dataSource.query(
      `select name, count(*) filter (where state in ('created', 'retry')) as waiting, count(*) filter (where state = 'active') as running
       from pgboss.job where name = any($1::text[]) group by name`,
      [[...names, ...names.map(deadLetterQueue)]],
    );
    const found = new Map(rows.map((row) => [row.name, row]));
    return names.map((queue) => ({
      queue,
      waiting: Number(found.get(queue)?.waiting ?? 0),
      running: Number(found.get(queue)?.running ?? 0),
      dead: Number(found.get(deadLetterQueue(queue))?.waiting ?? 0),
    }));
  }

  /** The newest dead letters of all queues. */
  async deadLetters(): Promise<DeadLetter[]> {
    if (!this.isStarted) return [];
    const rows: { id: string; name: string; data: object; created_on: Date }[] = await this.dataSource.query(
      `select id, name, data, created_on from pgboss.job where name = any($1::text[]) and state = 'created'
       order by created_on desc limit ${MAX_LISTED}`,
      [this.registrations.map(({ queue }) => deadLetterQueue(queue.name))],
    );
    return rows.map((row) => ({
      id: row.id,
      queue: row.name.slice(0, -DEAD.length),
      data: row.data,
      failedAt: row.created_on,
    }));
  }

  /** Puts dead letters back into their queue, all or those of one queue; how many. */
  async replay(queue?: string): Promise<number> {
    if (!this.isStarted) return 0;
    const names = this.registrations
      .map((registration) => registration.queue.name)
      .filter((name) => !queue || name === queue);
    let moved = 0;
    for (const name of names) moved += await this.boss.redrive(deadLetterQueue(name), { destination: name });
    return moved;
  }

  private async create(queue: JobQueue<object>): Promise<void> {
    await this.boss.createQueue(deadLetterQueue(queue.name));
    await this.boss.createQueue(queue.name, {
      retryLimit: queue.retries,
      retryDelay: queue.retryDelaySeconds,
      retryBackoff: true,
      retryDelayMax: queue.longestDelaySeconds,
      expireInSeconds: queue.expireSeconds,
      deadLetter: deadLetterQueue(queue.name),
    });
  }

  private async startWorkers({ queue, worker, concurrency }: Registration): Promise<void> {
    const ids: string[] = [];
    for (let count = 0; count < concurrency; count += 1) {
      const id = await this.boss.work<object>(
        queue.name,
        { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 },
        async (jobs) => {
          for (const job of jobs) await worker(job.data, job.id);
        },
      );
      ids.push(id);
    }
    this.workerIds.set(queue.name, ids);
  }

  private async executeOnPool(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    const runner = this.dataSource.createQueryRunner();
    try {
      return await execute(runner, text, values);
    } catch (error) {
      // Maintenance brings its own BEGIN and COMMIT in one text; the connection must not go back to the pool in a broken transaction.
      await runner.query('rollback').catch(() => {});
      throw error;
    } finally {
      await runner.release();
    }
  }
}

const DEAD = '.dead';

function deadLetterQueue(queue: string): string {
  return `${queue}${DEAD}`;
}

async function execute(runner: QueryRunner, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  const result = await runner.query(text, values, true);
  return { rows: result.records ?? [] };
}
