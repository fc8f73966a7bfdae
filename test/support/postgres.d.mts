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

export interface PostgresOptions {
  /** Loses nothing when it is killed. */
  durable?: boolean;
  /** Folder of the programs of another PostgreSQL than that of the tests. */
  bin?: string;
  /** Of the server, beside those of all tests. */
  settings?: Record<string, string | number>;
  /** Instead of a free one. */
  port?: number;
  /** The running server that it is a copy of and follows. */
  standbyOf?: { url: string; dataDir: string };
}

/** What a server needs that standbys follow, or that follows another. */
export const REPLICATION: Record<string, string | number>;

/** Starts a server. */
export function startPostgres(options?: PostgresOptions): Promise<TestPostgres>;
