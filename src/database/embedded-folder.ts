import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderUnusableError } from './data-folder-problems.js';

/** The major version of PostgreSQL that the embedded engine of this version is made of. */
export const EMBEDDED_MAJOR = 18;

/** Where the cluster of the embedded database lies in the data folder. */
export function clusterFolder(dataDir: string): string {
  return path.resolve(dataDir, 'pglite');
}

/** The major version of PostgreSQL that made the cluster in `folder`; null if there is none. */
export async function majorOf(folder: string): Promise<number | null> {
  const text = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10);
}

/**
 * The files of one major version of PostgreSQL cannot be read by another.
 * @throws DataFolderUnusableError if there is a cluster that another engine made
 */
export async function assertEngineFits(dataDir: string): Promise<void> {
  const major = await majorOf(clusterFolder(dataDir));
  if (major === null || major === EMBEDDED_MAJOR) return;
  throw new DataFolderUnusableError(
    major < EMBEDDED_MAJOR
      ? `The database in ${dataDir} was made by the embedded engine of PostgreSQL ${major}, and this version has that of ${EMBEDDED_MAJOR}. ` +
          'Move it once with the service stopped: npm run upgrade -- --embedded'
      : `The database in ${dataDir} was made by the embedded engine of PostgreSQL ${major}, which is newer than that of this version (${EMBEDDED_MAJOR}). ` +
          'Start the version of the service that made it, or put back the copy from before.',
  );
}
