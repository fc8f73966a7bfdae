import { Injectable, Logger } from '@nestjs/common';
import type { TreeState } from '../../tree/tree-state.js';
import type { LogIdentity } from './log-identity.js';
import type { LogSnapshot } from './log-snapshot.js';
import type { SignedHead } from './signed-head.js';

/** `catching_up`: what is there is taken in, and nothing is signed before; `refused`: nothing is signed any more. */
export const LOG_CONDITIONS = ['ok', 'catching_up', 'refused'] as const;
export type LogCondition = (typeof LOG_CONDITIONS)[number];

const PROGRESS_MS = 5_000;

/**
 * The state of the log as this server last saw it; reading it makes no query. How far a long work has come is also said
 * in the log of the process, every few seconds.
 */
@Injectable()
export class LogStatus {
  private readonly logger = new Logger('Log');
  private saidAtMs = -Infinity;
  /** Name of the log; empty until the database was read for the first time. */
  origin = '';
  condition: LogCondition = 'catching_up';
  /** Why nothing is signed; empty unless `refused`. */
  problem = '';
  /** Why the newest tree head is not kept outside of the database; empty if it is. */
  headProblem = '';
  /** Entries of the newest tree head. */
  size = 0;
  /** How much of what was there before the log is in its tree, from 0 to 1; used while it is `catching_up`. */
  progress = 0;
  /** How much of the log is in the map, from 0 to 1; less than 1 only while the map of an older log is computed. */
  mapProgress = 1;

  /** The newest tree head of the database, before it is known whether this server may go on from it. */
  found(head: SignedHead | null): void {
    if (head && this.size === 0) this.size = head.size;
  }

  /** How this server found things. */
  look({ origin }: LogIdentity, { state, head, waiting }: LogSnapshot): void {
    this.origin = origin;
    if (state) this.mapProgress = state.mapSize / Math.max(1, state.size);
    if (state && !head) this.progress = state.size / Math.max(1, state.size + waiting);
    if (state && state.refusal !== '') this.refuse(state.refusal);
    else if (this.condition !== 'refused' && head) this.sign(head.size);
  }

  /**
   * How far the log has come with a batch.
   * @param head the newest tree head @param before how this server found things
   */
  extended(state: TreeState, head: SignedHead | null, before: LogSnapshot): void {
    if (!before.head && head) {
      this.logger.log(`The log ${this.origin} signs its first tree head, of ${head.size} entries`);
    } else if (!before.head) {
      const total = before.waiting + (before.state?.size ?? 0);
      this.progress = state.size / Math.max(1, state.size, total);
      this.say('The log takes in what is there', 'records', state.size, total);
    } else if (state.mapSize < state.size) {
      this.say('The map takes in what is in the log', 'entries', state.mapSize, state.size);
    }
    this.mapProgress = state.mapSize / Math.max(1, state.size);
    this.condition = 'catching_up';
    this.problem = '';
    if (head) this.sign(head.size);
  }

  refuse(problem: string): void {
    this.condition = 'refused';
    this.problem = problem;
  }

  private sign(size: number): void {
    this.condition = 'ok';
    this.problem = '';
    this.size = size;
  }

  private say(what: string, unit: string, size: number, total: number): void {
    if (performance.now() - this.saidAtMs < PROGRESS_MS) return;
    this.saidAtMs = performance.now();
    const percent = Math.floor((100 * size) / Math.max(size, total, 1));
    this.logger.log(`${what}: ${size} of ${total} ${unit} (${percent} %)`);
  }
}
