import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeHex, encodeHex } from '@signet/verify/log';
import { syncFolder } from '../../../files/durable-folders.js';
import type { Environment } from '../../../config/environment.js';
import { equalBytes } from '../../../crypto/hashing.js';
import type { Head } from './signed-head.js';

/** A writer holds the lock for milliseconds; a process that was stopped meanwhile must not stop the others. */
const LOCK_MS = 2_000;
const LOCK_PAUSE_MS = 10;
/** A draft that is older belongs to no writer any more. */
const LEFTOVER_MS = 60_000;

/**
 * The newest tree head that servers have seen signed, in a file outside of the database: a restore of the database does
 * not take it back. The name of the file holds a hash of the origin, because a new origin begins anew.
 */
export class HeadFile {
  private readonly name: string;
  private hasCleaned = false;

  constructor(
    private readonly folder: string,
    private readonly origin: string,
  ) {
    const digits = createHash('sha256').update(origin).digest('hex').slice(0, 16);
    this.name = `log-head-${digits}.json`;
  }

  private get file(): string {
    return path.join(this.folder, this.name);
  }

  /**
   * Returns what was written last, or null if there is no file.
   * @throws Error if there is a file that cannot be read: it is not known then what was signed
   */
  async read(): Promise<Head | null> {
    let text: string;
    try {
      text = await readFile(this.file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    const head = parse(text);
    if (head?.origin !== this.origin) throw new Error(`The file ${this.file} does not hold a tree head of this log.`);
    return { size: head.size, root: decodeHex(head.root)! };
  }

  /**
   * Replaces the tree head in the file by a larger one; one that is not larger changes nothing, whatever other
   * processes write at the same time. After the return the file survives a power cut.
   * @throws Error if it cannot be written, or if another process holds its lock for longer than two seconds
   */
  async write(head: Head): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const lock = await this.lock();
    try {
      await this.removeLeftovers();
      const current = await this.read();
      if (!current || current.size < head.size) await this.replace(head);
    } finally {
      await lock.close();
    }
  }

  /** The lock is the kernel's, on a file beside, and ends when that file is closed. */
  private async lock(): Promise<FileHandle> {
    // Loaded only here: commands that only read need no native part.
    const { tryLock } = await import('fs-native-extensions');
    const file = await open(`${this.file}.lock`, 'a+', 0o600);
    try {
      for (const deadline = performance.now() + LOCK_MS; !tryLock(file.fd); await delay(LOCK_PAUSE_MS)) {
        if (performance.now() > deadline) throw new Error(`Another process holds the lock of ${this.file}.`);
      }
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private async replace({ size, root }: Head): Promise<void> {
    // On a shared folder of a network, where locks may mean nothing, no two drafts have one name.
    const draft = `${this.file}.${hostname().replace(/[^\w.-]/g, '')}-${process.pid}-${randomBytes(6).toString('hex')}`;
    try {
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(`${JSON.stringify({ origin: this.origin, size, root: encodeHex(root) })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, this.file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await syncFolder(this.folder);
  }

  /** Removes the drafts of processes that were killed, once for each process. */
  private async removeLeftovers(): Promise<void> {
    if (this.hasCleaned) return;
    this.hasCleaned = true;
    const names = await readdir(this.folder);
    for (const name of names.filter((one) => one.startsWith(`${this.name}.`) && one !== `${this.name}.lock`)) {
      const draft = path.join(this.folder, name);
      const found = await stat(draft).catch(() => null);
      if (found && Date.now() - found.mtimeMs > LEFTOVER_MS) await rm(draft, { force: true });
    }
  }
}

/** What a file holds; the root as 64 lowercase hex digits. */
interface StoredHead {
  origin: string;
  size: number;
  root: string;
}

function parse(text: string): StoredHead | null {
  try {
    const head = JSON.parse(text) as StoredHead;
    const isHead = Number.isSafeInteger(head.size) && /^[0-9a-f]{64}$/.test(head.root);
    return isHead ? head : null;
  } catch {
    return null;
  }
}

/** A place that the settings name. */
interface Place {
  /** The setting, for people who may not see paths. */
  setting: 'DATA_DIR' | 'LOG_HEAD_FOLDERS';
  file: HeadFile;
}

/** The newest tree head could not be written to every folder. */
export class HeadNotKeptError extends AggregateError {
  /** @param places the settings that name the folders, and why each cannot be written; without paths */
  constructor(
    errors: Error[],
    readonly places: string[],
  ) {
    super(errors, errors.map(({ message }) => message).join(' '));
  }
}

/**
 * The files in which this server remembers the newest tree head: one in DATA_DIR, and one in each of LOG_HEAD_FOLDERS,
 * which lie where a snapshot of the machine does not reach.
 */
export class HeadFiles {
  private readonly places: Place[];

  constructor({ DATA_DIR, LOG_HEAD_FOLDERS = [] }: Pick<Environment, 'DATA_DIR' | 'LOG_HEAD_FOLDERS'>, origin: string) {
    const at = (folder: string) => new HeadFile(path.resolve(folder), origin);
    this.places = [
      { setting: 'DATA_DIR', file: at(DATA_DIR) },
      ...LOG_HEAD_FOLDERS.map((folder) => ({ setting: 'LOG_HEAD_FOLDERS' as const, file: at(folder) })),
    ];
  }

  /**
   * Returns the largest tree head of all files, or null if there is none.
   * @throws Error if a file cannot be read, or if two of them hold different tree heads of one size
   */
  async read(): Promise<Head | null> {
    const heads = (await Promise.all(this.places.map(({ file }) => file.read()))).filter((head) => head !== null);
    const largest = heads.reduce<Head | null>((one, other) => (one && one.size >= other.size ? one : other), null);
    if (heads.some(({ size, root }) => size === largest?.size && !equalBytes(root, largest.root))) {
      throw new Error(`The folders hold two different tree heads of ${largest?.size} entries.`);
    }
    return largest;
  }

  /** Writes a larger tree head to every file. @throws HeadNotKeptError if one could not be written */
  async write(head: Head): Promise<void> {
    const results = await Promise.allSettled(this.places.map(({ file }) => file.write(head)));
    const failed = results.flatMap((result, index) =>
      result.status === 'rejected'
        ? [{ error: result.reason as NodeJS.ErrnoException, setting: this.places[index]!.setting }]
        : [],
    );
    if (failed.length === 0) return;
    throw new HeadNotKeptError(
      failed.map(({ error }) => error),
      failed.map(({ error, setting }) => `${setting} (${error.code ?? 'its lock is held, or it holds another file'})`),
    );
  }
}
