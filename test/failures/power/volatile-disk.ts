import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processesWith } from '../../support/processes.js';
import { until } from '../../support/until.js';
import type { CuttableDisk } from './cuttable-disk.js';

const PRELOAD = new URL('volatile-files.mjs', import.meta.url);

/** What a folder holds on the disk, by name. */
type Names = Record<string, { id: string; isFolder: boolean }>;

/**
 * A folder below which a cut loses everything that was not synced; of that a real disk keeps some. It needs no rights
 * and no file system of its own. See `volatile-files.mjs`.
 */
export async function makeVolatileDisk(): Promise<CuttableDisk> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'signet-power-')));
  const root = path.join(folder, 'root');
  const store = path.join(folder, 'store');
  await mkdir(root);
  await fill(store, root);
  return {
    dataDir: path.join(root, 'data'),
    env: { NODE_OPTIONS: `--import=${PRELOAD.href}`, VOLATILE_ROOT: root, VOLATILE_STORE: store },
    cut: async (service) => {
      await service.kill9();
      // The process that makes a cluster ends a moment later.
      await until(async () => (await processesWith(root)).length === 0);
      const [left, files] = [path.join(folder, 'left'), path.join(folder, 'files')];
      const id = await idOf(store, root);
      await mkdir(files);
      await gather(store, root, files);
      await restore({ store, files }, id, left);
      await rm(root, { recursive: true });
      await rm(files, { recursive: true });
      await rm(store, { recursive: true });
      await rename(left, root);
      await fill(store, root);
    },
    remove: () => rm(folder, { recursive: true, maxRetries: 5 }),
  };
}

async function idOf(store: string, place: string): Promise<string> {
  return readFile(path.join(store, 'ids', String((await stat(place)).ino)), 'utf8');
}

/** Moves all files below `place` to `files`, under their ids: they stay what they are, inode and time of birth too. */
async function gather(store: string, place: string, files: string): Promise<void> {
  for (const entry of await readdir(place, { withFileTypes: true })) {
    const found = path.join(place, entry.name);
    if (entry.isDirectory()) await gather(store, found, files);
    else {
      const id = await idOf(store, found).catch(() => null);
      if (id !== null) await rename(found, path.join(files, id));
    }
  }
}

/**
 * Makes at `place` the folder `id` of the store, of the files that were gathered, as a disk does; a file whose content
 * was never synced is empty.
 */
async function restore({ store, files }: { store: string; files: string }, id: string, place: string): Promise<void> {
  await mkdir(place, { mode: 0o700 });
  const names = path.join(store, 'names', id);
  if (!existsSync(names)) return;
  for (const [name, entry] of Object.entries(JSON.parse(await readFile(names, 'utf8')) as Names)) {
    const target = path.join(place, name);
    const data = path.join(store, 'data', entry.id);
    if (entry.isFolder) {
      await restore({ store, files }, entry.id, target);
      continue;
    }
    const kept = path.join(files, entry.id);
    if (existsSync(kept)) await rename(kept, target);
    if (existsSync(data)) await copyFile(data, target);
    else await writeFile(target, '', { mode: 0o600 });
  }
}

/** Makes a store of all that is in `root`. */
async function fill(store: string, root: string): Promise<void> {
  for (const part of ['ids', 'data', 'names']) await mkdir(path.join(store, part), { recursive: true });
  const take = async (place: string): Promise<string> => {
    const id = randomUUID();
    const found = await stat(place);
    await writeFile(path.join(store, 'ids', String(found.ino)), id);
    if (!found.isDirectory()) {
      await copyFile(place, path.join(store, 'data', id));
      return id;
    }
    const names: Names = {};
    for (const entry of await readdir(place, { withFileTypes: true })) {
      names[entry.name] = { id: await take(path.join(place, entry.name)), isFolder: entry.isDirectory() };
    }
    await writeFile(path.join(store, 'names', id), JSON.stringify(names));
    return id;
  };
  await take(root);
}
