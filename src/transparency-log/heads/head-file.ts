import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeHex, encodeHex } from '@signet/verify/log';
import { syncFolder } from '../../database/embedded/durable-folders.js';
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
