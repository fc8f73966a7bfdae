/** Files that the command writes, for their owner alone to read, with what is wrong in one sentence. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../exit.js';

/** @returns what throws a `UsageError` that says why a file cannot be used, or the error where it is no such reason */
export function refuseFile(name: string, what: 'read' | 'written'): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw error.syscall === undefined ? error : new UsageError(`${name} cannot be ${what} (${error.code}).`);
  };
}

/**
 * Writes a file in one step, and its folders: a run that is broken off leaves what was there, or all of it.
 * @throws UsageError
 */
export async function replaceFile(name: string, text: string): Promise<void> {
  const unfinished = `${name}.${process.pid}`;
  await makeFolder(name);
  try {
    await writeFile(unfinished, text, { mode: 0o600, flush: true });
    await rename(unfinished, name);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    refuseFile(name, 'written')(error as NodeJS.ErrnoException);
  }
}

/**
 * Writes a file that is not there yet, and its folders.
 * @returns false where something has the name, which stays as it is. @throws UsageError
 */
export async function makeFile(name: string, text: string): Promise<boolean> {
  await makeFolder(name);
  try {
    await writeFile(name, text, { mode: 0o600, flag: 'wx', flush: true });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // Half a key would stand in the way of the next one.
    if (code === 'ENOSPC' || code === 'EIO' || code === 'EDQUOT') await rm(name, { force: true }).catch(() => {});
    return refuseFile(name, 'written')(error as NodeJS.ErrnoException);
  }
}

async function makeFolder(name: string): Promise<void> {
  const folder = path.dirname(path.resolve(name));
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseFile(name, 'written'));
}
