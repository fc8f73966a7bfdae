/**
 * How often rechecks may call one payer of a budget in one window; a call is a check, or a request that checks many
 * proofs.
 */
export interface Pace {
  calls: number;
  seconds: number;
}

interface Window {
  endsAtMs: number;
  used: number;
  /** Checks that came when nothing was left. */
  turnedAway: number;
  pausedUntilMs: number;
}

/** Hosts that users choose are many; those whose window is over are forgotten when there are more than this. */
const MAX_WINDOWS = 5_000;

/**
 * Counts the calls of rechecks in fixed windows, for each payer of a budget (a platform, or a host that a user chose).
 * Times are milliseconds since 1970.
 */
export class RecheckPace {
  private readonly windows = new Map<string, Window>();

  /**
   * Takes one call and returns 0, or returns the milliseconds after which to ask again. Callers that do not fit into
   * the next window are sent to a later one, so that a long queue does not come back all at once.
   */
  take(payer: string, { calls, seconds }: Pace, nowMs: number): number {
    const window = this.windowOf(payer, seconds, nowMs);
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
  left(payer: string, { calls, seconds }: Pace, nowMs: number): number {
    return calls - this.windowOf(payer, seconds, nowMs).used;
  }

  /** How many payers are remembered. */
  get size(): number {
    return this.windows.size;
  }

  isPaused(payer: string, nowMs: number): boolean {
    return (this.windows.get(payer)?.pausedUntilMs ?? 0) > nowMs;
  }

  /** Leaves a payer alone until then; an earlier time does not shorten a pause. */
  pause(payer: string, untilMs: number, nowMs: number): void {
    const window = this.windowOf(payer, 0, nowMs);
    window.pausedUntilMs = Math.max(window.pausedUntilMs, untilMs);
  }

  private windowOf(payer: string, seconds: number, nowMs: number): Window {
    const known = this.windows.get(payer);
    if (known && known.endsAtMs > nowMs) return known;
    if (this.windows.size >= MAX_WINDOWS) this.forgetFinished(nowMs);
    const window = {
      endsAtMs: nowMs + seconds * 1000,
      used: 0,
      turnedAway: 0,
      pausedUntilMs: known?.pausedUntilMs ?? 0,
    };
    this.windows.set(payer, window);
    return window;
  }

  private forgetFinished(nowMs: number): void {
    for (const [payer, { endsAtMs, pausedUntilMs }] of this.windows) {
      if (endsAtMs <= nowMs && pausedUntilMs <= nowMs) this.windows.delete(payer);
    }
  }
}
