import { mkdtemp, rename } from 'node:fs/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/**
 * Makes a cluster in the folder that is named on the command line: beside its place, and moved there when it is whole,
 * so that a first start that was cut short leaves no half of one. In a process of its own, because it takes some
 * hundred MiB that a thread would not give back; and in a thread of that process, because it works without a pause,
 * while somebody has to hear that the service has died. The next start makes its own and removes what is left of this
 * one.
 */
if (isMainThread) {
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
    dataDir: unfinished,
    // Without this, fsync is off.
    startParams: PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  });
  await database.close();
  await rename(unfinished, folder);
  process.exit(0);
}
