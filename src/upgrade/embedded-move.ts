import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { DatabaseUnusableError } from '../database/database.js';
import { lockDataFolder } from '../database/embedded/data-folder-lock.js';
import { sizeText } from '../database/embedded/disk-space.js';
import { syncFolder, syncTree } from '../database/embedded/durable-folders.js';
import { openEmbeddedDatabase } from '../database/embedded/embedded-database.js';
import { clusterFolder, EMBEDDED_MAJOR, keptFolder, majorOf } from '../database/embedded/embedded-folder.js';
import { migrate } from '../database/schema/migrator.js';
import { copyTables } from './copy-tables.js';

/** The last version of the package `@electric-sql/pglite` with each major version of PostgreSQL. */
export const ENGINE_PACKAGES: Record<number, string> = { 16: '0.2.17', 17: '0.3.16', 18: '0.5.14' };

export interface MoveOptions {
  /** Folder in whose `node_modules` the package of the old engine is; absent: it is fetched with npm. */
  engineFolder?: string | undefined;
  /** The compiled worker of the new engine; only where sources run uncompiled. */
  workerUrl?: URL;
  /** Folder of the compiled process of the old engine; as above. */
  processUrl?: URL;
  say: (line: string) => void;
}

/**
 * Moves the embedded database in `dataDir` to the engine of this version: the old engine, fetched with npm, reads a
 * copy of the folder; both bring their schema up to date; all rows are copied and held against each other; and the new
 * folder takes the place of the old one, which is kept beside it, unchanged. What is cut short leaves the old folder in
 * its place; a process that dies between the two renames leaves it set aside, which the next start says.
 * @throws DatabaseUnusableError if there is nothing to move, or no such engine; DataFolderInUseError while a service
 *   runs on the folder
 */
export async function moveEmbedded(dataDir: string, options: MoveOptions): Promise<void> {
  const cluster = clusterFolder(dataDir);
  const major = await majorOf(cluster);
  if (major === null) throw new DatabaseUnusableError(`There is no database in ${dataDir}.`);
  if (major === EMBEDDED_MAJOR) {
    options.say(`The database in ${dataDir} is of PostgreSQL ${major} already; there is nothing to move.`);
    return;
  }
  if (!(major in ENGINE_PACKAGES) || major > EMBEDDED_MAJOR) {
    throw new DatabaseUnusableError(
      `There is no embedded engine of PostgreSQL ${major} that this version could move from.`,
    );
  }
  const kept = keptFolder(dataDir, major);
  if ((await majorOf(kept)) !== null) {
    throw new DatabaseUnusableError(`${kept} is there already, from an earlier move; put it elsewhere first.`);
  }
  const lock = await lockDataFolder(dataDir);
  const work = path.join(dataDir, 'moving');
  try {
    await rm(work, { recursive: true, force: true });
    await assertRoom(dataDir, await sizeOf(cluster));
    await mkdir(work, { mode: 0o700 });
    await moveInto(work, cluster, major, options);
    await syncTree(path.join(work, 'new'));
    await rename(cluster, kept);
    try {
      await rename(clusterFolder(path.join(work, 'new')), cluster);
    } catch (error) {
      await rename(kept, cluster);
      throw error;
    }
    await syncFolder(dataDir);
    options.say(
      `Done. The old folder is kept as ${kept}; delete it when you have seen that all is there: npm run verify. ` +
        'Then let the log go on in the new folder: npm run log -- continue "a newer engine"',
    );
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 5 });
    await lock.release();
  }
}

async function moveInto(work: string, cluster: string, major: number, options: MoveOptions): Promise<void> {
  const { say } = options;
  const engineFolder = options.engineFolder ?? (await fetchEngine(path.join(work, 'engine'), major, say));
  const copy = path.join(work, 'old');
  await cp(cluster, copy, { recursive: true });
  const old = await startOldEngine(engineFolder, copy, options.processUrl);
  try {
    const fresh = await openEmbeddedDatabase(path.join(work, 'new'), {
      workerUrl: options.workerUrl,
      onCrash: (error) => {
        throw error;
      },
    });
    try {
      say(`PostgreSQL ${major} reads a copy of the folder; PostgreSQL ${EMBEDDED_MAJOR} has made a new one.`);
      // All long work too, so that both have the same schema.
      for (const { url } of [old, fresh]) await migrate(url, undefined, { smallBytes: Number.MAX_SAFE_INTEGER });
      const rows = await between(old.url, fresh.url, (from, to) => copyTables(from, to, say));
      say(`${rows} rows are copied, and the same in both.`);
    } finally {
      await fresh.close();
    }
  } finally {
    await old.close();
  }
}

async function between<Result>(
  oldUrl: string,
  newUrl: string,
  work: (from: pg.Client, to: pg.Client) => Promise<Result>,
): Promise<Result> {
  const [from, to] = [new pg.Client(oldUrl), new pg.Client(newUrl)];
  try {
    await Promise.all([from.connect(), to.connect()]);
    return await work(from, to);
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

/** Installs the package of the old engine in `folder`. @throws DatabaseUnusableError if npm cannot */
async function fetchEngine(folder: string, major: number, say: (line: string) => void): Promise<string> {
  const name = `@electric-sql/pglite@${ENGINE_PACKAGES[major]}`;
  say(`Fetching the engine of PostgreSQL ${major} (${name}) with npm ...`);
  await mkdir(folder);
  const child = spawn('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', name], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit').catch(() => [1]) as Promise<[number | null]>;
  const [problems, [code]] = await Promise.all([text(child.stderr).catch(() => ''), ended]);
  if (code === 0) return folder;
  throw new DatabaseUnusableError(
    `npm could not fetch ${name}${problems && `: ${problems.trim().split('\n').at(-1)}`}. Install it in a folder elsewhere ` +
      `(npm install --prefix <folder> ${name}), bring that folder here, and give it: npm run upgrade -- --embedded --engine <folder>`,
  );
}

async function startOldEngine(
  engineFolder: string,
  cluster: string,
  program = new URL('./old-engine.process.js', import.meta.url),
): Promise<{ url: string; close(): Promise<void> }> {
  const socketFolder = await mkdtemp(path.join(tmpdir(), 'signet-'));
  const child = fork(
    fileURLToPath(program),
    [path.resolve(engineFolder), cluster, path.join(socketFolder, '.s.PGSQL.5432')],
    {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  const problems = text(child.stderr!);
  const exited = once(child, 'exit');
  const isReady = await Promise.race([once(child, 'message').then(() => true), exited.then(() => false)]);
  if (!isReady) {
    await rm(socketFolder, { recursive: true, force: true });
    throw new DatabaseUnusableError(`The old engine in ${engineFolder} does not start: ${(await problems).trim()}`);
  }
  return {
    url: `postgresql://postgres@localhost:5432/postgres?host=${encodeURIComponent(socketFolder)}`,
    close: async () => {
      child.send('close');
      await exited;
      await rm(socketFolder, { recursive: true, force: true });
    },
  };
}

/** Two more folders of the size, and what npm fetches. @throws DatabaseUnusableError */
async function assertRoom(dataDir: string, bytes: number): Promise<void> {
  const ENGINE_BYTES = 200 << 20;
  const needed = 2.5 * bytes + ENGINE_BYTES;
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= needed) return;
  throw new DatabaseUnusableError(
    `Moving the database needs about ${sizeText(needed)} on the disk of ${dataDir}, and ${sizeText(bavail * bsize)} are free.`,
  );
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
