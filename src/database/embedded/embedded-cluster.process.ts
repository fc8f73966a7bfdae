import { mkdtemp, rename } from 'node:fs/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { syncFolder, syncTree } from '../../files/durable-folders.js';
import { SyncedFolder, syncingStartParams } from './synced-folder.js';

/**
 * Makes a cluster in the folder that is named on the command line. It is made beside its place, synced whole, and moved
 * there, so that the folder holds a complete cluster or does not exist, after a power cut too. What a first start that
 * was cut short leaves beside it holds nothing that was acknowledged; the next start removes it and makes another.
 *
 * In a process of its own, because the work takes some hundred MiB that a thread would not give back; and in a thread
 * of that process, because the work has no pause in which the end of the service could be noticed.
 */
if (isMainThread) {
  // The engine runs once here: its second, optimising compiler takes a fifth of the processor time of it all.
  setFlagsFromString('--liftoff-only');
  // By a signal, because the thread would otherwise be waited for.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  new Worker(new URL(import.meta.url), { workerData: process.argv[2] })
    .on('error', (error) => {
      console.error(error);
      process.exit(1);
    })
    .on('exit', (code) => process.exit(code));
} else {
  await makeCluster(workerData as string);
}

async function makeCluster(folder: string): Promise<void> {
  const unfinished = await mkdtemp(`${folder}.unfinished-`);
  const database = await PGlite.create({
    fs: new SyncedFolder(unfinished),
    startParams: syncingStartParams(PGlite.defaultStartParams),
  });
  await database.close();
  // PGlite copies the files of a new cluster without a sync.
  await syncTree(unfinished);
  await rename(unfinished, folder);
  await syncFolder(path.dirname(folder));
  process.exit(0);
}
