import { Injectable, Logger } from '@nestjs/common';
import { PublishedCheckpoint } from './published/published-checkpoint.js';
import { HeadStore } from './signing/heads/head-store.js';
import { MapStore } from './tree/map/map-store.js';

/** Tree heads that stay readable in the database, for operators who look up what was signed lately. */
const KEPT_HEADS = 1000;
/** Seconds for which a tree head that is no longer the newest may still be asked for. */
const MAP_SECONDS = 60;
/** A server that has read the newest cosigned tree head answers by it for less than this, whatever another one sees. */
const COSIGNED_MS = 2000;

/** Forgets old tree heads, and former states of the map by which no reader is answered any more. */
@Injectable()
export class FormerStates {
  private readonly logger = new Logger('Log');
  /** Whether there may be some that this server has to forget. */
  private hasSome = true;
  /** The size of the newest tree head when this server last looked or signed. */
  private newestSize = Infinity;
  /** The size of the newest cosigned tree head at a time, and `COSIGNED_MS` before that or more. */
  private cosigned = { before: 0, last: 0, atMs: -Infinity };

  constructor(
    private readonly signed: HeadStore,
    private readonly published: PublishedCheckpoint,
    private readonly map: MapStore,
  ) {}

  /** Notes the size of the newest tree head in the database; where another server has signed it, that one forgets. */
  noteFound(size: number): void {
    if (size > this.newestSize) this.hasSome = false;
    this.newestSize = size;
  }

  /** Notes the size of a tree head that this server has signed. */
  noteSigned(size: number): void {
    this.hasSome = true;
    this.newestSize = size;
  }

  /** Forgets what is past. Never throws: the next call tries again. */
  async forget(): Promise<void> {
    if (!this.hasSome) return;
    try {
      const { cosigned } = await this.published.both();
      const { old, back } = await this.signed.pastSizes(MAP_SECONDS, KEPT_HEADS);
      const { last, atMs } = this.cosigned;
      const [size, nowMs] = [cosigned?.size ?? Infinity, performance.now()];
      if (nowMs - atMs > COSIGNED_MS) this.cosigned = { before: last, last: size, atMs: nowMs };
      // The map of a tree head is that of the entries before its last one.
      this.hasSome = await this.map.forget(Math.max(back, Math.min(old, this.cosigned.before, last, size)) - 1);
      await this.signed.forget(KEPT_HEADS, cosigned?.size);
    } catch (error) {
      this.logger.warn(`Former states of the map stay for now: ${(error as Error).message}`);
    }
  }
}
