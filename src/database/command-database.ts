import { existsSync } from 'node:fs';
import path from 'node:path';
import { DataSource, type EntityManager } from 'typeorm';
import { type Environment, InvalidEnvironmentError } from '../config/environment.js';
import { DataFolderInUseError } from './embedded/data-folder-lock.js';
import { DataFolderUnusableError } from './embedded/data-folder-problems.js';
import { dataSourceOptions } from './data-source.js';
import { DatabaseUnusableError, openDatabase, type OpenDatabase } from './database.js';
import { clusterFolder } from './embedded/embedded-folder.js';
import { hasTable, type SqlSource } from './sql-source.js';
import { missingMigrations } from './schema/schema-version.js';

/* What the commands of operators share: they work on the database that the settings name, with no server around. */

/** All is well, or done; something is wrong; nothing could be checked or done. */
export type ExitCode = 0 | 1 | 2;

/** A command, from the variables of the process and its words; `print` shows a line to the operator. */
export type Command = (
  variables: Record<string, string | undefined>,
  words: string[],
  print: (line: string) => void,
) => Promise<ExitCode>;

const FOR_PEOPLE = [InvalidEnvironmentError, DatabaseUnusableError, DataFolderInUseError, DataFolderUnusableError];

/** Whether the message of an error is all that a person needs: it is about the settings or the database. */
export function isForPeople(error: unknown): error is Error {
  return FOR_PEOPLE.some((kind) => error instanceof kind);
}

/** What a command says of an error that ended it. */
export function errorText(error: unknown): string {
  return isForPeople(error) ? error.message : ((error as Error).stack ?? String(error));
}

/**
 * Opening an embedded database that is not there would make an empty one, in which all is well.
 * @throws DatabaseUnusableError
 */
function assertDatabaseThere({ DATABASE_URL, DATA_DIR }: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>): void {
  if (DATABASE_URL !== undefined || existsSync(path.join(clusterFolder(DATA_DIR), 'PG_VERSION'))) return;
  throw new DatabaseUnusableError(`There is no database in ${path.resolve(DATA_DIR)}; set DATABASE_URL or DATA_DIR.`);
}

/**
 * For commands that read what this version stores.
 * @throws DatabaseUnusableError unless the schema is up to date
 */
export async function assertSchemaThere(source: SqlSource): Promise<void> {
  if (!(await hasTable(source, 'migrations'))) throw new DatabaseUnusableError('There are no tables of this service.');
  const missing = await missingMigrations(source);
  if (missing.length === 0) return;
  throw new DatabaseUnusableError(`The schema lacks ${missing.join(', ')}; start this version once.`);
}

/**
 * Does `work` on the database of the settings, past a pooler and without a limit for statements, and closes it.
 * @param command its name, which PostgreSQL shows of the connections
 * @param prepare for a command that may make the database: makes its tables, before `work` connects to it
 * @throws DatabaseUnusableError if there is none
 */
export async function withDatabase<Result>(
  environment: Environment,
  command: string,
  work: (source: DataSource, database: OpenDatabase) => Promise<Result>,
  prepare?: (database: OpenDatabase) => Promise<void>,
): Promise<Result> {
  if (!prepare) assertDatabaseThere(environment);
  const database = await openDatabase(environment);
  try {
    await prepare?.(database);
    const limits = { statementTimeoutMs: 0, statementLockTimeoutMs: database.lockTimeoutMs };
    const options = dataSourceOptions({ ...database, url: database.directUrl, ...limits }, { copies: true });
    const source = await new DataSource({ ...options, applicationName: `signet ${command}` }).initialize();
    try {
      return await work(source, database);
    } finally {
      await source.destroy();
    }
  } finally {
    await database.close();
  }
}

/** Milliseconds after which the session of a command ends that stands still in a transaction. */
const IDLE_MS = 5000;

/**
 * Runs a transaction at READ COMMITTED that holds what servers need. A command that stands still in it (Ctrl-Z, a
 * machine that is paused) loses its session, and the locks with it, after five seconds.
 */
export async function briefTransaction<Result>(
  source: DataSource,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  return source.transaction('READ COMMITTED', async (manager) => {
    await manager.query(`set local idle_in_transaction_session_timeout = ${IDLE_MS}`);
    return work(manager);
  });
}

/**
 * Reads one snapshot and changes nothing. The caller may check rows between two statements for as long as it likes, so
 * the transaction may be idle without limit.
 */
export async function readSnapshot<Result>(
  source: DataSource,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  return source.transaction('REPEATABLE READ', async (manager) => {
    await manager.query('set transaction read only');
    await manager.query('set local idle_in_transaction_session_timeout = 0');
    return work(manager);
  });
}
