import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { logProcess } from '../../config/process-log.js';
import { lockDataFolder } from './data-folder-lock.js';
import { DataFolderUnusableError, explainFolderError } from './data-folder-problems.js';
import { assertEngineFits, clusterFolder } from './embedded-folder.js';
import type { EmbeddedDatabaseTask } from './embedded-database.worker.js';

export interface EmbeddedDatabaseOptions {
  /** The compiled worker; Node runs no TypeScript, so tests that run the sources name the one in `dist`. */
  workerUrl?: URL;
  /**
   * Called when the engine ends without being asked to; nothing works after that. By default the process says so and
   * ends with exit code 1.
   */
  onCrash?: (error: Error) => void;
}

const SOCKET_FOLDER = /^signet-[A-Za-z0-9]{6}$/; // what mkdtemp makes of the prefix `signet-`

/**
 * Opens the embedded database under `dataDir`: PGlite in a thread of its own, reached over a unix-domain socket in a
 * folder that only this user can enter. The data folder is locked for as long as the database is open.
 * @returns the URL for `pg`, with a pool of one because the engine has a single session; and what closes it
 * @throws DataFolderInUseError if another process has the folder; DataFolderUnusableError if it cannot be written to,
 *   or was made by an engine of another major version
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  { workerUrl, onCrash = exitAfterCrash }: EmbeddedDatabaseOptions = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  await assertEngineFits(dataDir);
  const lock = await lockDataFolder(dataDir);
  const socketFolder = await makeSocketFolder(dataDir);
  const task: EmbeddedDatabaseTask = {
    folder: clusterFolder(dataDir),
    socketPath: path.join(socketFolder, '.s.PGSQL.5432'), // the name that PostgreSQL clients look for
  };
  const worker = new Worker(workerUrl ?? new URL('./embedded-database.worker.js', import.meta.url), {
    workerData: task,
    // Flags of the process that speak of its main script, such as --input-type, would stop the thread.
    execArgv: [],
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const clean = async () => {
    await rm(socketFolder, { recursive: true, force: true });
    await lock.release();
  };

  try {
    const endedTooSoon = ended.then(() => {
      throw new Error('its thread ended');
    });
    // The first message says that it is ready; an error of the worker rejects too.
    await Promise.race([once(worker, 'message'), endedTooSoon]);
  } catch (error) {
    await worker.terminate();
    await clean();
    const explained = explainFolderError(dataDir, error);
    if (explained instanceof DataFolderUnusableError) throw explained;
    throw new Error(`The embedded database in ${dataDir} does not start: ${(error as Error).message}`, {
      cause: error,
    });
  }

  let reason = 'its thread ended';
  const exited = () => onCrash(new Error(reason));
  worker
    .on('message', (text: string) => (reason = text))
    .on('error', (error) => (reason = error.message))
    .once('exit', exited);
  let closing: Promise<void> | undefined;
  return {
    url: `postgresql://postgres@localhost:5432/postgres?host=${encodeURIComponent(socketFolder)}`,
    close: () =>
      (closing ??= (async () => {
        worker.off('exit', exited);
        worker.postMessage('close');
        await ended;
        await clean();
      })()),
  };
}

/**
 * Ends the process at once. Every acknowledged commit is synced to the disk (see `SyncedFolder`), so nothing is lost; a
 * supervisor of the service starts it again.
 */
function exitAfterCrash(error: Error): void {
  logProcess('error', `The embedded database has stopped working: ${error.message}. The service ends; start it again.`);
  process.exit(1);
}

/**
 * A new folder for the socket. It lies in the system's folder for temporary files, because the path of a socket is
 * limited to about 100 bytes and not every file system holds one. A killed process cannot remove its folder, so the
 * name is noted for the next start.
 */
async function makeSocketFolder(dataDir: string): Promise<string> {
  const note = path.join(dataDir, 'socket-folder');
  const previous = await readFile(note, 'utf8').catch(() => '');
  if (SOCKET_FOLDER.test(previous)) await rm(path.join(tmpdir(), previous), { recursive: true, force: true });
  const folder = await mkdtemp(path.join(tmpdir(), 'signet-'));
  await writeFile(note, path.basename(folder), { mode: 0o600 });
  return folder;
}
