import { IsString } from 'class-validator';
import { FilledList, Int, IsDatabaseUrl, Secret } from '../setting-kinds.js';

/** The database, embedded or PostgreSQL. */
export class DatabaseSettings {
  /**
   * PostgreSQL 15 or newer; absent: the embedded database under DATA_DIR. May name several hosts, of which the primary
   * is used: `postgres://user@a:5432,b:5432/signet`.
   */
  @Secret()
  @IsDatabaseUrl()
  DATABASE_URL?: string;

  /** For LISTEN and migrations when DATABASE_URL goes through a transaction pooler. */
  @Secret()
  @IsDatabaseUrl()
  DATABASE_DIRECT_URL?: string;

  /** Connections of this process to DATABASE_URL; the embedded database always has one. */
  @Int(1, 1000)
  DATABASE_POOL_SIZE: number = 10;

  /** Milliseconds after which the database gives up a statement. */
  @Int(0, 2 ** 31 - 1)
  DATABASE_STATEMENT_TIMEOUT_MS: number = 15_000;

  /**
   * Milliseconds after which the database gives up waiting for a lock. A read of a server waits for 1,500 at most, and
   * a writing transaction for 5,000. 0 waits as long as the statement may take.
   */
  @Int(0, 2 ** 31 - 1)
  DATABASE_LOCK_TIMEOUT_MS: number = 10_000;

  /**
   * Milliseconds after which the database ends a session whose transaction stands idle: it may hold the lock that
   * everybody needs.
   */
  @Int(0, 2 ** 31 - 1)
  DATABASE_IDLE_IN_TRANSACTION_MS: number = 60_000;

  /**
   * How many times as long as usual a writing transaction may wait for its locks (1.5 and 5 s), for a statement (4 s)
   * and for its own server (3 s). For machines and disks that stand still for seconds; a server that is paused within a
   * write then holds the others up for as long.
   */
  @Int(1, 100)
  DATABASE_WRITE_PATIENCE: number = 1;

  /** Milliseconds that connecting, and waiting for a free connection, may take. */
  @Int(100, 2 ** 31 - 1)
  DATABASE_CONNECT_TIMEOUT_MS: number = 10_000;

  /**
   * Read-only copies of DATABASE_URL; they answer ambiguous searches and pages that cannot change any more. A comma in
   * a password is `%2C`.
   */
  @Secret()
  @FilledList()
  @IsDatabaseUrl(true)
  DATABASE_REPLICA_URLS?: string[];

  /** Seconds that a replica may be behind before it is not asked any more. */
  @Int(1)
  DATABASE_REPLICA_MAX_LAG_SECONDS: number = 30;

  /**
   * Folder of the embedded database, and with PostgreSQL of the newest tree head of the log that this server has seen:
   * keep it on a volume (docs/log.md).
   */
  @IsString()
  DATA_DIR: string = './data';
}
