import { mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';

/** What a file system answers that cannot open or sync a folder; PostgreSQL passes over these for folders as well. */
const NO_FOLDER_SYNC = ['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM'];

/** Makes `folder` and what is missing above it, for its owner only; after the return it survives a power cut. */
export async function makeDurableFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const shortest = path.resolve(first).length;
  for (let made = path.resolve(folder); made.length >= shortest; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
  }
}

/** Syncs the names in `folder`: after the return, files made, renamed or removed there stay so after a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await syncPath(folder);
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Syncs every file and folder below `folder`, and `folder` itself; its name in the folder above is left out. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(place);
    else if (entry.isFile()) await syncPath(place);
  }
  await syncFolder(folder);
}

async function syncPath(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
