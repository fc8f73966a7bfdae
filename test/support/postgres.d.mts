/** See postgres.mjs; written in JavaScript because jest does not transform what its global set-up imports. */
export interface TestPostgres {
  /** Superuser, database `postgres`. */
  url: string;
  /** The cluster, or null if the server is not ours. */
  dataDir: string | null;
  stop(): Promise<void>;
  /** SIGKILL to the server. */
  kill9(): Promise<void>;
  /** Starts it again on the same folder and port. */
  restart(): Promise<void>;
}

/**
 * Starts a server; with `durable`, one that loses nothing when it is killed; with `bin`, another PostgreSQL than that
 * of the tests.
 */
export function startPostgres(options?: { durable?: boolean; bin?: string }): Promise<TestPostgres>;
