/**
 * Lets callers who want the same work at the same time share one run of it. Nothing is kept beyond the run. `key`
 * distinguishes different work; without one there is only one kind.
 */
export class SingleFlight<Result = void> {
  private readonly running = new Map<string, Promise<Result>>();
  private readonly following = new Map<string, Promise<Result>>();

  /** The result of the run under way, or of a new one if there is none. Rejects as `work` does. */
  join(work: () => Promise<Result>, key = ''): Promise<Result> {
    return this.running.get(key) ?? this.following.get(key) ?? this.start(key, work);
  }

  /**
   * The result of a run that starts after this call: at once if none is under way, otherwise behind that one. So no
   * result is older than its call, and of any number of callers at most two runs follow. Rejects as `work` does.
   */
  follow(work: () => Promise<Result>, key = ''): Promise<Result> {
    const joined = this.following.get(key);
    if (joined) return joined;
    const current = this.running.get(key);
    if (!current) return this.start(key, work);
    const next = current
      .catch(() => {})
      .then(() => {
        this.following.delete(key);
        return this.start(key, work);
      });
    this.following.set(key, next);
    return next;
  }

  isRunning(key = ''): boolean {
    return this.running.has(key);
  }

  /** Resolves when everything that was started has ended, however it ended; for shutdown. */
  async settle(): Promise<void> {
    while (this.running.size > 0 || this.following.size > 0) {
      await Promise.allSettled([...this.running.values(), ...this.following.values()]);
    }
  }

  private start(key: string, work: () => Promise<Result>): Promise<Result> {
    // Inside an async function, an error that `work` throws before its first await is a rejection too.
    const run = (async () => work())().finally(() => this.running.delete(key));
    this.running.set(key, run);
    return run;
  }
}
