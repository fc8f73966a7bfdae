import path from 'node:path';
import { rootFromTiles } from '@signet/verify/log';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { encodeHex } from '../crypto/encoding.js';
import { sha256 } from '../crypto/hashing.js';
import { HeadFile, type RememberedHead } from './head-file.js';
import { LogRefusedError } from './log-refused-error.js';
import { LogStore, type SignedHead } from './log-store.js';

/**
 * The newest tree head that this server has seen, in memory and in a file outside the database. Whatever was seen may
 * have been shown to somebody, so a log that goes on from less, or from something else, would be a second history.
 */
@Injectable()
export class LogHeads {
  private readonly logger = new Logger('Log');
  private file: HeadFile | undefined;
  private openOrigin = '';
  private head: RememberedHead | null = null;
  private hasWarned = false;

  constructor(
    private readonly environment: Environment,
    private readonly store: LogStore,
  ) {}

  /** The largest; null if nothing was ever seen of this origin. */
  get remembered(): RememberedHead | null {
    return this.head;
  }

  /** The log that it is about; empty before `open`. */
  get origin(): string {
    return this.openOrigin;
  }

  /**
   * Takes up what the file says of this origin.
   * @throws LogRefusedError if there is a file that cannot be read: nobody knows then what was signed
   */
  async open(origin: string): Promise<void> {
    if (this.openOrigin === origin) return;
    const file = new HeadFile(path.resolve(this.environment.DATA_DIR), origin);
    this.head = await file.read().catch((error: unknown) => {
      throw new LogRefusedError(
        `The last tree head that was signed cannot be read: ${(error as Error).message}`,
        false,
      );
    });
    this.file = file;
    this.openOrigin = origin;
  }

  /**
   * Takes the newest tree head of the database for what is shown, and remembers it first.
   * @param seen what was `remembered` before the database was asked; more may have come meanwhile
   * @throws LogRefusedError if it does not continue what this server had seen
   */
  async accept(head: SignedHead, seen: RememberedHead | null): Promise<void> {
    assertNotBehind(head, seen);
    if (this.head && this.head.size >= head.size) return;
    await this.assertContinued();
    await this.remember(head);
  }

  /** Remembers a tree head that was made under `assertUnbroken`; before it is shown to anybody. */
  async remember({ size, root }: Pick<SignedHead, 'size' | 'root'>): Promise<void> {
    if (this.head && this.head.size >= size) return;
    this.head = { size, root: encodeHex(root) };
    try {
      await this.file?.write(this.head);
    } catch (error) {
      if (!this.hasWarned) {
        this.logger.warn(
          `the tree head cannot be kept in a file, only in memory and in the database: ${(error as Error).message}`,
        );
      }
      this.hasWarned = true;
    }
  }

  /** Whether `head`, the newest of the database, is less than what was seen, or another one. */
  contradicts(head: SignedHead | null): boolean {
    return contradicts(head, this.head);
  }

  /**
   * Whether the tree in the database, whose newest tree head is `head`, continues all that was signed.
   * @throws LogRefusedError
   */
  async assertUnbroken(head: SignedHead | null, manager: EntityManager): Promise<void> {
    assertNotBehind(head, this.head);
    await this.assertContinued(manager);
    if (head) await this.assertRoot(head.size, encodeHex(head.root), manager);
  }

  /** @throws LogRefusedError if the stored tree does not begin with the one that was seen */
  private async assertContinued(manager?: EntityManager): Promise<void> {
    if (this.head) await this.assertRoot(this.head.size, this.head.root, manager);
  }

  /** @param root lowercase hex @throws LogRefusedError if the stored tiles do not give this root for this size */
  private async assertRoot(size: number, root: string, manager?: EntityManager): Promise<void> {
    const found = await rootFromTiles(size, (tiles) => this.store.readTiles(tiles, manager), sha256).catch(
      (error: unknown) => {
        if (error instanceof RangeError) return null;
        throw error;
      },
    );
    if (found && encodeHex(found) === root) return;
    throw new LogRefusedError(
      `The tree in the database does not have the root that was signed for its first ${size} entries.`,
      true,
    );
  }
}

function contradicts(head: SignedHead | null, seen: RememberedHead | null): boolean {
  if (!seen) return false;
  if (!head || head.size < seen.size) return true;
  return head.size === seen.size && encodeHex(head.root) !== seen.root;
}

/** @throws LogRefusedError */
function assertNotBehind(head: SignedHead | null, seen: RememberedHead | null): void {
  if (!seen || !contradicts(head, seen)) return;
  throw new LogRefusedError(
    head?.size === seen.size
      ? `Two different tree heads of ${seen.size} entries were signed.`
      : `A tree head of ${seen.size} entries was signed, and the newest in the database has ${head?.size ?? 'none'}: ` +
          'the database is older than what was shown.',
    true,
  );
}
