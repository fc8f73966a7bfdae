import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase, sendsAhead } from './database.js';
import { isRefusedByServer } from './pg-errors.js';

/** Milliseconds after which a session stops waiting for a lock that all servers need. */
const SHARED_LOCK_MS = 1500;
/** Milliseconds after which a session stops waiting for any other lock, such as that of one Avatar's content. */
const LOCK_MS = 5000;
/** Milliseconds after which a session ends whose server leaves its transaction idle. */
const IDLE_MS = 3000;
/** Milliseconds that one statement may take. */
const STATEMENT_MS = 4000;

export interface WriteOptions {
  /** Milliseconds that the whole transaction may take; PostgreSQL knows this limit from version 17 on. */
  totalMs?: number;
  /** One of `ADVISORY_LOCKS`, taken before anything else. */
  lock?: number;
  /** A statement that takes other advisory locks, likewise. */
  lockSql?: string;
  /** Milliseconds after which the transaction stops waiting for a lock, if that is less than usual. */
  lockMs?: number;
  /**
   * Whether the work reads before it knows that the transaction has begun, so that its first statements and the begin
   * are one round trip. It changes nothing before it has awaited `begun`.
   */
  readsAhead?: boolean;
}

/** How a transaction goes, for work that waits less for the database. */
export interface TransactionSteps {
  /**
   * Resolves when the transaction has begun and holds its lock: to whether what was read ahead counts. Where another
   * server had the lock it does not, and is to be read again.
   * @throws TransactionNotBegunError
   */
  begun: () => Promise<boolean>;
  /**
   * Sends the commit behind the last statements of the transaction, without waiting for their answers. These have been
   * sent when `written` is given, and nothing follows them.
   */
  commitBehind: <Written>(written: Promise<Written>) => Promise<Written>;
}

export type TransactionWork<Result> = (manager: EntityManager, steps: TransactionSteps) => Promise<Result>;

abstract class TransactionError extends Error {
  /** The cause, where `isTooSlow` and its like look for the reason, as in the errors of TypeORM. */
  readonly driverError: unknown;

  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.driverError = cause;
  }
}

/** The transaction did not begin: others held its lock for too long, or the database went away. Nothing was done. */
export class TransactionNotBegunError extends TransactionError {
  constructor(cause: unknown) {
    super('The transaction did not begin', cause);
  }
}

/**
 * The answer to a commit was lost, or the server committed without what its settings ask of standbys: it is unknown
 * whether the transaction is there to stay. Nothing of it may be acknowledged before the database was asked.
 */
export class CommitUnknownError extends TransactionError {
  constructor(cause: unknown) {
    super('The answer to a commit was lost', cause);
  }
}

