import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../../config/environment.js';
import { equalBytes } from '../../../crypto/hashing.js';
import { HeadFiles, HeadNotKeptError } from './head-files.js';
import { type PlaceVerdict, whatToDo } from './log-place.js';
import { LogRefusedError } from './log-errors.js';
import { LogStatus } from './log-status.js';
import type { LogSnapshot } from './log-snapshot.js';
import { TreeStore } from '../../tree/tree-store.js';
import type { PlacedHead } from './head-store.js';
import type { Head } from './signed-head.js';

/** Milliseconds for which a look at the database says what was signed; each server looks once a second. */
const FRESH_MS = 5_000;

/**
 * The newest tree head that this server has seen, in memory and in files outside of the database. A head
 * that was seen may have been published; signing a smaller or different one would fork the log.
 */
@Injectable()
export class LogHeads {
  private readonly logger = new Logger('Log');
  private files: HeadFiles | undefined;
  private openOrigin = '';
  private head: Head | null = null;
  /** When this process last found all well in the database: by its own clock, and by that of the database. */
  private looked = { atMs: -Infinity, databaseMs: -Infinity };
  /** What this process has signed last, whether or not the answer to the commit came back. */
  private signed: Head | null = null;
  private isKept = true;
  /** Whether this process has found the newest tree head of the database to be the newest that was signed. */
  private hasAccepted = false;

  constructor(
    private readonly environment: Environment,
    private readonly tree: TreeStore,
    private readonly status: LogStatus,
  ) {}

  /** The largest; null if nothing was ever seen of this origin. */
  get remembered(): Head | null {
    return this.head;
  }

  /** The log that it is about; empty before `open`. */
  get origin(): string {
    return this.openOrigin;
  }

  /**
   * Loads the last head of this origin from the files.
   * @throws LogRefusedError if there is a file that cannot be read: it is not known then what was signed
   */
  async open(origin: string): Promise<void> {
    if (this.openOrigin === origin) return;
    const files = new HeadFiles(this.environment, origin);
    this.head = await files.read().catch((error: unknown) => {
      throw new LogRefusedError(
        `The last tree head that was signed cannot be read: ${(error as Error).message}`,
        false,
      );
    });
    this.files = files;
    this.openOrigin = origin;
    this.looked = { atMs: -Infinity, databaseMs: -Infinity };
    this.signed = null;
    this.hasAccepted = false;
  }

  /**
   * Takes the newest tree head of the database for what is shown, and remembers it first.
   * @param seen what was `remembered` before the database was asked; more may have come meanwhile
   * @throws LogRefusedError if it does not continue what this server had seen, or if the database was restored or moved
   *   and this server cannot know that it is the newest one
   */
  async accept({ head, ...place }: PlacedHead, seen: Head | null): Promise<void> {
    assertNotBehind(head, seen);
    // What contradicts the file is final, and said first.
    if (place.change !== null) await this.assertContinued();
    this.assertNewest(head, place);
    this.hasAccepted = true;
    if (this.head && this.head.size >= head.size) return;
    await this.assertContinued();
    await this.remember(head);
  }

  /**
   * Takes the newest tree head of the database for what is shown. Before the first one was accepted it is not
   * remembered: it would look like something that this server knew before.
   * @throws LogRefusedError as `accept`
   */
  async show(found: PlacedHead, seen: Head | null): Promise<void> {
    if (this.hasAccepted) await this.accept(found, seen);
    else assertNotBehind(found.head, seen);
  }

  /** Remembers a tree head that was made under `assertUnbroken`; before it is published. */
  async remember({ size, root }: Head): Promise<void> {
    if (this.head && this.head.size >= size) return;
    this.head = { size, root };
    this.hasAccepted = true;
    await this.keep();
  }

  /** Notes a tree head before its transaction ends: that may be committed although its answer is lost. */
  willSign({ size, root }: Head): void {
    this.signed = { size, root };
  }

