import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { logProcess } from '../../config/process-log.js';
import { SyncedFolder, syncingStartParams } from './synced-folder.js';

/**
 * The thread of the embedded database: PGlite (PostgreSQL compiled to WebAssembly) works synchronously and would
 * otherwise block the event loop. It speaks the PostgreSQL protocol on a unix-domain socket. Says `ready` once and ends
 * after `close`; what it writes later is the reason why it ends by itself.
 */
export interface EmbeddedDatabaseTask {
  /** Folder of the cluster, made at first start. */
  folder: string;
  socketPath: string;
}

/**
 * Syncing is on, and the file system of the engine does it: the write-ahead log of a commit is on the disk before the
 * commit is acknowledged. PGlite's shared buffers of 128 MiB would be memory that is never given back; what does not
 * fit stays in the file cache of the system.
 */
const startParams = [...syncingStartParams(PGlite.defaultStartParams), '-c', 'shared_buffers=32MB'];

/**
 * Makes the cluster at first start. What a first start that was cut short has left is removed: a cluster gets its place
 * only when it is whole and synced, so nothing was ever stored in one without.
 */
async function createCluster(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const isLeft = (name: string) => name.startsWith(`${path.basename(folder)}.unfinished`);
  for (const name of (await readdir(parent)).filter(isLeft)) {
    logProcess('warn', `The first start was cut short before the database was complete. ${name} is removed.`);
    await rm(path.join(parent, name), { recursive: true, maxRetries: 5 });
  }
  // Making the database takes some ten silent seconds, in which a person at the first start may think it hangs.
  logProcess('info', 'Making the embedded database, once; this takes some seconds ...');
  const program = fileURLToPath(new URL('./embedded-cluster.process.js', import.meta.url));
  const child = fork(program, [folder], { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const [problems, [code]] = await Promise.all([text(child.stderr!), exit]);
  if (code !== 0) throw new Error(`its cluster cannot be made: ${problems.trim()}`);
}

/**
 * Ends the thread, and with it the service, when the engine fails: a panic (a disk without space for the log, say) or a
 * defect of the engine. PGlite survives neither, and its clients would wait for ever; the next start replays the log.
 */
function failLoudly(database: PGlite): void {
  const fail = (reason: string) => {
    parentPort!.postMessage(reason);
    process.exit(1);
  };
  // PGlite swallows the exception that follows this call, so that the call is the only sign.
  database.Module.onAbort = () => fail('it gave up; the last error of a statement says why');
  const execute = database.execProtocolRawStream.bind(database);
  database.execProtocolRawStream = (message, options) =>
    execute(message, options).catch((error: Error) => fail(error.message));
}

const { folder, socketPath } = workerData as EmbeddedDatabaseTask;
if (!existsSync(path.join(folder, 'PG_VERSION'))) await createCluster(folder);
const database = await PGlite.create({ fs: new SyncedFolder(folder), startParams, extensions: { pg_trgm } });
failLoudly(database);
// Two connections only for the moment in which one client leaves and the next arrives: statements of two clients are
// not kept apart.
const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 2 });
// All connections share one session: the next one would find the names of its prepared statements taken, for ever.
server.addEventListener('connection', () => {
  database.exec('rollback; deallocate all').catch((error: Error) => {
    logProcess('warn', `The session of the embedded database could not be cleared: ${error.message}`);
  });
});
await server.start();

async function close(): Promise<void> {
  await server.stop();
  await database.close();
  process.exit(0);
}

parentPort!.once('message', () => void close());
parentPort!.postMessage('ready');
