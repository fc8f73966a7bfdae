import fs from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** The parts of an open file of Emscripten's NODEFS that are used here. */
interface OpenFile {
  /** The descriptor on the host. */
  nfd: number;
  /** As the engine names it, such as `/pglite/data/pg_wal/000000010000000000000001`. */
  path: string;
}

/** The parts of Emscripten's file systems that are used here; they have no complete types. */
interface EngineFiles {
  ErrnoError: new (errno: number) => Error;
  filesystems: {
    NODEFS: {
      /** Turns an error of Node into one of the engine, whose `errno` is undefined for a code that it does not know. */
      tryFSOperation(operation: () => void): void;
      stream_ops: { fsync?: (file: OpenFile) => number };
    };
  };
}

const EIO = 29; // of WASI, whose numbers the engine uses
const WAL_SEGMENT = /\/pg_wal\/[0-9A-F]{24}$/;

/**
 * Start parameters of PGlite beside its own, without which nothing is synced: its default list holds `-F` (fsync off),
 * and PostgreSQL syncs its write-ahead log with `fdatasync` by default, which PGlite answers with success and without
 * doing anything.
 */
export function syncingStartParams(defaults: string[]): string[] {
  return [...defaults.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/**
 * A folder on the host as the file system of PGlite, in which `fsync` reaches the disk. PGlite (0.5.16 and before)
 * builds on Emscripten's NODEFS, which has no `fsync`: the engine's calls succeed and do nothing, so that a power cut
 * loses commits that were acknowledged. With this and `syncingStartParams`, PostgreSQL's own rules hold, which sync the
 * write-ahead log before a commit is acknowledged, and data files, `pg_control` and folders where they have to be.
 *
 * A folder is opened and synced like a file, as PostgreSQL asks for it after a rename. An error is reported to
 * PostgreSQL, which ends with a panic, because what the system did not write then may be forgotten by it.
 */
export class SyncedFolder extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    // Runs before the engine opens its first file.
    const add = ({ FS }: { FS: unknown }) => addFsync(FS as EngineFiles);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), add] } };
  }
}

function addFsync({ ErrnoError, filesystems: { NODEFS } }: EngineFiles): void {
  NODEFS.stream_ops.fsync = (file) => {
    try {
      NODEFS.tryFSOperation(() => syncOnHost(file));
    } catch (error) {
      // Without a number the engine would take the failure for success.
      throw (error as { errno?: number }).errno === undefined ? new ErrnoError(EIO) : error;
    }
    return 0;
  };
}

/**
 * A segment of the write-ahead log has its full size before it is used, so that a commit need not wait for the times of
 * the file; PostgreSQL does so by default on Linux.
 */
function syncOnHost({ nfd, path }: OpenFile): void {
  if (WAL_SEGMENT.test(path)) fs.fdatasyncSync(nfd);
  else fs.fsyncSync(nfd);
}
