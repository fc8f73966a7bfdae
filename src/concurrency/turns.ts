import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which others have their turn: a request waits for several pieces of work in a row. */
const TURN_MS = 0.25;
/** Milliseconds of work after which they have it again, however long they took. */
const LONGEST_TURN_MS = 10;

/**
 * Long work in the thread that answers requests, done piece by piece. Behind each turn of others it goes on for as long
 * as that took, because a transaction that it works in must end within seconds.
 */
export class Turns {
  private startedMs = performance.now();
  private turnMs = TURN_MS;

  /** To be awaited behind each small piece: gives requests their turn if the pieces since the last turn took long. */
  async next(): Promise<void> {
    const endedMs = performance.now();
    if (endedMs - this.startedMs < this.turnMs) return;
    await nextTurn();
    this.startedMs = performance.now();
    this.turnMs = Math.min(Math.max(TURN_MS, this.startedMs - endedMs), LONGEST_TURN_MS);
  }
}
