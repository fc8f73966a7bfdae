import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { DataSource, type EntityManager } from 'typeorm';
import { withTimeout } from '../concurrency/with-timeout.js';
import { OPEN_DATABASE, type OpenDatabase } from '../database/database.js';
import { deadLetterQueue, type JobQueue } from './job-queue.js';
import { onPool, onTransaction } from './pg-boss-database.js';
import { WakeAfterCommit } from './wake-after-commit.js';

export interface SendOptions {
  /** Not before this time. */
  startAfter?: Date;
}

type Worker<Data extends object> = (data: Data, id: string) => Promise<void>;

interface Registration {
  queue: JobQueue<object>;
  worker: Worker<object>;
  concurrency: number;
}

/**
 * Seconds between looks for work that another server sent, or whose time has come; a job sent here wakes the workers at
 * once.
 */
const POLL_SECONDS = 1;
/** The other workers of a queue need not look by themselves: the first one wakes them when there is work. */
const IDLE_POLL_SECONDS = 30;
/** Seconds between looks for runs that were given up or whose server died. */
const SUPERVISE_SECONDS = 5;
/** Seconds for which a job that is done stays in the table. */
const KEEP_DONE_SECONDS = 3600;
const TIDY_SECONDS = 600;
/** Dead letters wait this long for an operator. */
const KEEP_DEAD_SECONDS = 90 * 24 * 3600;
const STOP_TIMEOUT_MS = 10_000;
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/**
 * The job queue: the one pg-boss instance, in the same PostgreSQL as everything else, so that a job is sent in the
 * transaction of the row it serves. Retries with back-off and jitter, then a dead letter that an operator can list and
 * replay.
 */
