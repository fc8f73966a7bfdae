import { Injectable } from '@nestjs/common';
import type { LogCondition, LogHealth } from '../http/log-health.js';
import type { LogIdentity } from './log-identity.js';
import type { LogSnapshot } from './log-snapshot.js';
import type { SignedHead } from './heads/signed-head.js';

/** The state of the log as this server last saw it. */
@Injectable()
export class LogStatus implements LogHealth {
  /** Name of the log; empty until the database was read for the first time. */
  origin = '';
  condition: LogCondition = 'catching_up';
  problem = '';
  headProblem = '';
  size = 0;
  progress = 0;
  mapProgress = 1;

  /** How this server found things. */
  look({ origin }: LogIdentity, { state, head, waiting }: LogSnapshot): void {
    this.origin = origin;
    if (state) this.mapProgress = state.mapSize / Math.max(1, state.size);
    if (state && !head) this.progress = state.size / Math.max(1, state.size + waiting);
    if (state && state.refusal !== '') this.refuse(state.refusal);
    else if (this.condition !== 'refused' && head) this.sign(head.size);
  }

  /** A batch was made, or there was nothing to add; `head` is the newest tree head. */
  extended(head: SignedHead | null): void {
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
}
