import { readdir, readFile } from 'node:fs/promises';
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

/** The major version of PostgreSQL that made the cluster in `folder`; null if there is none. */
export async function majorOf(folder: string): Promise<number | null> {
  const text = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10);
}

/**
 * The files of one major version of PostgreSQL cannot be read by another.
 * @throws DataFolderUnusableError if there is a cluster that another engine made, or none but one that a move has set
 *   aside: with a new one in its place it would look as if everything were lost.
 */
export async function assertEngineFits(dataDir: string): Promise<void> {
  const major = await majorOf(clusterFolder(dataDir));
  if (major === null) return assertNoneSetAside(dataDir);
  if (major === EMBEDDED_MAJOR) return;
  throw new DataFolderUnusableError(
    major < EMBEDDED_MAJOR
      ? `The database in ${dataDir} was made by the embedded engine of PostgreSQL ${major}, and this version has that of ${EMBEDDED_MAJOR}. ` +
          'Move it once with the service stopped: npm run upgrade -- --embedded'
      : `The database in ${dataDir} was made by the embedded engine of PostgreSQL ${major}, which is newer than that of this version (${EMBEDDED_MAJOR}). ` +
          'Start the version of the service that made it, or put back the copy from before.',
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