@Injectable()
export class JobQueues implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('JobQueues');
  private readonly registrations: Registration[] = [];
  private readonly workerIds = new Map<string, string[]>();
  /** Queues that exist and that pg-boss knows. */
  private readonly created = new Set<string>();
  private readonly boss: PgBoss;
  private readonly afterCommit = new WakeAfterCommit((queue) => this.wakeWorkers(queue));

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OPEN_DATABASE) { kind }: OpenDatabase,
  ) {
    this.boss = new PgBoss({
      db: onPool(dataSource),
      backend: kind === 'embedded' ? 'pglite' : 'postgres',
      schedule: false,
      persistWarnings: false,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      maintenanceIntervalSeconds: TIDY_SECONDS,
    });
    this.boss.on('error', (error: Error) => this.logger.warn(`jobs wait: ${error.message}`));
    dataSource.subscribers.push(this.afterCommit);
  }

  /** Names the worker of a queue; to be called while the modules are initialised, before the application starts. */
  register<Data extends object>(queue: JobQueue<Data>, worker: Worker<Data>, concurrency = 1): void {
    this.registrations.push({ queue, worker: worker as Worker<object>, concurrency });
  }

  /** The names of all queues of this server. */
  get names(): string[] {
    return this.registrations.map(({ queue }) => queue.name);
  }

  /** Before other rooms are initialised, so that the tables are there when the first event is announced. */
  async onModuleInit(): Promise<void> {
    await this.boss.start();
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const { queue } of this.registrations) await this.create(queue);
    for (const registration of this.registrations) await this.startWorkers(registration);
  }

  /** Lets running jobs finish; those that do not are tried again elsewhere. */
  async onApplicationShutdown(): Promise<void> {
    const stopped = Promise.all([...this.workerIds.keys()].map((name) => this.boss.offWork(name, { wait: true })));
    await withTimeout(stopped, STOP_TIMEOUT_MS, () => undefined);
    await this.boss.stop({ graceful: false, close: false });
  }

  /**
   * Sends a job in the transaction of `manager`: it exists if and only if that commits, and then this server's workers
   * look for it at once. Answers its id.
   */
  async send<Data extends object>(
    manager: EntityManager,
    queue: JobQueue<Data>,
    data: Data,
    options: SendOptions = {},
  ): Promise<string> {
    const id = await this.insert(manager, queue.name, data, options);
    if (!options.startAfter) this.afterCommit.note(manager.queryRunner!, queue.name);
    return id;
  }

  /**
   * Makes a dead letter in the transaction of `manager`, for work that a room itself has given up; replayed, it comes
   * to the worker as any other job. `error` is for the operator who reads the list. Answers its id.
   */
  async bury<Data extends object>(
    manager: EntityManager,
    queue: JobQueue<Data>,
    data: Data,
    error: string,
  ): Promise<string> {
    return this.insert(manager, deadLetterQueue(queue.name), { ...data, error });
  }

  /** Lets this server's workers of `queue` look for work now. */
  wake(queue: JobQueue<object>): void {
    this.wakeWorkers(queue.name);
  }

  /** Jobs of each queue by state, for metrics and the admin page. */
  async depths(): Promise<{ queue: string; waiting: number; running: number; dead: number }[]> {
    const rows: { name: string; waiting: string; running: string }[] = await this.dataSource.query(
      `select name, count(*) filter (where state in ('created', 'retry')) as waiting, count(*) filter (where state = 'active') as running
       from pgboss.job where name = any($1::text[]) group by name`,
      [[...this.names, ...this.names.map(deadLetterQueue)]],
    );
    const found = new Map(rows.map((row) => [row.name, row]));
    return this.names.map((queue) => ({
      queue,
      waiting: Number(found.get(queue)?.waiting ?? 0),
      running: Number(found.get(queue)?.running ?? 0),
      dead: Number(found.get(deadLetterQueue(queue))?.waiting ?? 0),
    }));
  }

  /** Sends a job again, as it is, in the transaction of `manager`. */
  async resend(manager: EntityManager, queue: string, data: object): Promise<void> {
    await this.insert(manager, queue, data);
    this.afterCommit.note(manager.queryRunner!, queue);
  }

  private async insert(
    manager: EntityManager,
    queue: string,
    data: object,
    options: SendOptions = {},
  ): Promise<string> {
    if (!this.created.has(queue)) throw new Error(`The queue ${queue} is not open yet.`);
    const id = await this.boss.send(queue, data, { ...options, db: onTransaction(manager) });
    if (id === null) throw new Error(`The queue ${queue} took no job.`);
    return id;
  }

  private async create(queue: JobQueue<object>): Promise<void> {
    const dead = { retentionSeconds: KEEP_DEAD_SECONDS };
    const settings = {
      retryLimit: queue.retries,
      retryDelay: queue.retryDelaySeconds,
      retryBackoff: true,
      retryDelayMax: queue.longestDelaySeconds,
      expireInSeconds: queue.expireSeconds,
      deleteAfterSeconds: KEEP_DONE_SECONDS,
      deadLetter: deadLetterQueue(queue.name),
    };
    await this.boss.createQueue(deadLetterQueue(queue.name), dead);
    await this.boss.createQueue(queue.name, settings);
    // Creating leaves a queue that is there as it is, so what a new version or another setting says is written too.
    await this.boss.updateQueue(queue.name, settings);
    // pg-boss reads what it knows of a queue at first use, on a connection of the pool. Inside a transaction that would
    // wait for ever where the pool has a single one, so the first use is here.
    for (const name of [queue.name, deadLetterQueue(queue.name)]) {
      await this.boss.findJobs(name, { id: NO_JOB });
      this.created.add(name);
    }
  }

  private async startWorkers({ queue, worker, concurrency }: Registration): Promise<void> {
    const ids: string[] = [];
    this.workerIds.set(queue.name, ids);
    for (let count = 0; count < concurrency; count += 1) {
      const id = await this.boss.work<object>(
        queue.name,
        { pollingIntervalSeconds: count === 0 ? POLL_SECONDS : IDLE_POLL_SECONDS, batchSize: 1 },
        async (jobs) => {
          // Where one job was, there may be more: everybody looks again, this worker too when it is done.
          this.wakeWorkers(queue.name);
          for (const job of jobs) await worker(job.data, job.id);
        },
      );
      ids.push(id);
    }
  }

  private wakeWorkers(queue: string): void {
    for (const id of this.workerIds.get(queue) ?? []) this.boss.notifyWorker(id);
  }
}
