import path from 'node:path';
import type { Environment } from '../config/environment.js';
import { DatabaseClient } from './connections/database-client.js';
import { type EmbeddedDatabaseOptions, openEmbeddedDatabase } from './embedded/embedded-database.js';
import { isServerAway } from './pg-errors.js';

/** Injection token of the `OpenDatabase` that the application runs on. */
export const OPEN_DATABASE = Symbol('OPEN_DATABASE');

/** A database that answered and may be used. */
export interface OpenDatabase {
  /** For `pg`; holds the password. */
  url: string;
  /** For migrations and LISTEN: past a transaction pooler, where there is one, otherwise the same as `url`. */
  directUrl: string;
  /** Connections that this process may hold to `url`. */
  poolSize: number;
  /** Milliseconds that connecting, and waiting for a free connection, may take. */
  connectTimeoutMs: number;
  /** Milliseconds after which the server gives up a statement; 0 leaves that to the settings of the server. */
  statementTimeoutMs: number;
  /** Milliseconds after which a transaction gives up waiting for a lock, at most; 0 leaves that to the server. */
  lockTimeoutMs: number;
  /** Milliseconds after which a single statement, such as a read, gives up waiting for a lock; 0 as above. */
  statementLockTimeoutMs: number;
  /** Milliseconds after which the server ends a session with an idle transaction; 0 as above. */
  idleInTransactionMs: number;
  /** By how much the limits of writing transactions are multiplied. */
  writePatience: number;
  /** Milliseconds of silence after which a connection that waits for an answer counts as dead; 0 waits for ever. */
  silenceMs: number;
  kind: 'postgres' | 'embedded';
  /** Folder of the embedded engine; absent for a server. */
  dataDir?: string;
  /** For people: what it is and where; holds no password. */
  description: string;
  /** Ends the embedded engine; a server is left alone. Connections must be closed before. */
  close(): Promise<void>;
}

/**
 * Whether statements of one connection may be sent before those in front of them are answered. Through a transaction
 * pooler, and to the embedded engine, they are sent one by one.
 */
export function sendsAhead({ kind, url, directUrl }: Pick<OpenDatabase, 'kind' | 'url' | 'directUrl'>): boolean {
  return kind === 'postgres' && url === directUrl;
}

/** The database cannot be used; the message says why and holds no password. */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError';

  /**
   * Whether waiting may help: no server answers there, or it is not ready. A wrong password or version stays
   * wrong.
   */
  get isPassing(): boolean {
    return isServerAway(this.cause);
  }
}

const OLDEST_VERSION = 150000; // as in server_version_num: PostgreSQL 15.0
const EMBEDDED_CONNECT_TIMEOUT_MS = 30_000; // there is one connection for all, so waiting is normal
/**
 * Milliseconds that a single statement, such as a read, waits for a lock. A waiting statement keeps its connection from
 * others. The time is longer than a migration takes to get and hold a table (`migrator.ts`), so migrations make no read
 * fail.
 */
const STATEMENT_LOCK_MS = 1500;
/** After a statement timeout the server has this long to say so. */
const SILENCE_GRACE_MS = 5000;

/**
 * Opens the database that the settings name: PostgreSQL at DATABASE_URL, otherwise the embedded one under DATA_DIR.
 * @throws DatabaseUnusableError if the server does not answer (`isPassing`), is older than PostgreSQL 15 or does not
 *   store UTF-8.
 * @throws DataFolderInUseError if another process has DATA_DIR.
 */
export async function openDatabase(
  environment: Environment,
  options: EmbeddedDatabaseOptions = {},
): Promise<OpenDatabase> {
  return environment.DATABASE_URL === undefined
    ? openEmbedded(environment, options)
    : openPostgres(environment, environment.DATABASE_URL);
}

async function openPostgres(environment: Environment, url: string): Promise<OpenDatabase> {
  const directUrl = environment.DATABASE_DIRECT_URL ?? url;
  const connectTimeoutMs = environment.DATABASE_CONNECT_TIMEOUT_MS;
  const description = await inspectServer(url, connectTimeoutMs);
  if (directUrl !== url) await inspectServer(directUrl, connectTimeoutMs);
  // Transaction poolers refuse a connection that asks for a timeout at its start.
  const unlessPooled = (ms: number) => (directUrl === url ? ms : 0);
  const statementMs = environment.DATABASE_STATEMENT_TIMEOUT_MS;
  const lockMs = environment.DATABASE_LOCK_TIMEOUT_MS;
  return {
    url,
    directUrl,
    poolSize: environment.DATABASE_POOL_SIZE,
    connectTimeoutMs,
    statementTimeoutMs: unlessPooled(statementMs),
    lockTimeoutMs: unlessPooled(lockMs),
    statementLockTimeoutMs: unlessPooled(Math.min(lockMs, STATEMENT_LOCK_MS)),
    idleInTransactionMs: unlessPooled(environment.DATABASE_IDLE_IN_TRANSACTION_MS),
    writePatience: environment.DATABASE_WRITE_PATIENCE,
    silenceMs: statementMs === 0 ? 0 : statementMs + SILENCE_GRACE_MS,
    kind: 'postgres',
    description,
    close: async () => {},
  };
}

async function openEmbedded(environment: Environment, options: EmbeddedDatabaseOptions): Promise<OpenDatabase> {
  if (environment.DATABASE_REPLICA_URLS) {
    throw new DatabaseUnusableError('DATABASE_REPLICA_URLS needs DATABASE_URL: the embedded database has no replicas.');
  }
  const dataDir = path.resolve(environment.DATA_DIR);
  const { url, close } = await openEmbeddedDatabase(dataDir, options);
  return {
    url,
    directUrl: url,
    poolSize: 1,
    connectTimeoutMs: EMBEDDED_CONNECT_TIMEOUT_MS,
    // The engine accepts these and cannot act on them: it has neither signals nor timers. It does not vanish without a
    // word either.
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
    statementLockTimeoutMs: 0,
    idleInTransactionMs: 0,
    writePatience: 1,
    silenceMs: 0,
    kind: 'embedded',
    dataDir,
    description: `embedded PostgreSQL (PGlite) in ${dataDir}`,
    close,
  };
}

/** Asks the server who it is and answers with its description. */
async function inspectServer(url: string, connectTimeoutMs: number): Promise<string> {
  const client = clientFor(url, connectTimeoutMs);
  const place = () => `${client.host}:${client.port}/${client.database ?? ''}`;
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; version: string; encoding: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
              current_setting('server_encoding') as encoding`,
    );
    const { number, version, encoding } = rows[0]!;
    if (number < OLDEST_VERSION)
      throw new DatabaseUnusableError(`${place()} is PostgreSQL ${version}; 15 or newer is needed.`);
    if (encoding !== 'UTF8')
      throw new DatabaseUnusableError(`${place()} stores ${encoding}; the encoding must be UTF8.`);
    return `PostgreSQL ${version.split(' ')[0]} at ${place()}`;
  } catch (error) {
    if (error instanceof DatabaseUnusableError) throw error;
    const { code, message } = error as { code?: string; message: string };
    throw new DatabaseUnusableError(`The database at ${place()} cannot be used: ${message || code}`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}

function clientFor(connectionString: string, connectionTimeoutMillis: number): DatabaseClient {
  try {
    return new DatabaseClient({ connectionString, connectionTimeoutMillis });
  } catch (error) {
    throw new DatabaseUnusableError((error as Error).message, { cause: error });
  }
}