/** Transactions for changes that hold what other servers need. */
@Injectable()
export class WriteTransactions {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  /**
   * Runs `work` in a transaction at READ COMMITTED whose locks end within seconds if this server is paused.
   * @throws TransactionNotBegunError; CommitUnknownError; the driver's error if a limit is passed: `isTooSlow`, or
   *   `isConnectionLost` where the session was ended.
   */
  async run<Result>(work: TransactionWork<Result>, options: WriteOptions = {}): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    const isAhead = options.readsAhead === true && this.isPipelined;
    let beginning: Promise<boolean> | undefined;
    let commit: Promise<void> | undefined;
    const commitOnce = () => {
      commit ??= runner.commitTransaction();
      refuseFurther(runner);
      return commit;
    };
    const commitBehind: TransactionSteps['commitBehind'] = (written) => {
      if (this.isPipelined) commitOnce().catch(() => {});
      return written;
    };
    try {
      const client = (await runner.connect()) as pg.Client;
      const begun = (beginning = this.begin(runner, client, options, isAhead));
      if (!isAhead) await begun;
      const result = await work(runner.manager, { begun: () => begun, commitBehind });
      await commitOnce();
      return result;
    } catch (error) {
      // A statement that was sent ahead fails too where the transaction does not begin.
      await beginning;
      // Behind a commit that was sent, only what the server itself refused is known not to be there.
      if (commit !== undefined && !isRefusedByServer(error)) throw new CommitUnknownError(error);
      throw error;
    } finally {
      await commit?.catch(() => {});
      await endTransaction(runner);
    }
  }

  /**
   * Takes one of `ADVISORY_LOCKS` in the middle of a transaction. A statement of its own, so that the next one sees
   * what its previous holder committed.
   * @throws the driver's error if others held it for too long: `isTooSlow`
   */
  async takeLock(manager: EntityManager, lock: number): Promise<void> {
    const { kind, lockTimeoutMs } = this.database;
    const limit = `select ${set('lock_timeout', tighter(this.sharedLockMs, lockTimeoutMs))};\n`;
    await manager.query(`${kind === 'embedded' ? '' : limit}select pg_advisory_xact_lock(${lock})`);
  }

  /**
   * Finds which of `uuids` are stored for good, after the answer to a commit was lost. The query takes the locks of the
   * lost transaction, because that transaction may still be ending. Another transaction then writes a message. Once
   * standbys have confirmed that commit, they have confirmed everything written before it.
   * @param sql answers the column `uuid` for the existing ones of `$1` (uuid[])
   * @throws what `run` throws
   */
  async findCommitted(sql: string, uuids: string[], options: WriteOptions): Promise<Set<string>> {
    return this.run(async (manager) => {
      const rows: { uuid: string }[] = await manager.query(sql, [uuids]);
      await manager.query("select pg_logical_emit_message(true, 'signet', '')");
      return new Set(rows.map(({ uuid }) => uuid));
    }, options);
  }

  /**
   * Sends the begin of a transaction, with its limits and locks, as one message: TypeORM sends the begin by itself.
   * @param isAhead whether further statements are sent meanwhile: the lock is only tried for at first
   * @returns whether these were run with the lock
   * @throws TransactionNotBegunError
   */
  private async begin(
    runner: QueryRunner,
    client: pg.Client,
    options: WriteOptions,
    isAhead: boolean,
  ): Promise<boolean> {
    const { lock, ...others } = options;
    const isTried = isAhead && lock !== undefined;
    const limits = isTried ? this.opening({ lockMs: this.sharedLockMs, ...others }) : this.opening(options);
    const opening = ['start transaction', limits];
    if (isTried) opening.push(`select pg_try_advisory_xact_lock(${lock}) as "isOurs"`);
    Object.assign(runner, { isTransactionActive: true });
    try {
      const results: unknown = await client.query(opening.join(';\n'));
      await runner.broadcaster.broadcast('AfterTransactionStart');
      if (!isTried || (results as pg.QueryResult<{ isOurs: boolean }>[]).at(-1)!.rows[0]!.isOurs) return true;
      await client.query(`select pg_advisory_xact_lock(${lock})`);
      return false;
    } catch (error) {
      throw new TransactionNotBegunError(error);
    }
  }

  private get lockMs(): number {
    return LOCK_MS * this.database.writePatience;
  }

  private get sharedLockMs(): number {
    return SHARED_LOCK_MS * this.database.writePatience;
  }

  /** Behind a pooler, and on the embedded engine, statements go one by one. */
  private get isPipelined(): boolean {
    return sendsAhead(this.database);
  }

  /**
   * The first statements of a transaction, as one message. The lock is a separate statement, so the next statement sees
   * the commits of the previous holder.
   */
  opening({ totalMs, lock, lockSql, lockMs }: WriteOptions): string {
    return [
      'set transaction isolation level read committed',
      ...this.limits(lockMs ?? (lock === undefined ? this.lockMs : this.sharedLockMs), totalMs),
      ...(lock === undefined ? [] : [`select pg_advisory_xact_lock(${lock})`]),
      ...(lockSql === undefined ? [] : [lockSql]),
    ].join(';\n');
  }

  /**
   * A statement with time limits for the rest of a transaction that holds what other servers need: a lock, or the
   * cursor of a listener. A server that is paused in the middle loses its session and its locks after three seconds,
   * unless DATABASE_WRITE_PATIENCE says otherwise. A session that waits for a lock gives up sooner, so that a queue of
   * paused connections dissolves too. The embedded engine gets no limits: it has neither timers nor other servers.
   *
   * SET LOCAL works through transaction poolers, which refuse such settings at the start of a session. Tighter limits
   * of the settings stay.
   */
  private limits(lockMs: number, totalMs: number | undefined): string[] {
    const { kind, lockTimeoutMs, statementTimeoutMs, idleInTransactionMs, writePatience: times } = this.database;
    if (kind === 'embedded') return [];
    const limits = [
      set('lock_timeout', tighter(lockMs, lockTimeoutMs)),
      set('statement_timeout', tighter(STATEMENT_MS * times, statementTimeoutMs)),
      set('idle_in_transaction_session_timeout', tighter(IDLE_MS * times, idleInTransactionMs)),
      ...(totalMs === undefined
        ? []
        : [`case when ${KNOWS_TRANSACTION_TIMEOUT} then ${set('transaction_timeout', totalMs * times)} end`]),
    ];
    return [`select ${limits.join(', ')}`];
  }
}

/** Behind a commit a statement would be run by itself, without the locks of the transaction. */
function refuseFurther(runner: QueryRunner): void {
  const query = runner.query.bind(runner);
  const isEnd = (statement: string) => statement === 'COMMIT' || statement === 'ROLLBACK';
  const late = () => Promise.reject(new Error('A statement was sent behind the commit of its transaction.'));
  runner.query = ((statement: string, ...rest: []) => (isEnd(statement) ? query(statement, ...rest) : late())) as never;
}

/** Rolls back what was not committed, and gives the connection back. */
async function endTransaction(runner: QueryRunner): Promise<void> {
  if (runner.isTransactionActive) {
    await runner.rollbackTransaction().catch(() => {
      // The connection is gone, and the transaction with it; or it has ended already.
    });
  }
  await runner.release();
}

const KNOWS_TRANSACTION_TIMEOUT = `current_setting('server_version_num')::integer >= 170000`;

function set(name: string, ms: number): string {
  return `set_config('${name}', '${ms}', true)`;
}

/** A setting of 0 sets no limit. */
function tighter(limitMs: number, settingMs: number): number {
  return settingMs === 0 ? limitMs : Math.min(limitMs, settingMs);
}
