import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderUnusableError } from './data-folder-problems.js';

/** The major version of PostgreSQL that the embedded engine of this version is made of. */
export const EMBEDDED_MAJOR = 18;

/** Where the cluster of the embedded database lies in the data folder. */
export function clusterFolder(dataDir: string): string {
  return path.resolve(dataDir, 'pglite');
}

/** Where the cluster of an older engine is kept when it was moved to this one. */
export function keptFolder(dataDir: string, major: number): string {
  return `${clusterFolder(dataDir)}-postgresql-${major}`;
}

/**
 * The major version of PostgreSQL that made the cluster in `folder`; null if there is none.
 * @throws DataFolderUnusableError if there is a cluster without a readable version
 */
export async function majorOf(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return null;
  const text = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  if (text === null) throw damaged(folder, 'PG_VERSION is missing');
  if (!/^\d+(\.\d+)?\s*$/.test(text))
    throw damaged(folder, text === '' ? 'PG_VERSION is empty' : 'PG_VERSION is not a number');
  return Number.parseInt(text, 10);
}

/**
 * Holds that the cluster in `dataDir`, if there is one, can be opened by this engine: it is whole as far as its first
 * files show, and was made by the same major version of PostgreSQL, because no other can read it.
 * @throws DataFolderUnusableError otherwise, and if there is none but one that a move has set aside: with a new one in
 *   its place it would look as if everything were lost.
 */
export async function assertEngineFits(dataDir: string): Promise<void> {
  const cluster = clusterFolder(dataDir);
  const major = await majorOf(cluster);
  if (major === null) return assertNoneSetAside(dataDir);
  if (major === EMBEDDED_MAJOR) return assertControlFile(cluster);
  throw new DataFolderUnusableError(
    major < EMBEDDED_MAJOR
      ? `The database in ${dataDir} was made by the embedded engine of PostgreSQL ${major}, and this version has that of ${EMBEDDED_MAJOR}. ` +
          'Move it once with the service stopped: npm run upgrade -- --embedded'
      : `The database in ${dataDir} was made by the embedded engine of PostgreSQL ${major}, which is newer than that of this version (${EMBEDDED_MAJOR}). ` +
          'Start the version of the service that made it, or put back the copy from before.',
  );
}

async function assertControlFile(cluster: string): Promise<void> {
  const control = await stat(path.join(cluster, 'global', 'pg_control')).catch(() => null);
  if (control === null) throw damaged(cluster, 'global/pg_control is missing');
  if (control.size === 0) throw damaged(cluster, 'global/pg_control is empty');
}

/**
 * This version never leaves such a cluster, because it syncs a new one before it gives it its place. So it was damaged
 * otherwise, and may hold what was acknowledged: it stays as it is.
 */
function damaged(cluster: string, flaw: string): DataFolderUnusableError {
  return new DataFolderUnusableError(
    `The database in ${cluster} is not whole: ${flaw}. A power cut does that to a database that Signet 0.1.0 has just ` +
      'made, and so does a copy that was cut short. Nothing was removed. Put a backup in its place; or, if nothing was ' +
      'stored in it yet, move this folder elsewhere and start again.',
  );
}

async function assertNoneSetAside(dataDir: string): Promise<void> {
  const beginning = path.basename(keptFolder(dataDir, 0)).slice(0, -1);
  const names = await readdir(dataDir).catch(() => []);
  const kept = names.find((name) => name.startsWith(beginning));
  if (kept === undefined) return;
  throw new DataFolderUnusableError(
    `The database in ${dataDir} is set aside as ${kept}, because moving it to a newer engine was cut short. ` +
      `Rename that folder to ${path.basename(clusterFolder(dataDir))} and move it again (npm run upgrade -- --embedded), or put it elsewhere to begin with an empty database.`,
  );
}
