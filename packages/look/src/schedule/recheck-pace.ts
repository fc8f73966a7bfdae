/**
 * How many calls rechecks may make by one budget in one window; a call is a check, or a request that checks many
 * proofs.
 */
export interface Pace {
  calls: number;
  seconds: number;
}

interface Window {
  /** When it began, or was paused last. */
  setAtMs: number;
  endsAtMs: number;
  used: number;
  /** Checks that came when nothing was left. */
  turnedAway: number;
  pausedUntilMs: number;
}

/** Hosts that users choose are many; those whose window is over are forgotten when there are more than this. */
const MAX_WINDOWS = 5_000;

/** A time that lies so much before what was set by the same clock shows that it was put back. */
const PUT_BACK_MS = 60_000;

/**
 * Counts the calls of rechecks in fixed windows, for each key of a budget (a platform, or a host that a user chose).
 * Times are milliseconds since 1970.
 */
export class RecheckPace {
  private readonly windows = new Map<string, Window>();

  /**
   * Counts one call and returns 0, or returns the milliseconds after which to ask again. Callers that do not fit into
   * the next window are sent to a later one, so that a long queue does not come back all at once.
   */
  consume(budgetKey: string, { calls, seconds }: Pace, nowMs: number): number {
    const window = this.windowOf(budgetKey, seconds, nowMs);
    if (window.pausedUntilMs > nowMs) return window.pausedUntilMs - nowMs;
    if (window.used < calls) {
      window.used += 1;
      return 0;
    }
    const windowsAhead = Math.floor(window.turnedAway / calls);
    window.turnedAway += 1;
    return window.endsAtMs - nowMs + windowsAhead * seconds * 1000;
  }

  /** Calls that are left in the window. */
  left(budgetKey: string, { calls, seconds }: Pace, nowMs: number): number {
    return calls - this.windowOf(budgetKey, seconds, nowMs).used;
  }

  /** Number of budgets that are remembered. */
  get size(): number {
    return this.windows.size;
  }

  isPaused(budgetKey: string, nowMs: number): boolean {
    const known = this.windows.get(budgetKey);
    return known !== undefined && !isOfLaterClock(known, nowMs) && known.pausedUntilMs > nowMs;
  }

  /** Pauses the calls by one budget; an earlier time does not shorten a pause. */
  pause(budgetKey: string, untilMs: number, nowMs: number): void {
    const window = this.windowOf(budgetKey, 0, nowMs);
    window.pausedUntilMs = Math.max(window.pausedUntilMs, untilMs);
    window.setAtMs = nowMs;
  }

  private windowOf(budgetKey: string, seconds: number, nowMs: number): Window {
    const found = this.windows.get(budgetKey);
    const known = found && !isOfLaterClock(found, nowMs) ? found : undefined;
    if (known && known.endsAtMs > nowMs) return known;
    if (this.windows.size >= MAX_WINDOWS) this.forgetFinished(nowMs);
    const window = {
      setAtMs: nowMs,
      endsAtMs: nowMs + seconds * 1000,
      used: 0,
      turnedAway: 0,
      pausedUntilMs: known?.pausedUntilMs ?? 0,
    };
    this.windows.set(budgetKey, window);
    return window;
  }

  private forgetFinished(nowMs: number): void {
    for (const [budgetKey, { endsAtMs, pausedUntilMs }] of this.windows) {
      if (endsAtMs <= nowMs && pausedUntilMs <= nowMs) this.windows.delete(budgetKey);
    }
  }
}

/** Whether the clock was ahead when the window was set, and was put back since. */
function isOfLaterClock({ setAtMs }: Window, nowMs: number): boolean {
  return nowMs < setAtMs - PUT_BACK_MS;
}
