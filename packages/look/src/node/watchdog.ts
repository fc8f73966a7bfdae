import { WebFailure } from '../web/web-failure.js';

/** Ends one request when a phase of it, or the whole, takes too long. Times in milliseconds. */
export class Watchdog {
  private readonly controller = new AbortController();
  private readonly endsAt: number;
  private timer: NodeJS.Timeout | undefined;
  readonly signal: AbortSignal = this.controller.signal;

  constructor(totalMs: number) {
    this.endsAt = performance.now() + totalMs;
    this.allow(totalMs);
  }

  /** Milliseconds until the end of the whole; at least 0. */
  get remainingMs(): number {
    return Math.max(0, this.endsAt - performance.now());
  }

  /** Starts the next phase, or the same one afresh, which may last `phaseMs`, but never past the end of the whole. */
  allow(phaseMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.end(new WebFailure('slow', 'took too long')),
      Math.min(phaseMs, this.remainingMs),
    );
  }

  /** Ends the request for another reason. */
  end(reason: WebFailure): void {
    clearTimeout(this.timer);
    this.controller.abort(reason);
  }

  /** Waits for `work`, but no longer than the request may last; a later result of `work` is ignored. */
  async guard<T>(work: Promise<T>): Promise<T> {
    let onAbort: (() => void) | undefined;
    const aborted = new Promise<never>((_, fail) => {
      onAbort = () => fail(this.signal.reason as WebFailure);
      if (this.signal.aborted) onAbort();
      else this.signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      if (onAbort) this.signal.removeEventListener('abort', onAbort);
    }
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
