import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { explainFolderError } from './data-folder-problems.js';
import { makeDurableFolder } from '../../files/durable-folders.js';

/** Another process, or another part of this one, works on the data folder. */
export class DataFolderInUseError extends Error {
  constructor(folder: string, holder: string) {
    super(
      `The data folder ${folder} is in use by another process${holder && ` (pid ${holder})`}. ` +
        'Stop that one first, or set DATA_DIR to another folder.',
    );
    this.name = 'DataFolderInUseError';
  }
}

/**
 * Locks `folder` (made if absent, for its owner only) through its file `lock`. The lock is the kernel's, so it ends
 * with its process however that ends; the file stays behind and means nothing by itself. Its text is the pid of the
 * last holder, for the message only.
 * @throws DataFolderInUseError if the lock is held elsewhere; DataFolderUnusableError if nothing can be written there
 */
export async function lockDataFolder(folder: string): Promise<{ release(): Promise<void> }> {
  // Loaded only here: with PostgreSQL the service does not need the native part at all.
  const { tryLock } = await import('fs-native-extensions');
  let file: FileHandle | undefined;
  try {
    await makeDurableFolder(folder);
    const held = (file = await open(path.join(folder, 'lock'), 'a+', 0o600));
    if (!tryLock(held.fd)) throw new DataFolderInUseError(folder, (await held.readFile('utf8')).trim());
    await held.truncate();
    await held.write(`${process.pid}\n`);
    return { release: () => held.close() };
  } catch (error) {
    await file?.close();
    throw explainFolderError(folder, error);
  }
}
