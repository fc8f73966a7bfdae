import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { Bound } from './bounds.js';

/** What was refused, and by which bound. */
export interface Refusal {
  by: Bound;
  times: number;
}

/** Hears of everything that a bound refuses, wherever it stands, for the metrics. Observers must not throw. */
@Injectable()
export class RefusalCounter {
  readonly counted = new Subject<Refusal>();

  count(by: Bound, times = 1): void {
    this.counted.next({ by, times });
  }
}

/** Too many of one kind wait for a bound already. The message is for people. */
export class TooManyWaitError extends Error {
  constructor(words: string) {
    super(`too many ${words} wait already`);
  }
}
