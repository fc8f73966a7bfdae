import { mkdtemp, rename } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';

/**
 * Makes a cluster in the folder that is named on the command line: beside its place, and moved there when it is whole,
 * so that a first start that was cut short leaves no half of one. In a process of its own, because it takes some
 * hundred MiB that a thread would not give back.
 */
const folder = process.argv[2]!;
// Whoever waits for this has died; the next start makes its own.
process.once('disconnect', () => process.exit(1));
const unfinished = await mkdtemp(`${folder}.unfinished-`);
const database = await PGlite.create({
  dataDir: unfinished,
  // Without this, fsync is off.
  startParams: PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
});
await database.close();
await rename(unfinished, folder);
process.exit(0);
