import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from './database.js';
import { writeLimits, type WriteLimitsOptions } from './write-limits.js';

/** Transactions for changes that hold what other servers need. */
@Injectable()
export class WriteTransactions {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  /**
   * Runs `work` in a transaction at READ COMMITTED whose locks end within seconds if this server is paused.
   * @throws the driver's error if a limit is passed: `isTooSlow`, or `isConnectionLost` where the session was ended.
   */
  async run<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    options: WriteLimitsOptions = {},
  ): Promise<Result> {
    const limits = writeLimits(this.database, options);
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      if (limits) await manager.query(limits);
      return work(manager);
    });
  }
}
