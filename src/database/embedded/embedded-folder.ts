import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderUnusableError } from './data-folder-problems.js';

/** The major version of PostgreSQL that the embedded engine of this version is made of. */
export const EMBEDDED_MAJOR = 18;

/** Where the cluster of the embedded database lies in the data folder. */
export function clusterFolder(dataDir: string): string {
  return path.resolve(dataDir, 'pglite');
}

/**
 * Checks that the cluster in `dataDir`, if there is one, can be opened by this engine: its first files are there, and
 * the same major version of PostgreSQL made it, because no other can read it.
 * @throws DataFolderUnusableError otherwise
 */
export async function assertEngineFits(dataDir: string): Promise<void> {
  const cluster = clusterFolder(dataDir);
  const names = await readdir(cluster).catch(() => []);
  if (names.length === 0) return;
  const text = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  if (text === null) throw damaged(cluster, 'PG_VERSION is missing');
  if (text === '') throw damaged(cluster, 'PG_VERSION is empty');
  if (!/^\d+(\.\d+)?\s*$/.test(text)) throw damaged(cluster, 'PG_VERSION is not a number');
  const major = Number.parseInt(text, 10);
  if (major !== EMBEDDED_MAJOR) {
    throw new DataFolderUnusableError(
      `The database in ${dataDir} was made by the embedded engine of PostgreSQL ${major}, and this version has that of ${EMBEDDED_MAJOR}. ` +
        'Start the version of the service that made it, or set DATA_DIR to another folder.',
    );
  }
  const control = await stat(path.join(cluster, 'global', 'pg_control')).catch(() => null);
  if (control === null) throw damaged(cluster, 'global/pg_control is missing');
  if (control.size === 0) throw damaged(cluster, 'global/pg_control is empty');
}

/**
 * This version never leaves such a cluster, because a new one is synced before it gets its name. So something else
 * damaged it, and it may hold acknowledged writes: nothing in it is changed.
 */
function damaged(cluster: string, flaw: string): DataFolderUnusableError {
  return new DataFolderUnusableError(
    `The database in ${cluster} is not whole: ${flaw}. A power cut does that to a database that Signet 0.1.0 has just ` +
      'made, and so does a copy that was cut short. Nothing was removed. Put a backup in its place; or, if nothing was ' +
      'stored in it yet, move this folder elsewhere and start again.',
  );
}
