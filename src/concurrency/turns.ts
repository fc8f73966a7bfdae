import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which others have their turn: a request waits for several pieces of work in a row. */
const TURN_MS = 0.25;

/** Long work in the thread that answers requests, done piece by piece. */
export class Turns {
  private startedMs = performance.now();

  /** To be awaited behind each small piece: gives requests their turn if the pieces since the last turn took long. */
  async next(): Promise<void> {
    if (performance.now() - this.startedMs < TURN_MS) return;
    await nextTurn();
    this.startedMs = performance.now();
  }
}
