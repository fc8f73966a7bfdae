import path from 'node:path';
import type { Environment } from '../../config/environment.js';
import { equalBytes } from '../../crypto/hashing.js';
import { HeadFile } from './head-file.js';
import type { Head } from './signed-head.js';

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
