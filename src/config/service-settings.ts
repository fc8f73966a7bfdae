import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min, MinLength } from 'class-validator';
import { Flag, Int, List } from './setting-kinds.js';

/** The service itself, its database, and the rules of bindings and content. One part of `Environment`. */
export class ServiceSettings {
  /**
   * Name of this deployment: KV platform value of the key itself, .bit record key, keybase folder
   * (docs/design/decisions.md 1).
   */
  @Matches(/^[a-z][a-z0-9_-]{0,31}$/, {
    message: 'SERVICE_NAME must be 1 to 32 of a-z, 0-9, _ and -, and start with a letter',
  })
  SERVICE_NAME: string = 'self';

  @IsIn(['staging', 'production'])
  ENVIRONMENT: 'staging' | 'production' = 'production';

  /** TCP port; 0 takes a free one. */
  @Int()
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT: number = 3000;

  /** Address to listen on. */
  @IsString()
  HOST: string = '0.0.0.0';

  /** Processes that serve requests on one port, for machines with several cores; more than one needs DATABASE_URL. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(128)
  WORKERS: number = 1;

  @IsIn(['debug', 'info', 'warn', 'error'])
  LOG_LEVEL: 'debug' | 'info' | 'warn' | 'error' = 'info';

  // Database

  /** PostgreSQL 15 or newer; absent: the embedded database under DATA_DIR. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must start with postgres:// or postgresql://' })
  DATABASE_URL?: string;

  /** For LISTEN and migrations when DATABASE_URL goes through a transaction pooler. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_DIRECT_URL must start with postgres:// or postgresql://' })
  DATABASE_DIRECT_URL?: string;

  /** Connections of this process to DATABASE_URL; the embedded database always has one. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(1000)
  DATABASE_POOL_SIZE: number = 10;

  /** Milliseconds after which the database gives up a statement. */
  @Int()
  @IsInt()
  @Min(0)
  DATABASE_STATEMENT_TIMEOUT_MS: number = 15_000;

  /** Milliseconds after which the database gives up waiting for a lock; 0 waits as long as the statement may take. */
  @Int()
  @IsInt()
  @Min(0)
  DATABASE_LOCK_TIMEOUT_MS: number = 10_000;

  /**
   * Milliseconds after which the database ends a session whose transaction stands idle: it may hold the lock that
   * everybody needs.
   */
  @Int()
  @IsInt()
  @Min(0)
  DATABASE_IDLE_IN_TRANSACTION_MS: number = 60_000;

  /** Milliseconds that connecting, and waiting for a free connection, may take. */
  @Int()
  @IsInt()
  @Min(100)
  DATABASE_CONNECT_TIMEOUT_MS: number = 10_000;

  /**
   * Read-only copies of DATABASE_URL; they answer ambiguous searches and pages that cannot change any more. A comma in
   * a password is `%2C`.
   */
  @IsOptional()
  @List()
  @Matches(/^postgres(ql)?:\/\//, {
    each: true,
    message: 'DATABASE_REPLICA_URLS must be a list of URLs that start with postgres:// or postgresql://',
  })
  DATABASE_REPLICA_URLS?: string[];

  /** Seconds that a replica may be behind before it is not asked any more. */
  @Int()
  @IsInt()
  @Min(1)
  DATABASE_REPLICA_MAX_LAG_SECONDS: number = 30;

  /** Folder of the embedded database. */
  @IsString()
  DATA_DIR: string = './data';

  // Payloads

  /** Key of the payload seal; absent: made once and kept in the database, so that all servers share it. */
  @IsOptional()
  @IsString()
  @MinLength(32, { message: 'PAYLOAD_SECRET must be at least 32 characters' })
  PAYLOAD_SECRET?: string;

  /** Seconds for which an issued payload can be submitted. */
  @Int()
  @IsInt()
  @Min(60)
  PAYLOAD_TTL_SECONDS: number = 7 * 24 * 3600;

  // Bindings

  /** Live bindings that one Avatar may hold. */
  @Int()
  @IsInt()
  @Min(1)
  MAX_BINDINGS_PER_AVATAR: number = 1000;

  // Rechecks

  /**
   * Whether this server rechecks proofs by itself. Off, the schedule is still kept, and other servers may follow it.
   */
  @Flag()
  @IsBoolean({ message: 'REVALIDATION must be on or off' })
  REVALIDATION: boolean = true;

  /** Seconds between two rechecks of a proof, once it is past its first day; each has a spread of 10 %. */
  @Int()
  @IsInt()
  @Min(60)
  @Max(365 * 24 * 3600)
  RECHECK_SECONDS: number = 3 * 24 * 3600;

  /**
   * Rechecks at the same time on each platform. A platform never gets more requests than six at once, and creates need
   * some of them.
   */
  @Int()
  @IsInt()
  @Min(1)
  @Max(6)
  RECHECK_CONCURRENCY: number = 4;

  /** Checks of one binding that its history keeps. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(1000)
  RECHECK_HISTORY: number = 50;

  // Key-value service

  /** `open`: an Avatar writes under any identity of its own; `bound`: it must hold a valid proof of that identity. */
  @IsIn(['open', 'bound'])
  KV_WRITE_POLICY: 'open' | 'bound' = 'open';

  /** Bytes of a patch as canonical JSON. */
  @Int()
  @IsInt()
  @Min(1)
  KV_MAX_PATCH_BYTES: number = 64 * 1024;

  /** Bytes of the content of one entry as canonical JSON. */
  @Int()
  @IsInt()
  @Min(1)
  KV_MAX_ENTRY_BYTES: number = 1024 * 1024;

  /** Bytes of all content of one Avatar as canonical JSON. */
  @Int()
  @IsInt()
  @Min(1)
  KV_MAX_AVATAR_BYTES: number = 4 * 1024 * 1024;

  /** Levels of nesting of a patch and of content. */
  @Int()
  @IsInt()
  @Min(1)
  @Max(512)
  KV_MAX_DEPTH: number = 64;

  /** Entries of one Avatar. */
  @Int()
  @IsInt()
  @Min(1)
  KV_MAX_ENTRIES: number = 1000;
}
