import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

/** A tree head as it is remembered. */
export interface RememberedHead {
  size: number;
  /** Lowercase hex, 64 digits. */
  root: string;
}

/**
 * The newest tree head that this server has seen signed, in a file under DATA_DIR: what a backup of the database does
 * not take back. The name holds a hash of the origin, because a new origin begins anew.
 */
export class HeadFile {
  private readonly file: string;

  constructor(
    private readonly folder: string,
    private readonly origin: string,
  ) {
    const digits = createHash('sha256').update(origin).digest('hex').slice(0, 16);
    this.file = path.join(folder, `log-head-${digits}.json`);
  }

  /**
   * What was written last; null if there is nothing.
   * @throws Error if there is something that cannot be read: nobody knows then what was signed
   */
  async read(): Promise<RememberedHead | null> {
    let text: string;
    try {
      text = await readFile(this.file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    const head = parse(text);
    if (head?.origin !== this.origin) throw new Error(`The file ${this.file} does not hold a tree head of this log.`);
    return { size: head.size, root: head.root };
  }

  /**
   * Writes a larger tree head than the one that is there, for good: after the return it survives a power cut. Servers
   * that share the folder keep the largest.
   */
  async write(head: RememberedHead): Promise<void> {
    const current = await this.read();
    if (current && current.size >= head.size) return;
    await mkdir(this.folder, { recursive: true });
    const draft = `${this.file}.${process.pid}`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ origin: this.origin, ...head })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.file);
  }
}

function parse(text: string): (RememberedHead & { origin: string }) | null {
  try {
    const head = JSON.parse(text) as RememberedHead & { origin: string };
    const isHead = Number.isSafeInteger(head.size) && /^[0-9a-f]{64}$/.test(head.root);
    return isHead ? head : null;
  } catch {
    return null;
  }
}