  /** Writes the files again where that failed before. Never throws: the database and the memory have the head too. */
  async keepAgain(): Promise<void> {
    if (!this.isKept) await this.keep();
  }

  /** Whether `head`, the newest of the database, is less than what was seen, or another one. */
  contradicts(head: Head | null): boolean {
    return contradicts(head, this.head);
  }

  /**
   * Checks that the tree in the database continues all that was signed.
   * @throws LogRefusedError as `accept`
   */
  async assertUnbroken({ head, ...place }: LogSnapshot, manager: EntityManager): Promise<void> {
    assertNotBehind(head, this.head);
    await this.assertContinued(manager);
    this.assertNewest(head, place);
    if (head) await this.assertRoot(head, manager);
  }

  /**
   * After a restore or a fail-over the newest tree head of the database may not be the newest one that was shown. After
   * a fail-over this server knows that it is if it remembers exactly that one, also by its file. A copy of the database
   * may be as old as a file, and as the memory of a server that stood still: then it counts only for the seconds after
   * a look.
   * @throws LogRefusedError that is not final: another server may know
   */
  private assertNewest(head: Head | null, { change, askedAtMs }: Pick<PlaceVerdict, 'change' | 'askedAtMs'>): void {
    const nowMs = performance.now();
    const { atMs, databaseMs } = this.looked;
    const isFresh = nowMs - atMs < FRESH_MS && Math.abs(askedAtMs - databaseMs) < FRESH_MS;
    // No file says that nothing was signed yet.
    const isKnown = head ? isHead(head, this.signed) || isHead(head, this.head) : isFresh;
    if (change !== null && (!isKnown || (change === 'copy' && !isFresh))) {
      throw new LogRefusedError(whatToDo(change), false);
    }
    this.looked = { atMs: nowMs, databaseMs: askedAtMs };
  }

  private async keep(): Promise<void> {
    try {
      if (this.head) await this.files?.write(this.head);
      if (!this.isKept) this.logger.log('The newest tree head is kept in its files again.');
      this.isKept = true;
      this.status.headProblem = '';
    } catch (error) {
      if (this.isKept) {
        this.logger.error(
          `The newest tree head is not kept outside of the database: ${(error as Error).message} A database that is restored may not be noticed.`,
        );
      }
      this.isKept = false;
      const places = error instanceof HeadNotKeptError ? error.places.join(', ') : 'DATA_DIR';
      this.status.headProblem = `The newest tree head cannot be written to ${places}.`;
    }
  }

  /** @throws LogRefusedError if the stored tree does not begin with the one that was seen */
  private async assertContinued(manager?: EntityManager): Promise<void> {
    if (this.head) await this.assertRoot(this.head, manager);
  }

  /** @throws LogRefusedError if the stored tiles do not give this root for this size */
  private async assertRoot({ size, root }: Head, manager?: EntityManager): Promise<void> {
    const found = await this.tree.rootOf(size, manager);
    if (found && equalBytes(found, root)) return;
    throw new LogRefusedError(
      `The tree in the database does not have the root that was signed for its first ${size} entries.`,
      true,
    );
  }
}

/** Whether the newest tree head of a database is less than what was seen, or another one of that size. */
export function contradicts(head: Head | null, seen: Head | null): boolean {
  if (!seen) return false;
  if (!head || head.size < seen.size) return true;
  return head.size === seen.size && !equalBytes(head.root, seen.root);
}

function isHead({ size, root }: Head, known: Head | null): boolean {
  return known !== null && known.size === size && equalBytes(known.root, root);
}

/** @throws LogRefusedError */
function assertNotBehind(head: Head | null, seen: Head | null): void {
  if (!seen || !contradicts(head, seen)) return;
  throw new LogRefusedError(
    head?.size === seen.size
      ? `Two different tree heads of ${seen.size} entries were signed.`
      : `A tree head of ${seen.size} entries was signed, and the newest in the database has ${head?.size ?? 'none'}: ` +
          'the database is older than what was shown.',
    true,
  );
}
