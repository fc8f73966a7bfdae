import { randomBytes } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../files/durable-folders.js';
import { clusterFolder } from './embedded-folder.js';

const PREFIX = 'signet-mark-';
/** Milliseconds after which a mark is made anew before something is written that must not be written twice. */
const STALE_MS = 60_000;

interface Mark {
  name: string;
  /** Name, inode and time of birth: what a copy of the file has never in common with it. */
  identity: string;
}

/**
 * The mark in the folder of the embedded database: an empty file that is made anew at each start, and each minute while
 * it matters. The database holds its identity. Where an older state of the folder is put back, by any program, over the
 * folder or in its place, the mark that the restored database names was removed long ago: what has its name now is a
 * copy with another identity. Moving the folder keeps the mark.
 */
export class FolderMarks {
  private own: (Mark & { madeAtMs: number }) | null = null;
  /** Older ones that are still there. */
  private others: Mark[] = [];
  /** Identities that were there when this process looked first, and of what it made itself. */
  private readonly known = new Set<string>();
  private readonly folder: string;

  private constructor(dataDir: string) {
    this.folder = clusterFolder(dataDir);
  }

  /** Reads what is there and changes nothing. @throws Error of the file system */
  static async read(dataDir: string): Promise<FolderMarks> {
    const marks = new FolderMarks(dataDir);
    for (const name of await readdir(marks.folder)) {
      if (name.startsWith(PREFIX)) marks.others.push(await marks.identify(name));
    }
    for (const { identity } of marks.others) marks.known.add(identity);
    return marks;
  }

  /** Of the mark that this process has made; null before `renew`. */
  get identity(): string | null {
    return this.own?.identity ?? null;
  }

  /** Whether the mark is of this process, made within the last minute. */
  get isFresh(): boolean {
    return this.own !== null && performance.now() - this.own.madeAtMs < STALE_MS;
  }

  /** Whether the mark of this process is the only one. */
  get isAlone(): boolean {
    return this.own !== null && this.others.length === 0;
  }

  /** Whether this folder has had the mark since this process opened it. */
  knows(identity: string): boolean {
    return this.known.has(identity);
  }

  /** Makes a mark unless there is a fresh one; after the return it survives a power cut. Older ones stay. */
  async renew(): Promise<void> {
    if (this.isFresh) return;
    const name = `${PREFIX}${randomBytes(8).toString('hex')}`;
    const file = await open(path.join(this.folder, name), 'wx', 0o600);
    await file.sync().finally(() => file.close());
    await syncFolder(this.folder);
    if (this.own) this.others.push(this.own);
    this.own = { ...(await this.identify(name)), madeAtMs: performance.now() };
    this.known.add(this.own.identity);
  }

  /** Removes all older marks; to be called when the database holds the identity of the newest one. */
  async removeOlder(): Promise<void> {
    if (this.own === null || this.isAlone) return;
    for (const { name } of this.others) await rm(path.join(this.folder, name), { force: true });
    await syncFolder(this.folder);
    this.others = [];
  }

  private async identify(name: string): Promise<Mark> {
    const { ino, birthtimeNs } = await stat(path.join(this.folder, name), { bigint: true });
    return { name, identity: `${name.slice(PREFIX.length)}-${ino}-${birthtimeNs}` };
  }
}
