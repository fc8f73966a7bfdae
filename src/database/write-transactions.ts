import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from './database.js';
import { writeLimits } from './write-limits.js';

export interface WriteOptions {
  /** Milliseconds that the whole transaction may take; PostgreSQL knows this limit from version 17 on. */
  totalMs?: number;
  /** One of `ADVISORY_LOCKS`, taken before anything else. */
  lock?: number;
}

/** The transaction did not begin: others held its lock for too long, or the database went away. Nothing was done. */
export class TransactionNotBegunError extends Error {
  /** Where `isTooSlow` and its like find the reason, as in TypeORM's own errors. */
  readonly driverError: unknown;

  constructor(cause: unknown) {
    super(`The transaction did not begin: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.driverError = cause;
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
   * @throws TransactionNotBegunError; the driver's error if a limit is passed: `isTooSlow`, or `isConnectionLost` where
   *   the session was ended.
   */
  async run<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    { totalMs, lock }: WriteOptions = {},
  ): Promise<Result> {
    const limits = writeLimits(this.database, { sharesLock: lock !== undefined, totalMs });
    // One message for what every transaction begins with. The lock is a statement of its own, so that the next one sees
    // what its previous holder committed.
    const opening = [
      'set transaction isolation level read committed',
      ...(limits ? [limits] : []),
      ...(lock === undefined ? [] : [`select pg_advisory_xact_lock(${lock})`]),
    ].join(';\n');
    return this.dataSource.transaction(async (manager) => {
      await manager.query(opening).catch((error: unknown) => {
        throw new TransactionNotBegunError(error);
      });
      return work(manager);
    });
  }
}
